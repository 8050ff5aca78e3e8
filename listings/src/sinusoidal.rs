//! 正弦位置编码（Vaswani 2017 第三章第五节）。
//!
//! 表的形状是 `(positions, width)`，一行一个位置。
//!
//! ```
//! use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};
//! let table = sinusoidal_table(2, 8, 10000.0, ColumnLayout::Interleaved)?;
//! assert!((table[[1, 0]] - 1.0_f64.sin()).abs() < 1e-15);
//! assert!((table[[1, 3]] - 0.1_f64.cos()).abs() < 1e-15);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Error, Result, checked_add, finite_positive};
use crate::frequency::{check_width, frequencies};
use ndarray::{Array1, Array2, ArrayView1};

/// 偶数列是正弦（Vaswani 2017 第三章第五节）。
pub const EQ_SIN: &str = r"p_{n,2i} = \sin(n\,\theta_i)";
/// 奇数列是余弦（Vaswani 2017 第三章第五节）。
pub const EQ_COS: &str = r"p_{n,2i+1} = \cos(n\,\theta_i)";

/// 一对里的正弦和余弦放在哪两列。三种都有人用，所以没有默认值。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnLayout {
    /// 交错：第 `2i` 列是正弦，第 `2i+1` 列是余弦（论文、讲稿）。
    Interleaved,
    /// 前一半正弦，后一半余弦（tensor2tensor、fairseq）。
    SinCos,
    /// 前一半余弦，后一半正弦（MusicGen、diffusers 的 flip_sin_to_cos）。
    CosSin,
}

impl ColumnLayout {
    /// 第 `pair` 对的（正弦列，余弦列）。
    fn columns(self, pair: usize, pairs: usize) -> (usize, usize) {
        match self {
            Self::Interleaved => (2 * pair, 2 * pair + 1),
            Self::SinCos => (pair, pairs + pair),
            Self::CosSin => (pairs + pair, pair),
        }
    }
}

// ANCHOR: table
/// 正弦位置编码表，位置 `0..seq_len`，形状 `(seq_len, width)`。
///
/// # Errors
/// `width` 为零或奇数；`base` 不是大于 1 的有限数。
pub fn sinusoidal_table(
    seq_len: usize,
    width: usize,
    base: f64,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    let theta = frequencies(width, base)?;
    let mut table = Array2::zeros((seq_len, width));
    for ((n, i), angle) in angles(seq_len, &theta).indexed_iter() {
        let (sin_column, cos_column) = layout.columns(i, theta.len());
        table[[n, sin_column]] = angle.sin();
        table[[n, cos_column]] = angle.cos();
    }
    Ok(table)
}

/// 角度 `n·θ_i`，形状 `(seq_len, pairs)`，单位：弧度。
fn angles(seq_len: usize, theta: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((seq_len, theta.len()), |(n, i)| n as f64 * theta[i])
}
// ANCHOR_END: table

/// 平移矩阵：一对一个二维旋转块。
pub const EQ_SHIFT: &str = r"\mathbf p_{n+\Delta} = M_\Delta\, \mathbf p_n";
/// 平移矩阵的一块，作用在（正弦，余弦）上。
pub const EQ_SHIFT_BLOCK: &str = r"\begin{pmatrix} \sin((n+\Delta)\theta_i) \\ \cos((n+\Delta)\theta_i) \end{pmatrix} = \begin{pmatrix} \cos(\Delta\theta_i) & \sin(\Delta\theta_i) \\ -\sin(\Delta\theta_i) & \cos(\Delta\theta_i) \end{pmatrix} \begin{pmatrix} \sin(n\,\theta_i) \\ \cos(n\,\theta_i) \end{pmatrix}";
/// 核：两个位置的内积只看偏移。
pub const EQ_KERNEL: &str = r"g(\Delta) = \mathbf p_n \cdot \mathbf p_{n+\Delta} = \sum_{i=0}^{d/2-1} \cos(\Delta\,\theta_i)";
/// 范数：每一行都一样长。
pub const EQ_NORM: &str = r"\lVert \mathbf p_n \rVert^2 = \sum_{i=0}^{d/2-1} \left( \sin^2(n\,\theta_i) + \cos^2(n\,\theta_i) \right) = \frac{d}{2}";

// ANCHOR: shift
/// 平移矩阵 `M_Δ`，形状 `(width, width)`，交错排列：`M_Δ · p_n = p_{n+Δ}` 对每个 `n` 成立。
///
/// # Errors
/// 与 [`frequencies`] 相同。
pub fn shift_matrix(width: usize, base: f64, offset: i64) -> Result<Array2<f64>> {
    let theta = frequencies(width, base)?;
    let mut matrix = Array2::zeros((width, width));
    for (i, &theta) in theta.iter().enumerate() {
        let (sin, cos) = (offset as f64 * theta).sin_cos();
        let (s, c) = (2 * i, 2 * i + 1);
        matrix[[s, s]] = cos;
        matrix[[s, c]] = sin;
        matrix[[c, s]] = -sin;
        matrix[[c, c]] = cos;
    }
    Ok(matrix)
}
// ANCHOR_END: shift

// ANCHOR: kernel
/// 核 `g(Δ) = Σ cos(Δ·θ_i)`：两个位置的编码的内积，只与偏移有关。
pub fn kernel(theta: ArrayView1<f64>, offset: i64) -> f64 {
    theta
        .iter()
        .map(|theta| (offset as f64 * theta).cos())
        .sum()
}
// ANCHOR_END: kernel

/// 在位置 `start..start + len` 上、按给定频率表算出的编码，形状 `(len, 2·pairs)`。
///
/// # Errors
/// 频率表为空或有非正的频率；`start + len` 溢出。
pub fn table_with_frequencies(
    start: usize,
    len: usize,
    theta: ArrayView1<f64>,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    checked_add("start + len", start, len)?;
    let positions = Array1::from_shape_fn(len, |n| (start + n) as f64);
    rows_at(positions.view(), theta, layout)
}

/// 在任意（也可以不是整数的）位置上算出的编码，形状 `(positions, 2·pairs)`。
///
/// # Errors
/// 频率表为空或有非正的频率；某个位置不是有限数。
pub fn rows_at(
    positions: ArrayView1<f64>,
    theta: ArrayView1<f64>,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    check_width("width", 2 * theta.len())?;
    for &theta in theta {
        finite_positive("frequency", theta)?;
    }
    let mut table = Array2::zeros((positions.len(), 2 * theta.len()));
    for (n, &position) in positions.iter().enumerate() {
        if !position.is_finite() {
            return Err(Error::BadNumber {
                name: "position",
                value: position,
                rule: "位置必须是有限数",
            });
        }
        for (i, &theta_i) in theta.iter().enumerate() {
            let (sin_column, cos_column) = layout.columns(i, theta.len());
            let (sin, cos) = (position * theta_i).sin_cos();
            table[[n, sin_column]] = sin;
            table[[n, cos_column]] = cos;
        }
    }
    Ok(table)
}
