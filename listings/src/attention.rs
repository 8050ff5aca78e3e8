//! 缩放点积注意力：分数、掩码、softmax、加权平均（Vaswani 2017 式 1）。
//!
//! 形状约定：一句话是 `(seq, width)`，一行一个词元；`query` 是 `(queries, head_dim)`，
//! `key` 是 `(keys, head_dim)`，`value` 是 `(keys, value_dim)`。
//!
//! ```
//! use posenc::attention::{Mask, attend};
//! let x = ndarray::array![[1.0, 0.0], [0.0, 1.0]];
//! let attended = attend(x.view(), x.view(), x.view(), Mask::Causal)?;
//! assert_eq!(attended.weights.row(0).to_vec(), [1.0, 0.0]);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Error, Result, at_least, finite, named, same_size};
use crate::rng::LegacyRandom;
use ndarray::{Array2, ArrayView2, ArrayViewMut1, ArrayViewMut2, Axis};
use std::str::FromStr;

/// 缩放点积注意力（Vaswani 2017 式 1）。
pub const EQ_ATTENTION: &str =
    r"\operatorname{Attn}(X) = \sigma\!\left(\frac{QK^\top}{\sqrt{d_h}}\right)V";

/// 查询、键、值都是嵌入乘一个权重矩阵。
pub const EQ_PROJECTIONS: &str = r"Q = XW_Q, \quad K = XW_K, \quad V = XW_V";

/// softmax 的定义，逐行。
pub const EQ_SOFTMAX: &str = r"\sigma(s)_ j = \frac{e^{s_j}}{\sum_k e^{s_k}}";

/// 哪些键看得见。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mask {
    /// 全部看得见（编码器）。
    None,
    /// 因果掩码：只看自己和前面（解码器）。查询比键少时，查询对齐到末尾。
    Causal,
}

impl FromStr for Mask {
    type Err = Error;

    /// 名字是 `none`、`causal`。
    fn from_str(name: &str) -> Result<Self> {
        let known = [("none", Self::None), ("causal", Self::Causal)];
        named("掩码", name, &known, "none、causal")
    }
}

// ANCHOR: softmax
/// 把一行分数变成非负、和为 1 的权重；先减最大值，免得 `exp` 溢出。
///
/// 被遮住的分数写成负无穷。一行至少要有一个有限的分数。
fn softmax_row(mut row: ArrayViewMut1<f64>) {
    let max = row.fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    row.mapv_inplace(|score| (score - max).exp());
    let sum = row.sum();
    row.mapv_inplace(|weight| weight / sum);
}
// ANCHOR_END: softmax

/// 逐行 softmax，形状不变；没有行时得到空的结果。
///
/// # Errors
/// 没有列；某个分数是 NaN 或正无穷；某一行全被遮住（全是负无穷）。
pub fn softmax_rows(scores: ArrayView2<f64>) -> Result<Array2<f64>> {
    let mut weights = scores.to_owned();
    softmax_rows_inplace(weights.view_mut())?;
    Ok(weights)
}

/// [`softmax_rows`] 的就地版本。
///
/// # Errors
/// 与 [`softmax_rows`] 相同；出错时 `scores` 不变。
pub fn softmax_rows_inplace(mut scores: ArrayViewMut2<f64>) -> Result<()> {
    at_least("keys", scores.ncols(), 1)?;
    for row in scores.rows() {
        for &score in row {
            if score != f64::NEG_INFINITY {
                finite("score", score)?;
            }
        }
        if row.iter().all(|&score| score == f64::NEG_INFINITY) {
            return Err(Error::BadNumber {
                name: "score",
                value: f64::NEG_INFINITY,
                rule: "一行里至少要有一个键没被遮住",
            });
        }
    }
    scores.rows_mut().into_iter().for_each(softmax_row);
    Ok(())
}

// ANCHOR: attention
/// 注意力的输出与权重。
#[derive(Debug, Clone, PartialEq)]
pub struct Attended {
    /// 输出，形状 `(queries, value_dim)`。
    pub output: Array2<f64>,
    /// 权重，形状 `(queries, keys)`，每行和为 1。
    pub weights: Array2<f64>,
}

/// 缩放点积注意力：分数除以 `√head_dim`，遮住，softmax，加权平均。
///
/// # Errors
/// 形状对不上；没有键；因果掩码下查询多于键；分数或 `value` 里有 NaN 或无穷。
pub fn attend(
    query: ArrayView2<f64>,
    key: ArrayView2<f64>,
    value: ArrayView2<f64>,
    mask: Mask,
) -> Result<Attended> {
    let mut scores = scaled_scores(query, key)?;
    same_size("value", key.nrows(), value.nrows())?;
    value
        .iter()
        .try_for_each(|&v| finite("value", v).map(drop))?;
    if mask == Mask::Causal {
        hide_future(&mut scores)?;
    }
    let weights = softmax_rows(scores.view())?;
    Ok(Attended {
        output: weights.dot(&value),
        weights,
    })
}
// ANCHOR_END: attention

/// 缩放后的分数 `query · keyᵀ / √head_dim`，形状 `(queries, keys)`。
///
/// # Errors
/// 头宽为零或两边不等；没有键；某个分数不是有限数（输入有 NaN、无穷，或者太大）。
pub fn scaled_scores(
    query: ArrayView2<f64>,
    key: ArrayView2<f64>,
) -> Result<Array2<f64>> {
    at_least("head_dim", query.ncols(), 1)?;
    same_size("key", query.ncols(), key.ncols())?;
    at_least("keys", key.nrows(), 1)?;
    let scores = query.dot(&key.t()) / (query.ncols() as f64).sqrt();
    scores
        .iter()
        .try_for_each(|&s| finite("score", s).map(drop))?;
    Ok(scores)
}

fn hide_future(scores: &mut Array2<f64>) -> Result<()> {
    let (queries, keys) = scores.dim();
    if queries > keys {
        return Err(Error::TooLarge {
            name: "queries",
            value: queries,
            max: keys,
        });
    }
    for ((m, n), score) in scores.indexed_iter_mut() {
        if n > m + (keys - queries) {
            *score = f64::NEG_INFINITY;
        }
    }
    Ok(())
}

// ANCHOR: self_attention
/// 一个没有位置信息的自注意力头：三个权重矩阵，形状都是 `(width, head_dim)`。
#[derive(Debug, Clone, PartialEq)]
pub struct SelfAttention {
    /// 查询的权重。
    pub w_query: Array2<f64>,
    /// 键的权重。
    pub w_key: Array2<f64>,
    /// 值的权重。
    pub w_value: Array2<f64>,
}

impl SelfAttention {
    /// 讲稿第一段代码的权重：`np.random.seed(seed)`，三次 `randn(width, head_dim) * 0.5`。
    ///
    /// # Panics
    /// 与 [`LegacyRandom::normal_matrix`] 相同。
    pub fn seeded(seed: u32, width: usize, head_dim: usize) -> Self {
        let mut random = LegacyRandom::new(seed);
        let mut draw = || random.normal_matrix(width, head_dim) * 0.5;
        Self {
            w_query: draw(),
            w_key: draw(),
            w_value: draw(),
        }
    }

    /// `x` 的形状是 `(seq, width)`；输出 `(seq, head_dim)`。
    ///
    /// # Errors
    /// `x` 的列数不是 `width`，三个权重的形状对不上，`x` 没有行，或数值不是有限数。
    pub fn forward(&self, x: ArrayView2<f64>, mask: Mask) -> Result<Attended> {
        for weight in [&self.w_query, &self.w_key, &self.w_value] {
            same_size("x", weight.nrows(), x.ncols())?;
        }
        let (query, key, value) = (
            x.dot(&self.w_query),
            x.dot(&self.w_key),
            x.dot(&self.w_value),
        );
        attend(query.view(), key.view(), value.view(), mask)
    }
}
// ANCHOR_END: self_attention

// ANCHOR: permute
/// 把 `x` 的行按 `order` 重排：新的第 `r` 行是旧的第 `order[r]` 行（左乘置换矩阵）。
///
/// # Errors
/// `order` 的长度不是行数，或者它不是 `0..rows` 的一个排列。
pub fn permute_rows(x: ArrayView2<f64>, order: &[usize]) -> Result<Array2<f64>> {
    same_size("order", x.nrows(), order.len())?;
    let mut seen = vec![false; order.len()];
    for &row in order {
        match seen.get_mut(row) {
            Some(flag) if !*flag => *flag = true,
            Some(_) => {
                return Err(Error::BadData(format!(
                    "行号 {row} 出现了两次，不是一个排列"
                )));
            }
            None => {
                return Err(Error::PositionOutOfTable {
                    position: row,
                    rows: x.nrows(),
                });
            }
        }
    }
    Ok(x.select(Axis(0), order))
}
// ANCHOR_END: permute

/// 两个同形矩阵逐元素之差的最大绝对值。
///
/// # Errors
/// 形状不同；任何一个元素是 NaN（NaN 不会被悄悄当成“没有差别”）。
pub fn max_abs_diff(left: ArrayView2<f64>, right: ArrayView2<f64>) -> Result<f64> {
    same_size("rows", left.nrows(), right.nrows())?;
    same_size("columns", left.ncols(), right.ncols())?;
    let mut worst = 0.0_f64;
    for (a, b) in left.iter().zip(right) {
        let diff = (a - b).abs();
        if diff.is_nan() {
            return Err(Error::BadNumber {
                name: "difference",
                value: diff,
                rule: "矩阵里不能有 NaN",
            });
        }
        worst = worst.max(diff);
    }
    Ok(worst)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sinusoidal::{ColumnLayout, sinusoidal_table};
    use approx::assert_relative_eq;
    use ndarray::{arr2, s};

    fn random(rows: usize, columns: usize, seed: u32) -> Array2<f64> {
        LegacyRandom::new(seed).normal_matrix(rows, columns)
    }

    fn close(found: &Array2<f64>, expected: &Array2<f64>, epsilon: f64) {
        assert_eq!(found.dim(), expected.dim());
        for (&a, &b) in found.iter().zip(expected) {
            assert_relative_eq!(a, b, epsilon = epsilon, max_relative = 0.0);
        }
    }

    /// 逐字翻译：分数、`e^{s_j} / Σ e^{s_k}`、加权平均，全用循环，也不减最大值。
    fn literal(
        query: &Array2<f64>,
        key: &Array2<f64>,
        value: &Array2<f64>,
        mask: Mask,
    ) -> (Array2<f64>, Array2<f64>) {
        let (queries, keys, head) = (query.nrows(), key.nrows(), query.ncols());
        let mut weights = Array2::zeros((queries, keys));
        let mut output = Array2::zeros((queries, value.ncols()));
        for m in 0..queries {
            let mut total = 0.0;
            for n in 0..keys {
                if mask == Mask::Causal && n + queries > m + keys {
                    continue;
                }
                let mut score = 0.0;
                for j in 0..head {
                    score += query[[m, j]] * key[[n, j]];
                }
                weights[[m, n]] = (score / (head as f64).sqrt()).exp();
                total += weights[[m, n]];
            }
            for n in 0..keys {
                weights[[m, n]] /= total;
                for j in 0..value.ncols() {
                    output[[m, j]] += weights[[m, n]] * value[[n, j]];
                }
            }
        }
        (output, weights)
    }

    #[test]
    fn attention_is_the_formula() -> Result<()> {
        let (key, value) = (random(5, 3, 1), random(5, 4, 2));
        for mask in [Mask::None, Mask::Causal] {
            for queries in [1, 3, 5] {
                let query = random(queries, 3, 3);
                let found = attend(query.view(), key.view(), value.view(), mask)?;
                let (output, weights) = literal(&query, &key, &value, mask);
                close(&found.output, &output, 1e-14);
                close(&found.weights, &weights, 1e-15);
            }
        }
        let scores = scaled_scores(random(2, 4, 5).view(), random(3, 4, 6).view())?;
        let plain = random(2, 4, 5).dot(&random(3, 4, 6).t());
        close(&(scores * 2.0), &plain, 1e-14);
        Ok(())
    }

    #[test]
    fn softmax_is_the_formula() -> Result<()> {
        let scores = arr2(&[[1.0, 2.0, -0.5], [f64::NEG_INFINITY, 0.0, 1.0]]);
        let weights = softmax_rows(scores.view())?;
        for (row, line) in weights.rows().into_iter().zip(scores.rows()) {
            let total: f64 = line.iter().map(|s| s.exp()).sum();
            for (&found, s) in row.iter().zip(line) {
                let wanted = s.exp() / total;
                assert_relative_eq!(found, wanted, epsilon = 1e-15, max_relative = 0.0);
            }
        }
        assert_eq!(weights[[1, 0]], 0.0);
        let huge = softmax_rows(arr2(&[[1e300, 1e300, -1e300]]).view())?;
        assert_eq!(huge, arr2(&[[0.5, 0.5, 0.0]]));
        let low = softmax_rows(arr2(&[[-1e4, -1e4]]).view())?;
        assert_eq!(low, arr2(&[[0.5, 0.5]]));
        let none = Array2::zeros((0, 3));
        assert_eq!(softmax_rows(none.view())?.dim(), (0, 3));
        Ok(())
    }

    #[test]
    fn a_causal_query_sees_itself_and_the_past() -> Result<()> {
        let x = random(4, 3, 9);
        let whole = attend(x.view(), x.view(), x.view(), Mask::Causal)?;
        for m in 0..4 {
            for n in 0..4 {
                assert_eq!(whole.weights[[m, n]] > 0.0, n <= m);
            }
        }
        let last = x.slice(s![2.., ..]);
        let tail = attend(last, x.view(), x.view(), Mask::Causal)?;
        close(
            &tail.output,
            &whole.output.slice(s![2.., ..]).to_owned(),
            1e-15,
        );
        let too_many = attend(x.view(), last, last, Mask::Causal);
        assert_eq!(
            too_many,
            Err(Error::TooLarge {
                name: "queries",
                value: 4,
                max: 2
            })
        );
        Ok(())
    }

    #[test]
    fn positions_change_the_scores() -> Result<()> {
        let words = arr2(&[
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ]);
        let other = permute_rows(words.view(), &[2, 1, 0])?;
        let raw = |x: &Array2<f64>, p: &Array2<f64>| {
            let x = x + p;
            x.dot(&x.t())
        };
        let constant = Array2::from_shape_fn((3, 4), |(n, _)| [0.0, 0.2, 0.3][n]);
        let same =
            max_abs_diff(raw(&words, &constant).view(), raw(&other, &constant).view())?;
        assert!(same < 1e-15);
        let sines = sinusoidal_table(3, 4, 10000.0, ColumnLayout::Interleaved)?;
        let (one, two) = (raw(&words, &sines), raw(&other, &sines));
        let first = arr2(&[[3.0000, 3.3817, 1.4930], [3.0000, 2.5503, 0.6037]]);
        close(
            &one.slice(s![..1, ..]).to_owned(),
            &first.slice(s![..1, ..]).to_owned(),
            5e-5,
        );
        close(
            &two.slice(s![..1, ..]).to_owned(),
            &first.slice(s![1.., ..]).to_owned(),
            5e-5,
        );
        let differs = max_abs_diff(one.view(), two.view())?;
        assert_relative_eq!(differs, 1.7786, epsilon = 5e-5, max_relative = 0.0);
        Ok(())
    }

    #[test]
    fn a_head_draws_three_matrices_from_one_stream() -> Result<()> {
        let head = SelfAttention::seeded(42, 6, 3);
        let mut random = LegacyRandom::new(42);
        for weight in [&head.w_query, &head.w_key, &head.w_value] {
            assert_eq!(*weight, random.normal_matrix(6, 3) * 0.5);
        }
        let x = super::tests::random(4, 6, 1);
        for mask in [Mask::None, Mask::Causal] {
            let found = head.forward(x.view(), mask)?;
            let [q, k, v] =
                [&head.w_query, &head.w_key, &head.w_value].map(|w| x.dot(w));
            let (output, _) = literal(&q, &k, &v, mask);
            close(&found.output, &output, 1e-14);
        }
        Ok(())
    }

    #[test]
    fn shapes_that_do_not_fit() {
        let x = |rows, columns| Array2::<f64>::zeros((rows, columns));
        let try_attend = |q: (usize, usize), k: (usize, usize), v: (usize, usize)| {
            let (q, k, v) = (x(q.0, q.1), x(k.0, k.1), x(v.0, v.1));
            attend(q.view(), k.view(), v.view(), Mask::None)
        };
        let name = |result: Result<Attended>| match result {
            Err(Error::Shape { name, .. } | Error::TooSmall { name, .. }) => name,
            other => panic!("{other:?}"),
        };
        assert_eq!(name(try_attend((2, 3), (4, 2), (4, 1))), "key");
        assert_eq!(name(try_attend((2, 3), (4, 3), (3, 1))), "value");
        assert_eq!(name(try_attend((2, 0), (4, 0), (4, 1))), "head_dim");
        assert_eq!(name(try_attend((2, 3), (0, 3), (0, 1))), "keys");
        let empty = try_attend((0, 3), (4, 3), (4, 1));
        assert_eq!(empty.map(|a| a.output.dim()), Ok((0, 1)));
        let mut head = SelfAttention::seeded(1, 4, 2);
        assert_eq!(name(head.forward(x(3, 5).view(), Mask::None)), "x");
        assert_eq!(name(head.forward(x(0, 4).view(), Mask::None)), "keys");
        head.w_value = x(5, 2);
        assert_eq!(name(head.forward(x(3, 4).view(), Mask::None)), "x");
        assert_eq!(
            name(SelfAttention::seeded(1, 4, 0).forward(x(3, 4).view(), Mask::None)),
            "head_dim"
        );
    }

    #[test]
    fn numbers_that_are_refused() {
        let bad = |result: Result<()>, wanted: &str| match result {
            Err(Error::BadNumber { name, .. }) => assert_eq!(name, wanted),
            other => panic!("{other:?}"),
        };
        let one = arr2(&[[1.0, 1.0]]);
        let minus = f64::NEG_INFINITY;
        for value in [f64::NAN, f64::INFINITY, minus] {
            let odd = arr2(&[[1.0, value]]);
            for (q, k, v, name) in [
                (&odd, &one, &one, "score"),
                (&one, &odd, &one, "score"),
                (&one, &one, &odd, "value"),
            ] {
                let result = attend(q.view(), k.view(), v.view(), Mask::None);
                bad(result.map(drop), name);
            }
            if value != minus {
                bad(softmax_rows(odd.view()).map(drop), "score");
            }
        }
        let large = arr2(&[[1e200, 1e200]]);
        let small = arr2(&[[-1e200, -1e200]]);
        bad(scaled_scores(large.view(), small.view()).map(drop), "score");
        let mut hidden = arr2(&[[1.0, 2.0], [minus, minus]]);
        bad(softmax_rows_inplace(hidden.view_mut()), "score");
        assert_eq!(hidden.row(0).to_vec(), [1.0, 2.0]);
        let none = Array2::zeros((2, 0));
        assert!(matches!(
            softmax_rows(none.view()),
            Err(Error::TooSmall { name: "keys", .. })
        ));
    }

    #[test]
    fn rows_are_permuted() -> Result<()> {
        let x = random(3, 2, 4);
        let y = permute_rows(x.view(), &[2, 0, 1])?;
        assert_eq!(y.row(0), x.row(2));
        assert_eq!(y.row(1), x.row(0));
        assert_eq!(y.row(2), x.row(1));
        assert!(matches!(
            permute_rows(x.view(), &[0, 1]),
            Err(Error::Shape {
                expected: 3,
                found: 2,
                ..
            })
        ));
        assert_eq!(
            permute_rows(x.view(), &[0, 1, 3]),
            Err(Error::PositionOutOfTable {
                position: 3,
                rows: 3
            })
        );
        let twice = permute_rows(x.view(), &[0, 1, 1]).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "数据不合格式：行号 1 出现了两次，不是一个排列"
        );
        Ok(())
    }

    #[test]
    fn differences() -> Result<()> {
        let (a, b) = (arr2(&[[1.0, -2.0]]), arr2(&[[1.5, 1.0]]));
        assert_eq!(max_abs_diff(a.view(), b.view())?, 3.0);
        assert_eq!(max_abs_diff(a.view(), a.view())?, 0.0);
        let tall = arr2(&[[1.0], [2.0]]);
        let wide = arr2(&[[1.0, 2.0, 3.0]]);
        for (other, wanted) in [(&tall, "rows"), (&wide, "columns")] {
            match max_abs_diff(a.view(), other.view()) {
                Err(Error::Shape { name, .. }) => assert_eq!(name, wanted),
                result => panic!("{result:?}"),
            }
        }
        let nan = arr2(&[[f64::NAN, 0.0]]);
        let infinite = arr2(&[[f64::INFINITY, 0.0]]);
        for (left, right) in [(&a, &nan), (&infinite, &infinite)] {
            let result = max_abs_diff(left.view(), right.view());
            assert!(matches!(result, Err(Error::BadNumber { .. })));
        }
        Ok(())
    }

    #[test]
    fn names() {
        assert_eq!("none".parse(), Ok(Mask::None));
        assert_eq!("causal".parse(), Ok(Mask::Causal));
        assert_eq!(
            "full".parse::<Mask>().unwrap_err().to_string(),
            "不认识的掩码“full”，只接受：none、causal"
        );
    }
}
