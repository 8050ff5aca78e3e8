import numpy as np


def kernel(offset, width, base=10000.0):
    theta = base ** (-np.arange(0, width, 2) / width)
    return np.cos(offset * theta).sum()
