import numpy as np


def rotate_half_split(x, position, base=10000.0):
    half = x.shape[-1] // 2
    theta = base ** (-np.arange(half) / half)
    sin, cos = np.sin(position * theta), np.cos(position * theta)
    left, right = x[..., :half], x[..., half:]
    turned = [left * cos - right * sin, left * sin + right * cos]
    return np.concatenate(turned, axis=-1)
