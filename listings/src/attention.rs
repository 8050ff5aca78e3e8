//! 缩放点积注意力：分数、掩码、softmax、加权平均（Vaswani 2017 式 1）。
//!
//! 形状约定：一句话是 `(seq, width)`，一行一个词元；`query` 是 `(queries, head_dim)`，
//! `key` 是 `(keys, head_dim)`，`value` 是 `(keys, value_dim)`。

use crate::error::{Error, Result, at_least, same_size};
use crate::rng::LegacyRandom;
use ndarray::{Array2, ArrayView2, ArrayViewMut1, Axis};

/// 缩放点积注意力（Vaswani 2017 式 1）。
pub const EQ_ATTENTION: &str = r"\operatorname{Attn}(X) = \sigma\!\left(\frac{QK^\top}{\sqrt{d_h}}\right)V, \qquad Q = XW_Q,\; K = XW_K,\; V = XW_V";

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

/// 逐行 softmax，形状不变。
///
/// # Errors
/// 没有列；某个分数是 NaN 或正无穷；某一行全被遮住（全是负无穷）。
pub fn softmax_rows(scores: ArrayView2<f64>) -> Result<Array2<f64>> {
    at_least("keys", scores.ncols(), 1)?;
    for row in scores.rows() {
        for &score in row {
            if score.is_nan() || score == f64::INFINITY {
                return Err(Error::BadNumber {
                    name: "score",
                    value: score,
                    rule: "分数必须是有限数或负无穷",
                });
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
    let mut weights = scores.to_owned();
    weights.rows_mut().into_iter().for_each(softmax_row);
    Ok(weights)
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
/// 形状对不上；没有键；因果掩码下查询多于键；分数不是有限数。
pub fn attend(
    query: ArrayView2<f64>,
    key: ArrayView2<f64>,
    value: ArrayView2<f64>,
    mask: Mask,
) -> Result<Attended> {
    let mut scores = scaled_scores(query, key)?;
    same_size("value", key.nrows(), value.nrows())?;
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
/// 头宽为零或两边不等；没有键。
pub fn scaled_scores(
    query: ArrayView2<f64>,
    key: ArrayView2<f64>,
) -> Result<Array2<f64>> {
    at_least("head_dim", query.ncols(), 1)?;
    same_size("key", query.ncols(), key.ncols())?;
    at_least("keys", key.nrows(), 1)?;
    Ok(query.dot(&key.t()) / (query.ncols() as f64).sqrt())
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
    /// `x` 的列数不是 `width`，或 `x` 没有行，或数值不是有限数。
    pub fn forward(&self, x: ArrayView2<f64>, mask: Mask) -> Result<Attended> {
        same_size("x", self.w_query.nrows(), x.ncols())?;
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
