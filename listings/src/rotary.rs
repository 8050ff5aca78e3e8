//! 旋转位置编码 RoPE（Su 2021 式 13 到 16）。
//!
//! 最后两轴是 `(seq, head_dim)`，前面可以有任意多轴；位置用 `i64`，方向是逆时针。
//!
//! ```
//! use posenc::rotary::{PairLayout, rotate_vector};
//! let turned = rotate_vector(ndarray::aview1(&[1.0, 0.0]), 1, 10000.0, PairLayout::Adjacent)?;
//! assert!((turned[0] - 1.0_f64.cos()).abs() < 1e-15);
//! assert!((turned[1] - 1.0_f64.sin()).abs() < 1e-15);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Result, at_least, finite_positive, same_size};
use crate::frequency::{check_width, frequencies};
use ndarray::{
    Array, Array1, Array2, ArrayView, ArrayView1, ArrayViewMut, Axis, Dimension,
    RemoveAxis,
};

/// 一对分量的旋转，逆时针。
pub const EQ_ROTATE_PAIR: &str = r"\begin{pmatrix} y_{2i} \\ y_{2i+1} \end{pmatrix} = \begin{pmatrix} \cos(n\,\theta_i) & -\sin(n\,\theta_i) \\ \sin(n\,\theta_i) & \cos(n\,\theta_i) \end{pmatrix} \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}";
/// 相对性：旋转后的分数只看查询、键和偏移（Su 2021 式 16）。
pub const EQ_RELATIVE: &str =
    r"(R_m\,\mathbf q)^\top (R_n\,\mathbf k) = \mathbf q^\top R_{n-m}\,\mathbf k";

/// 哪两个分量组成一对。两种都有人用，混用不会报错只会算错，所以没有默认值。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairLayout {
    /// 相邻配对 `(2i, 2i+1)`：RoFormer、GPT-J、Meta 的 Llama 代码、讲稿。
    Adjacent,
    /// 前后对半 `(i, i + rotary_dim/2)`：GPT-NeoX、Hugging Face 的 Llama。
    HalfSplit,
}

impl PairLayout {
    /// 第 `pair` 对的两个下标。
    fn indices(self, pair: usize, pairs: usize) -> (usize, usize) {
        match self {
            Self::Adjacent => (2 * pair, 2 * pair + 1),
            Self::HalfSplit => (pair, pairs + pair),
        }
    }
}

// ANCHOR: rotate_vector
/// 把一个向量的每一对按位置 `position` 逆时针转 `position·θ_i`；输入输出形状都是 `(head_dim,)`。
///
/// # Errors
/// `head_dim` 为零或奇数；`base` 不是大于 1 的有限数。
pub fn rotate_vector(
    x: ArrayView1<f64>,
    position: i64,
    base: f64,
    layout: PairLayout,
) -> Result<Array1<f64>> {
    let theta = frequencies(x.len(), base)?;
    let mut y = x.to_owned();
    for (i, theta) in theta.iter().enumerate() {
        let (a, b) = layout.indices(i, x.len() / 2);
        let (sin, cos) = (position as f64 * theta).sin_cos();
        y[a] = x[a] * cos - x[b] * sin;
        y[b] = x[a] * sin + x[b] * cos;
    }
    Ok(y)
}
// ANCHOR_END: rotate_vector

/// 旋转矩阵 `R_n`，形状 `(head_dim, head_dim)`，分块对角（Su 2021 式 15）。
///
/// # Errors
/// 与 [`frequencies`] 相同。
pub fn rotation_matrix(
    head_dim: usize,
    position: i64,
    base: f64,
    layout: PairLayout,
) -> Result<Array2<f64>> {
    let theta = frequencies(head_dim, base)?;
    let mut matrix = Array2::zeros((head_dim, head_dim));
    for (i, theta) in theta.iter().enumerate() {
        let (a, b) = layout.indices(i, head_dim / 2);
        let (sin, cos) = (position as f64 * theta).sin_cos();
        matrix[[a, a]] = cos;
        matrix[[a, b]] = -sin;
        matrix[[b, a]] = sin;
        matrix[[b, b]] = cos;
    }
    Ok(matrix)
}

// ANCHOR: rotary
/// 一个准备好的旋转：频率表、头宽、配对方式。没有隐藏的位置，也没有缓存。
#[derive(Debug, Clone, PartialEq)]
pub struct Rotary {
    frequencies: Array1<f64>,
    head_dim: usize,
    layout: PairLayout,
}

impl Rotary {
    /// 整个头都旋转。
    ///
    /// # Errors
    /// `head_dim` 为零或奇数；`base` 不是大于 1 的有限数。
    pub fn new(head_dim: usize, base: f64, layout: PairLayout) -> Result<Self> {
        Self::with_frequencies(head_dim, frequencies(head_dim, base)?, layout)
    }

    /// 旋转 `x`：形状 `(…, seq, head_dim)`，`positions` 是 `(seq,)`；返回同形的新数组。
    ///
    /// # Errors
    /// 最后一轴不是 `head_dim`，倒数第二轴不是 `positions` 的长度，或数组少于两轴。
    pub fn rotate<D: Dimension + RemoveAxis>(
        &self,
        x: ArrayView<f64, D>,
        positions: &[i64],
    ) -> Result<Array<f64, D>> {
        let mut y = x.to_owned();
        self.rotate_inplace(y.view_mut(), positions)?;
        Ok(y)
    }
}
// ANCHOR_END: rotary

impl Rotary {
    /// 只旋转前 `2·frequencies.len()` 个分量，其余原样（部分旋转）。
    ///
    /// # Errors
    /// 频率表为空、有非正的频率，或旋转宽度超过 `head_dim`。
    pub fn with_frequencies(
        head_dim: usize,
        frequencies: Array1<f64>,
        layout: PairLayout,
    ) -> Result<Self> {
        at_least("rotary_dim", 2 * frequencies.len(), 2)?;
        at_least("head_dim", head_dim, 2 * frequencies.len())?;
        for &theta in &frequencies {
            finite_positive("frequency", theta)?;
        }
        Ok(Self {
            frequencies,
            head_dim,
            layout,
        })
    }

    /// 部分旋转：频率表按旋转宽度 `rotary_dim` 计算（GPT-NeoX、Phi、GLM）。
    ///
    /// # Errors
    /// `rotary_dim` 为零、奇数或超过 `head_dim`；`base` 不是大于 1 的有限数。
    pub fn partial(
        head_dim: usize,
        rotary_dim: usize,
        base: f64,
        layout: PairLayout,
    ) -> Result<Self> {
        check_width("rotary_dim", rotary_dim)?;
        Self::with_frequencies(head_dim, frequencies(rotary_dim, base)?, layout)
    }

    /// 频率表，形状 `(rotary_dim/2,)`。
    pub fn frequencies(&self) -> ArrayView1<'_, f64> {
        self.frequencies.view()
    }

    /// 就地旋转，规则与 [`Rotary::rotate`] 相同。
    ///
    /// # Errors
    /// 与 [`Rotary::rotate`] 相同；出错时 `x` 不变。
    pub fn rotate_inplace<D: Dimension + RemoveAxis>(
        &self,
        mut x: ArrayViewMut<f64, D>,
        positions: &[i64],
    ) -> Result<()> {
        let axes = x.ndim();
        at_least("axes", axes, 2)?;
        same_size("head_dim", self.head_dim, x.len_of(Axis(axes - 1)))?;
        same_size("seq", positions.len(), x.len_of(Axis(axes - 2)))?;
        let pairs = self.frequencies.len();
        for (seq, &position) in positions.iter().enumerate() {
            let mut slice = x.index_axis_mut(Axis(axes - 2), seq);
            for mut lane in slice.lanes_mut(Axis(axes - 2)) {
                for (i, theta) in self.frequencies.iter().enumerate() {
                    let (sin, cos) = (position as f64 * theta).sin_cos();
                    let (a, b) = self.layout.indices(i, pairs);
                    let (left, right) = (lane[a], lane[b]);
                    lane[a] = left * cos - right * sin;
                    lane[b] = left * sin + right * cos;
                }
            }
        }
        Ok(())
    }
}

// ANCHOR: layouts
/// 把相邻配对的向量改排成前后对半：`[x0, x1, x2, x3]` 变成 `[x0, x2, x1, x3]`。
///
/// # Errors
/// 长度为零或奇数。
pub fn adjacent_to_half_split(x: ArrayView1<f64>) -> Result<Array1<f64>> {
    check_width("head_dim", x.len())?;
    let pairs = x.len() / 2;
    Ok(Array1::from_shape_fn(x.len(), |j| {
        x[if j < pairs {
            2 * j
        } else {
            2 * (j - pairs) + 1
        }]
    }))
}

/// [`adjacent_to_half_split`] 的逆。
///
/// # Errors
/// 长度为零或奇数。
pub fn half_split_to_adjacent(x: ArrayView1<f64>) -> Result<Array1<f64>> {
    check_width("head_dim", x.len())?;
    let pairs = x.len() / 2;
    Ok(Array1::from_shape_fn(x.len(), |j| {
        x[j / 2 + (j % 2) * pairs]
    }))
}
// ANCHOR_END: layouts

/// 两个向量的点积。
///
/// # Errors
/// 长度不同。
pub fn dot(q: ArrayView1<f64>, k: ArrayView1<f64>) -> Result<f64> {
    same_size("key", q.len(), k.len())?;
    Ok(q.dot(&k))
}
