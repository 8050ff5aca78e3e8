import numpy as np


def frequencies(width, base=10000.0):
    return base ** (-2.0 * np.arange(width // 2) / width)
