import numpy as np


def learned_rows(table: np.ndarray, start: int, length: int) -> np.ndarray:
    """切片越界时 NumPy 不报错，只少给几行；负的下标从末尾数起。所以自己查。"""
    if start < 0 or length < 0 or start + length > len(table):
        raise IndexError(f"从 {start} 起 {length} 行：表只有 {len(table)} 行")
    return table[start : start + length]
