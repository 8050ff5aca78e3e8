//! 可学习位置嵌入：一张参数表，第 `n` 行就是位置 `n` 的向量（Devlin 2018 第三章）。
//!
//! ```
//! use posenc::learned::LearnedTable;
//! let table = LearnedTable::new(ndarray::array![[0.1, 0.2], [0.3, 0.4]])?;
//! assert_eq!(table.row(1)?.to_vec(), [0.3, 0.4]);
//! assert!(table.row(2).is_err());
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Error, Result, at_least, checked_add, finite, room, same_size};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};

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
    /// 表没有行或没有列；某个参数不是有限数。
    pub fn new(rows: Array2<f64>) -> Result<Self> {
        at_least("rows", rows.nrows(), 1)?;
        at_least("width", rows.ncols(), 1)?;
        for &value in &rows {
            finite("parameter", value)?;
        }
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
                position: start.max(end - 1),
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

    /// 每个位置的向量有多少个分量。
    pub fn width(&self) -> usize {
        self.rows.ncols()
    }

    /// 把位置 `start..` 的向量加到 `x` 上：`x` 的形状是 `(seq, width)`，返回同形的新数组。
    ///
    /// # Errors
    /// `x` 的列数不是 `width`；`start + seq` 溢出或越过表的末尾。
    pub fn add(&self, x: ArrayView2<f64>, start: usize) -> Result<Array2<f64>> {
        let mut y = x.to_owned();
        self.add_inplace(y.view_mut(), start)?;
        Ok(y)
    }

    /// [`LearnedTable::add`] 的就地版本。
    ///
    /// # Errors
    /// 与 [`LearnedTable::add`] 相同；出错时 `x` 不变。
    pub fn add_inplace(&self, mut x: ArrayViewMut2<f64>, start: usize) -> Result<()> {
        same_size("width", self.width(), x.ncols())?;
        x += &self.range(start, x.nrows())?;
        Ok(())
    }

    // ANCHOR: extend
    /// 把旧表的行从头循环复制，直到新表有 `rows` 行（Longformer 的做法）。
    ///
    /// # Errors
    /// `rows` 小于原来的行数；新表放不进内存。
    pub fn extend_by_copy(&self, rows: usize) -> Result<Self> {
        at_least("rows", rows, self.capacity())?;
        room(rows, self.width())?;
        let order: Vec<usize> = (0..rows).map(|n| n % self.capacity()).collect();
        Ok(Self {
            rows: self.rows.select(Axis(0), &order),
        })
    }
    // ANCHOR_END: extend
}

/// RoBERTa 的行号：只数不是填充的词元，从 `padding_id + 1` 开始；填充读第 `padding_id` 行。
///
/// `ids` 是一句话的词元编号；`cached` 是缓存里已有的词元数。表要有
/// `padding_id + 1 + 词元数` 行，所以 514 行、`padding_id = 1` 的表只装得下 512 个词元。
///
/// # Errors
/// 行号溢出。
pub fn rows_after_padding(
    ids: &[i64],
    padding_id: usize,
    cached: usize,
) -> Result<Vec<usize>> {
    let first = checked_add("padding_id + cached", padding_id, cached)?;
    checked_add("first + seq", first, ids.len())?;
    let mut seen = 0;
    let row = |&id: &i64| {
        if usize::try_from(id) == Ok(padding_id) {
            return padding_id;
        }
        seen += 1;
        first + seen
    };
    Ok(ids.iter().map(row).collect())
}

/// OPT 的行号：`mask` 里 1 是词元、0 是填充，行号是 `累计词元数 − 1 + offset`，填充读 `offset − 1`。
///
/// `mask` 连缓存里的 `cached` 个词元一起给出，只返回其后的行号。表要有 `offset + 词元数` 行。
///
/// # Errors
/// `offset` 是零；`mask` 比缓存短，或含有 0、1 以外的数；行号溢出。
pub fn rows_after_offset(
    mask: &[i64],
    offset: usize,
    cached: usize,
) -> Result<Vec<usize>> {
    at_least("offset", offset, 1)?;
    at_least("mask", mask.len(), cached)?;
    checked_add("offset + seq", offset, mask.len())?;
    let mut seen = 0;
    let mut rows = Vec::new();
    for &flag in mask {
        match flag {
            0 => rows.push(offset - 1),
            1 => {
                seen += 1;
                rows.push(offset - 1 + seen);
            }
            _ => {
                return Err(Error::BadNumber {
                    name: "mask",
                    value: flag as f64,
                    rule: "掩码只能是 0 或 1",
                });
            }
        }
    }
    Ok(rows.split_off(cached))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, arr2};

    fn table(rows: usize, width: usize) -> LearnedTable {
        let value = |(n, j): (usize, usize)| (10 * n + j) as f64;
        LearnedTable::new(Array2::from_shape_fn((rows, width), value)).unwrap()
    }

    fn out_of_table(position: usize) -> Error {
        Error::PositionOutOfTable { position, rows: 4 }
    }

    /// `x_n = e_n + E_n`，逐字翻译。
    #[test]
    fn lookup_is_the_definition() -> Result<()> {
        let learned = table(4, 3);
        let x = Array2::from_shape_fn((2, 3), |(n, j)| 0.5 * (n + j) as f64);
        let added = learned.add(x.view(), 1)?;
        for n in 0..2 {
            for j in 0..3 {
                assert_eq!(added[[n, j]], x[[n, j]] + learned.rows()[[1 + n, j]]);
            }
        }
        Ok(())
    }

    #[test]
    fn edges_of_the_table() -> Result<()> {
        let learned = table(4, 3);
        assert_eq!((learned.capacity(), learned.width()), (4, 3));
        assert_eq!(learned.parameters(), 12);
        assert_eq!(learned.row(3)?, Array1::from(vec![30.0, 31.0, 32.0]));
        assert_eq!(learned.row(4), Err(out_of_table(4)));
        assert_eq!(learned.row(usize::MAX), Err(out_of_table(usize::MAX)));
        assert_eq!(learned.range(0, 4)?, learned.rows());
        assert_eq!(
            learned.range(1, 2)?,
            arr2(&[[10.0, 11.0, 12.0], [20.0, 21.0, 22.0]])
        );
        assert_eq!(learned.range(3, 2), Err(out_of_table(4)));
        assert_eq!(learned.range(0, 5), Err(out_of_table(4)));
        assert_eq!(learned.range(9, 0), Err(out_of_table(9)));
        assert_eq!(learned.range(4, 0)?.dim(), (0, 3));
        assert!(matches!(
            learned.range(usize::MAX, 1),
            Err(Error::Overflow { .. })
        ));
        Ok(())
    }

    #[test]
    fn bad_tables() {
        for empty in [Array2::zeros((0, 3)), Array2::zeros((3, 0))] {
            let result = LearnedTable::new(empty);
            assert!(matches!(result, Err(Error::TooSmall { min: 1, .. })));
        }
        for bad in [f64::NAN, f64::INFINITY] {
            let result = LearnedTable::new(arr2(&[[0.0, bad]]));
            assert!(matches!(result, Err(Error::BadNumber { .. })));
        }
    }

    #[test]
    fn an_error_leaves_the_input_alone() {
        let learned = table(4, 2);
        let mut x = Array2::ones((2, 2));
        let result = learned.add_inplace(x.view_mut(), 3);
        assert_eq!(result, Err(out_of_table(4)));
        assert_eq!(x, Array2::<f64>::ones((2, 2)));
        let wide = Array2::ones((2, 3));
        let result = learned.add(wide.view(), 0);
        assert!(matches!(
            result,
            Err(Error::Shape {
                expected: 2,
                found: 3,
                ..
            })
        ));
    }

    #[test]
    fn copied_rows_repeat() -> Result<()> {
        let long = table(3, 2).extend_by_copy(8)?;
        assert_eq!(long.capacity(), 8);
        for n in 0..8 {
            assert_eq!(long.row(n)?, table(3, 2).row(n % 3)?);
        }
        assert_eq!(table(3, 2).extend_by_copy(3)?, table(3, 2));
        let short = table(3, 2).extend_by_copy(2);
        assert!(matches!(
            short,
            Err(Error::TooSmall {
                value: 2,
                min: 3,
                ..
            })
        ));
        let huge = table(3, 2).extend_by_copy(usize::MAX);
        assert!(matches!(huge, Err(Error::OutOfMemory { .. })));
        Ok(())
    }

    #[test]
    fn padding_shifts_the_rows() -> Result<()> {
        assert_eq!(rows_after_padding(&[5, 6, 7, 1, 1], 1, 0)?, [2, 3, 4, 1, 1]);
        assert_eq!(rows_after_padding(&[1, 5, 1, 6, 7], 1, 0)?, [1, 2, 1, 3, 4]);
        assert_eq!(rows_after_padding(&[4, 4, 0], 0, 3)?, [4, 5, 0]);
        let ids = [7; 512];
        for (padding, last) in [(1, 513), (3, 515)] {
            let rows = rows_after_padding(&ids, padding, 0)?;
            assert_eq!((rows[0], rows[511]), (padding + 1, last));
        }
        for (padding, cached) in [(usize::MAX, 1), (usize::MAX - 3, 1)] {
            let result = rows_after_padding(&[-1, 2, 3], padding, cached);
            assert!(matches!(result, Err(Error::Overflow { .. })));
        }
        assert_eq!(rows_after_padding(&[-1], 0, 0)?, [1]);
        Ok(())
    }

    #[test]
    fn offset_shifts_the_rows() -> Result<()> {
        assert_eq!(rows_after_offset(&[0, 0, 1, 1], 2, 0)?, [1, 1, 2, 3]);
        assert_eq!(rows_after_offset(&[1, 0, 1, 1], 2, 1)?, [1, 3, 4]);
        assert_eq!(rows_after_offset(&[1, 1, 1, 1, 1], 2, 3)?, [5, 6]);
        assert_eq!(rows_after_offset(&[1], 1, 1)?, Vec::<usize>::new());
        for (mask, offset, cached) in [(&[1][..], 0, 0), (&[1], 2, 2)] {
            let result = rows_after_offset(mask, offset, cached);
            assert!(matches!(result, Err(Error::TooSmall { .. })));
        }
        let result = rows_after_offset(&[1, 2], 2, 0);
        assert!(matches!(result, Err(Error::BadNumber { .. })));
        let result = rows_after_offset(&[1], usize::MAX, 0);
        assert!(matches!(result, Err(Error::Overflow { .. })));
        Ok(())
    }
}
