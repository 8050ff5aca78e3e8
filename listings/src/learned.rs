//! 可学习位置嵌入：一张参数表，第 `n` 行就是位置 `n` 的向量（Devlin 2018 第三章）。

use crate::error::{Error, Result, at_least, checked_add};
use ndarray::{Array2, ArrayView1, ArrayView2, Axis, s};

/// 可学习位置嵌入就是查表。
pub const EQ_LOOKUP: &str = r"\mathbf x_n = \mathbf e_n + E_n, \qquad 0 \le n < N";

// ANCHOR: learned
/// 可学习的位置表，形状 `(rows, width)`。位置从 0 开始，没有隐藏的偏移。
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedTable {
    rows: Array2<f64>,
}

impl LearnedTable {
    /// 用训练好的参数建表。
    ///
    /// # Errors
    /// 表没有行或没有列。
    pub fn new(rows: Array2<f64>) -> Result<Self> {
        at_least("rows", rows.nrows(), 1)?;
        at_least("width", rows.ncols(), 1)?;
        Ok(Self { rows })
    }

    /// 位置 `position` 的向量，形状 `(width,)`。
    ///
    /// # Errors
    /// `position` 越过了表的末尾：没有参数，就没有答案。
    pub fn row(&self, position: usize) -> Result<ArrayView1<'_, f64>> {
        if position < self.capacity() {
            Ok(self.rows.row(position))
        } else {
            Err(Error::PositionOutOfTable {
                position,
                rows: self.capacity(),
            })
        }
    }

    /// 位置 `start..start + len` 的向量，形状 `(len, width)`。
    ///
    /// # Errors
    /// `start + len` 溢出，或最后一个位置越界。
    pub fn range(&self, start: usize, len: usize) -> Result<ArrayView2<'_, f64>> {
        let end = checked_add("start + len", start, len)?;
        if end > self.capacity() {
            return Err(Error::PositionOutOfTable {
                position: end - 1,
                rows: self.capacity(),
            });
        }
        Ok(self.rows.slice(s![start..end, ..]))
    }

    /// 表能容纳多少个位置。
    pub fn capacity(&self) -> usize {
        self.rows.nrows()
    }
}
// ANCHOR_END: learned

impl LearnedTable {
    /// 参数的个数 `rows × width`。
    pub fn parameters(&self) -> usize {
        self.rows.len()
    }

    /// 整张表，形状 `(rows, width)`。
    pub fn rows(&self) -> ArrayView2<'_, f64> {
        self.rows.view()
    }

    // ANCHOR: extend
    /// 把旧表的行从头循环复制，直到新表有 `rows` 行（Longformer 的做法）。
    ///
    /// # Errors
    /// `rows` 小于原来的行数。
    pub fn extend_by_copy(&self, rows: usize) -> Result<Self> {
        at_least("rows", rows, self.capacity())?;
        let order: Vec<usize> = (0..rows).map(|n| n % self.capacity()).collect();
        Ok(Self {
            rows: self.rows.select(Axis(0), &order),
        })
    }
    // ANCHOR_END: extend
}
