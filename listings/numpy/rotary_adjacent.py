import numpy as np


def rotate_adjacent(x, position, base=10000.0):
    theta = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    sin, cos = np.sin(position * theta), np.cos(position * theta)
    y = np.empty_like(x)
    y[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    y[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
    return y
