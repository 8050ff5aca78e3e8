//! 可学习位置嵌入：一张参数表，第 `n` 行就是位置 `n` 的向量（Devlin 2018 第三章）。
//!
//! ```
//! use posenc::learned::LearnedTable;
//! let table = LearnedTable::new(ndarray::array![[0.1, 0.2], [0.3, 0.4]])?;
//! assert_eq!(table.row(1)?.to_vec(), [0.3, 0.4]);
//! assert!(table.row(2).is_err());
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{
    Error, Result, at_least, checked_add, finite, finite_positive, room, same_size,
};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};

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

    /// 表能容纳多少个位置。
    pub fn capacity(&self) -> usize {
        self.rows.nrows()
    }
}
// ANCHOR_END: learned

// ANCHOR: lookup
impl LearnedTable {
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
}
// ANCHOR_END: lookup

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
}

// ANCHOR: extend
impl LearnedTable {
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
}
// ANCHOR_END: extend

/// 查表就是独热向量乘表。
pub const EQ_ONE_HOT: &str = r"E_n = \mathbf o_n^\top E, \qquad o_{n,k} = \begin{cases} 1 & k = n \\ 0 & k \ne n \end{cases}";
/// 一行的梯度：只把落在这一行上的输入的梯度加起来。
pub const EQ_ROW_GRADIENT: &str = r"\frac{\partial \ell}{\partial E_n} = \sum_{t \,:\, n_t = n} \frac{\partial \ell}{\partial \mathbf x_t}";
/// 线性缩放：新表第 `r` 行落在旧表两行之间。
pub const EQ_RESIZE: &str = r"\hat E_r = (1-\alpha)\,E_k + \alpha\,E_{k+1}";
/// 新表的第 r 行落在旧表的哪里：整数部分与零头。
pub const EQ_RESIZE_PLACE: &str =
    r"k + \alpha = r\,\frac{N-1}{N'-1}, \qquad 0 \le \alpha < 1";
/// 权重衰减：没有梯度的一行也会每步乘一个小于一的数。
pub const EQ_DECAY: &str = r"E_n \leftarrow (1-\eta\kappa)\,E_n";

/// 照抄的表里两行相同：交换它们位置上的词元，等于交换整个输入的两行。
pub const EQ_COPY_SWAP: &str = r"P X + E' = P\,(X + E')";

// ANCHOR: one_hot
/// 独热向量 `o_n`，形状 `(rows,)`：第 `position` 个分量是 1，其余是 0。
///
/// # Errors
/// `position` 不小于 `rows`；向量放不进内存。
pub fn one_hot(position: usize, rows: usize) -> Result<Array1<f64>> {
    if position >= rows {
        return Err(Error::PositionOutOfTable { position, rows });
    }
    room(rows, 1)?;
    let mut hot = Array1::zeros(rows);
    hot[position] = 1.0;
    Ok(hot)
}
// ANCHOR_END: one_hot

// ANCHOR: resize
impl LearnedTable {
    /// 把表线性缩放到 `rows` 行：首行对首行，末行对末行，中间按比例插值。
    ///
    /// # Errors
    /// 新表或旧表少于两行：没有“中间”可言；新表放不进内存。
    pub fn resize_linear(&self, rows: usize) -> Result<Self> {
        let last = at_least("rows", self.capacity(), 2)? - 1;
        let new_last = at_least("new rows", rows, 2)? - 1;
        let width = self.rows.ncols();
        room(rows, width)?;
        let resized = Array2::from_shape_fn((rows, width), |(r, column)| {
            let (k, rest) = (r * last / new_last, r * last % new_last);
            let alpha = rest as f64 / new_last as f64;
            let next = (k + 1).min(last);
            (1.0 - alpha) * self.rows[[k, column]] + alpha * self.rows[[next, column]]
        });
        Ok(Self { rows: resized })
    }
}
// ANCHOR_END: resize

// ANCHOR: gradient
impl LearnedTable {
    /// 表的梯度，形状同表：`upstream` 的第 `t` 行加到第 `positions[t]` 行上。
    ///
    /// # Errors
    /// 行数或列数对不上；某个位置越界。
    pub fn gradient(
        &self,
        positions: &[usize],
        upstream: ArrayView2<f64>,
    ) -> Result<Array2<f64>> {
        same_size("upstream rows", positions.len(), upstream.nrows())?;
        same_size("upstream width", self.rows.ncols(), upstream.ncols())?;
        let mut gradient = Array2::zeros(self.rows.dim());
        for (&position, from_above) in positions.iter().zip(upstream.rows()) {
            self.row(position)?;
            let mut row = gradient.row_mut(position);
            row += &from_above;
        }
        Ok(gradient)
    }

    /// 走一步梯度下降：`E ← E − η·gradient`。
    ///
    /// # Errors
    /// 形状对不上；步长不是有限的正数。出错时表不变。
    pub fn step(&mut self, gradient: ArrayView2<f64>, step: f64) -> Result<()> {
        same_size("gradient rows", self.rows.nrows(), gradient.nrows())?;
        same_size("gradient width", self.rows.ncols(), gradient.ncols())?;
        finite_positive("step", step)?;
        self.rows.scaled_add(-step, &gradient);
        Ok(())
    }
}
// ANCHOR_END: gradient

#[cfg(test)]
mod additions {
    use super::*;
    use crate::rng::LegacyRandom;
    use approx::assert_abs_diff_eq;
    use ndarray::array;

    fn drawn(rows: usize, width: usize) -> LearnedTable {
        let rows = LegacyRandom::new(7).normal_matrix(rows, width);
        LearnedTable::new(rows).unwrap()
    }

    #[test]
    fn one_hot_times_the_table_is_the_row() {
        let table = drawn(5, 3);
        for n in 0..5 {
            let product = one_hot(n, 5).unwrap().dot(&table.rows());
            assert_eq!(product, table.row(n).unwrap());
        }
        assert_eq!(
            one_hot(5, 5),
            Err(Error::PositionOutOfTable {
                position: 5,
                rows: 5
            })
        );
        assert!(one_hot(0, 0).is_err());
        assert!(one_hot(0, usize::MAX).is_err());
    }

    #[test]
    fn resize_is_the_formula_and_keeps_both_ends() {
        let table = LearnedTable::new(array![[0.0, 1.0], [3.0, -1.0]]).unwrap();
        let wide = table.resize_linear(4).unwrap();
        let third = 2.0 / 3.0;
        let wanted = array![
            [0.0, 1.0],
            [1.0, 1.0 - third],
            [2.0, third - 1.0],
            [3.0, -1.0]
        ];
        for (value, want) in wide.rows().iter().zip(&wanted) {
            assert_abs_diff_eq!(*value, *want, epsilon = 1e-15);
        }
        let old = drawn(9, 4);
        let same = old.resize_linear(9).unwrap();
        assert_eq!(same, old);
        for rows in [2, 5, 17, 30] {
            let new = old.resize_linear(rows).unwrap();
            assert_eq!(new.capacity(), rows);
            assert_eq!(new.row(0).unwrap(), old.row(0).unwrap());
            assert_eq!(new.row(rows - 1).unwrap(), old.row(8).unwrap());
            for r in 0..rows {
                // 直译公式：浮点坐标，整数部分与小数部分。
                let place = r as f64 * 8.0 / (rows - 1) as f64;
                let k = (place + 1e-9).floor();
                let alpha = place - k;
                let next = (k as usize + 1).min(8);
                for column in 0..4 {
                    let want = (1.0 - alpha) * old.rows()[[k as usize, column]]
                        + alpha * old.rows()[[next, column]];
                    assert_abs_diff_eq!(new.rows()[[r, column]], want, epsilon = 1e-12);
                }
            }
        }
        assert!(old.resize_linear(1).is_err());
        assert!(old.resize_linear(0).is_err());
        assert!(old.resize_linear(usize::MAX).is_err());
        assert!(drawn(1, 4).resize_linear(3).is_err());
    }

    #[test]
    fn swapping_tokens_one_table_apart_swaps_the_inputs() {
        let long = drawn(4, 3).extend_by_copy(10).unwrap();
        let x = LegacyRandom::new(5).normal_matrix(10, 3);
        let mut order: Vec<usize> = (0..10).collect();
        order.swap(2, 6);
        let swap = |m: &Array2<f64>| m.select(Axis(0), &order);
        let left = swap(&x) + long.rows();
        assert_eq!(left, swap(&(&x + &long.rows())));
        order.swap(1, 6);
        assert_ne!(
            x.select(Axis(0), &order) + long.rows(),
            (&x + &long.rows()).select(Axis(0), &order)
        );
    }

    #[test]
    fn gradient_is_onehot_transposed_times_upstream() {
        let table = drawn(6, 3);
        let positions = [4, 0, 4, 2];
        let upstream = LegacyRandom::new(8).normal_matrix(4, 3);
        let gradient = table.gradient(&positions, upstream.view()).unwrap();
        let mut hot = Array2::zeros((4, 6));
        for (t, &n) in positions.iter().enumerate() {
            hot.row_mut(t).assign(&one_hot(n, 6).unwrap());
        }
        let wanted = hot.t().dot(&upstream);
        for (value, want) in gradient.iter().zip(&wanted) {
            assert_abs_diff_eq!(*value, *want, epsilon = 1e-14);
        }
        for untouched in [1, 3, 5] {
            assert!(gradient.row(untouched).iter().all(|&g| g == 0.0));
        }
        assert!(table.gradient(&[6], upstream.slice(s![..1, ..])).is_err());
        assert!(table.gradient(&[1], upstream.view()).is_err());
        assert!(
            table
                .gradient(&positions, Array2::zeros((4, 2)).view())
                .is_err()
        );
    }

    #[test]
    fn gradient_agrees_with_a_finite_difference() {
        // ℓ = ½ Σ_t ‖E_{n_t} − y_t‖²，上游梯度是 E_{n_t} − y_t。
        let table = drawn(3, 2);
        let positions = [2, 2, 0];
        let target = LegacyRandom::new(9).normal_matrix(3, 2);
        let loss = |table: &LearnedTable| {
            let picked = table.rows().select(Axis(0), &positions) - &target;
            picked.mapv(|x| x * x).sum() / 2.0
        };
        let upstream = table.rows().select(Axis(0), &positions) - &target;
        let gradient = table.gradient(&positions, upstream.view()).unwrap();
        for n in 0..3 {
            for column in 0..2 {
                let nudged = |h: f64| {
                    let mut rows = table.rows().to_owned();
                    rows[[n, column]] += h;
                    loss(&LearnedTable::new(rows).unwrap())
                };
                let slope = (nudged(1e-5) - nudged(-1e-5)) / 2e-5;
                assert_abs_diff_eq!(gradient[[n, column]], slope, epsilon = 1e-8);
            }
        }
    }

    #[test]
    fn a_step_goes_downhill_and_leaves_zero_rows_alone() {
        let mut table = drawn(4, 2);
        let before = table.clone();
        let gradient = array![[1.0, -2.0], [0.0, 0.0], [0.5, 0.0], [0.0, 0.0]];
        table.step(gradient.view(), 0.1).unwrap();
        let wanted = &before.rows() - &(gradient.clone() * 0.1);
        for (value, want) in table.rows().iter().zip(&wanted) {
            assert_abs_diff_eq!(*value, *want, epsilon = 1e-15);
        }
        assert_eq!(table.row(1).unwrap(), before.row(1).unwrap());
        let kept = table.clone();
        assert!(table.step(gradient.view(), 0.0).is_err());
        assert!(table.step(gradient.view(), f64::NAN).is_err());
        assert!(table.step(Array2::zeros((4, 3)).view(), 0.1).is_err());
        assert!(table.step(Array2::zeros((3, 2)).view(), 0.1).is_err());
        assert_eq!(table, kept);
    }
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
