import numpy as np


def token_rows(is_token, padding_row, cached=0):
    """每个词元读哪一行；填充读 padding_row。最后一轴是位置。"""
    is_token = np.asarray(is_token, dtype=np.int64)
    counted = padding_row + cached + np.cumsum(is_token, axis=-1)
    return np.where(is_token == 1, counted, padding_row)
