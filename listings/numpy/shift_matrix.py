import numpy as np


def shift_matrix(width, base, offset):
    angle = offset * base ** (-np.arange(0, width, 2) / width)
    even, odd = np.arange(0, width, 2), np.arange(1, width, 2)
    matrix = np.zeros((width, width))
    matrix[even, even] = matrix[odd, odd] = np.cos(angle)
    matrix[even, odd], matrix[odd, even] = np.sin(angle), -np.sin(angle)
    return matrix
