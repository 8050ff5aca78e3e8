import numpy as np


def sinusoidal_table(seq_len, width, base=10000.0):
    theta = base ** (-np.arange(0, width, 2) / width)
    angle = np.arange(seq_len)[:, None] * theta
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(seq_len, width)
