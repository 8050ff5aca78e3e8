import numpy as np


def learned_longer(table, rows):
    """加长到 rows 行：照抄（从头循环），线性缩放（两端对齐）。"""
    old = np.arange(len(table))
    place = np.linspace(0, len(table) - 1, rows)
    resized = [np.interp(place, old, column) for column in table.T]
    return table[np.arange(rows) % len(table)], np.stack(resized, axis=1)
