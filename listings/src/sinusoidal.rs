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
//!
//! 宽度是奇数时各家做法不同，本库不替人选：要么报错，要么用 [`OddWidth`] 点名要哪一种。

use crate::error::{
    Error, Result, at_least, checked_add, exact, exact_index, finite, named, room,
    same_size,
};
use crate::frequency::{check_base, check_frequencies, check_width, frequencies};
use ndarray::{
    Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, concatenate,
};
use std::str::FromStr;

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

impl FromStr for ColumnLayout {
    type Err = Error;

    /// 名字是 `interleaved`、`sin-cos`、`cos-sin`。
    fn from_str(name: &str) -> Result<Self> {
        let known = [
            ("interleaved", Self::Interleaved),
            ("sin-cos", Self::SinCos),
            ("cos-sin", Self::CosSin),
        ];
        named("列排列", name, &known, "interleaved、sin-cos、cos-sin")
    }
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
/// `width` 为零或奇数；`base` 不是大于 1 的有限数；表放不进内存。
pub fn sinusoidal_table(
    seq_len: usize,
    width: usize,
    base: f64,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    room(seq_len, width)?;
    let theta = frequencies(width, base)?;
    let mut table = Array2::zeros((seq_len, width));
    for (n, mut row) in table.rows_mut().into_iter().enumerate() {
        for (i, theta_i) in theta.iter().enumerate() {
            let (sin_column, cos_column) = layout.columns(i, theta.len());
            let angle = n as f64 * theta_i;
            row[sin_column] = angle.sin();
            row[cos_column] = angle.cos();
        }
    }
    Ok(table)
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
/// 与 [`frequencies`] 相同；偏移超过 2^53；矩阵放不进内存。
pub fn shift_matrix(width: usize, base: f64, offset: i64) -> Result<Array2<f64>> {
    room(width, width)?;
    let theta = frequencies(width, base)?;
    let offset = exact(offset)?;
    let mut matrix = Array2::zeros((width, width));
    for (i, &theta) in theta.iter().enumerate() {
        let (sin, cos) = (offset * theta).sin_cos();
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
/// 核 `g(Δ) = Σ cos(Δ·θ_i)`：两个位置的编码的内积，只与偏移有关。频率表为空时是零。
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
/// 频率表为空或有非正的频率；`start + len` 溢出；位置超过 2^53；表放不进内存。
pub fn table_with_frequencies(
    start: usize,
    len: usize,
    theta: ArrayView1<f64>,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    check_rows(len, theta)?;
    let positions = positions_from(start, len)?;
    rows_at(positions.view(), theta, layout)
}

/// 在任意（也可以不是整数的）位置上算出的编码，形状 `(positions, 2·pairs)`。
///
/// # Errors
/// 频率表为空或有非正的频率；某个位置不是有限数；表放不进内存。
pub fn rows_at(
    positions: ArrayView1<f64>,
    theta: ArrayView1<f64>,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    check_rows(positions.len(), theta)?;
    let mut table = Array2::zeros((positions.len(), 2 * theta.len()));
    for (&position, mut row) in positions.iter().zip(table.rows_mut()) {
        finite("position", position)?;
        for (i, &theta_i) in theta.iter().enumerate() {
            let (sin_column, cos_column) = layout.columns(i, theta.len());
            let (sin, cos) = (position * theta_i).sin_cos();
            row[sin_column] = sin;
            row[cos_column] = cos;
        }
    }
    Ok(table)
}

/// 把位置 `start..` 的编码加到 `x` 上：`x` 的形状是 `(seq, width)`，返回同形的新数组。
///
/// 一次喂一段和分几段喂（`start` 接着走）得到的结果相同。
///
/// # Errors
/// `width` 为零或奇数；`base` 不是大于 1 的有限数；`start + seq` 溢出；位置超过 2^53。
pub fn add_sinusoidal(
    x: ArrayView2<f64>,
    start: usize,
    base: f64,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    let mut y = x.to_owned();
    add_sinusoidal_inplace(y.view_mut(), start, base, layout)?;
    Ok(y)
}

/// [`add_sinusoidal`] 的就地版本。
///
/// # Errors
/// 与 [`add_sinusoidal`] 相同；出错时 `x` 不变。
pub fn add_sinusoidal_inplace(
    mut x: ArrayViewMut2<f64>,
    start: usize,
    base: f64,
    layout: ColumnLayout,
) -> Result<()> {
    let theta = frequencies(x.ncols(), base)?;
    x += &table_with_frequencies(start, x.nrows(), theta.view(), layout)?;
    Ok(())
}

/// 奇数宽度的三种做法。同一个宽度得到不同的数，所以没有默认值。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddWidth {
    /// 指数里就用奇数的 `width`；最后一个频率只有正弦（XLM、Keras、Marian、CTRL）。
    SineLast,
    /// 先按 `width + 1` 算，再去掉最后一列（positional-encodings）。
    RoundUp,
    /// 按 `width − 1` 算，最后补一列零（fairseq、M2M-100、MusicGen、diffusers）。
    ZeroColumn,
}

impl FromStr for OddWidth {
    type Err = Error;

    /// 名字是 `sine-last`、`round-up`、`zero-column`。
    fn from_str(name: &str) -> Result<Self> {
        let known = [
            ("sine-last", Self::SineLast),
            ("round-up", Self::RoundUp),
            ("zero-column", Self::ZeroColumn),
        ];
        let allowed = "sine-last、round-up、zero-column";
        named("奇数宽度规则", name, &known, allowed)
    }
}

/// 奇数宽度的频率表，按论文的规则；形状 `(pairs,)`，单位：弧度每位置。
///
/// `pairs` 是 `(width + 1)/2`；[`OddWidth::ZeroColumn`] 时是 `(width − 1)/2`。
///
/// # Errors
/// `width` 是偶数，或小到没有一对（[`OddWidth::ZeroColumn`] 至少要 3）；`base` 不是大于 1 的
/// 有限数。
pub fn odd_frequencies(width: usize, base: f64, odd: OddWidth) -> Result<Array1<f64>> {
    check_odd(width)?;
    check_base(base)?;
    match odd {
        OddWidth::SineLast => {
            room(1, width)?;
            Ok(Array1::from_shape_fn(width / 2 + 1, |i| {
                base.powf(-2.0 * i as f64 / width as f64)
            }))
        }
        OddWidth::RoundUp => frequencies(checked_add("width + 1", width, 1)?, base),
        OddWidth::ZeroColumn => {
            at_least("width", width, 3)?;
            frequencies(width - 1, base)
        }
    }
}

/// 奇数宽度的编码，频率表由调用者给出；形状 `(positions, width)`。
///
/// # Errors
/// `width` 是偶数；频率表的长度不是 [`odd_frequencies`] 所说的对数；其余与 [`rows_at`] 相同。
pub fn odd_rows_at(
    positions: ArrayView1<f64>,
    theta: ArrayView1<f64>,
    width: usize,
    layout: ColumnLayout,
    odd: OddWidth,
) -> Result<Array2<f64>> {
    check_odd(width)?;
    let pairs = match odd {
        OddWidth::ZeroColumn => width / 2,
        OddWidth::SineLast | OddWidth::RoundUp => width / 2 + 1,
    };
    same_size("frequencies", pairs, theta.len())?;
    let mut table = rows_at(positions, theta, layout)?;
    match odd {
        OddWidth::ZeroColumn => {
            let zeros = Array2::zeros((table.nrows(), 1));
            table = concatenate![Axis(1), table, zeros];
        }
        OddWidth::SineLast => {
            table.remove_index(Axis(1), layout.columns(pairs - 1, pairs).1);
        }
        OddWidth::RoundUp => table.remove_index(Axis(1), width),
    }
    Ok(table)
}

/// 奇数宽度的正弦位置编码表，位置 `0..seq_len`，形状 `(seq_len, width)`。
///
/// ```
/// use posenc::sinusoidal::{ColumnLayout, OddWidth, odd_sinusoidal_table};
/// let layout = ColumnLayout::Interleaved;
/// let table = odd_sinusoidal_table(2, 3, 10000.0, layout, OddWidth::SineLast)?;
/// assert!((table[[1, 2]] - 0.002154).abs() < 1e-6);
/// # Ok::<(), posenc::Error>(())
/// ```
///
/// # Errors
/// 与 [`odd_frequencies`] 相同；表放不进内存。
pub fn odd_sinusoidal_table(
    seq_len: usize,
    width: usize,
    base: f64,
    layout: ColumnLayout,
    odd: OddWidth,
) -> Result<Array2<f64>> {
    let theta = odd_frequencies(width, base, odd)?;
    check_rows(seq_len, theta.view())?;
    let positions = positions_from(0, seq_len)?;
    odd_rows_at(positions.view(), theta.view(), width, layout, odd)
}

/// 位置 `start..start + len`，变成 `f64`。
fn positions_from(start: usize, len: usize) -> Result<Array1<f64>> {
    exact_index(checked_add("start + len", start, len)?)?;
    Ok(Array1::from_shape_fn(len, |n| (start + n) as f64))
}

/// 频率表有效，而且 `rows` 行放得进内存。
fn check_rows(rows: usize, theta: ArrayView1<f64>) -> Result<()> {
    let width = check_width("width", 2 * theta.len())?;
    check_frequencies(theta)?;
    room(rows, width)
}

fn check_odd(width: usize) -> Result<()> {
    if width % 2 == 1 {
        Ok(())
    } else {
        Err(Error::BadNumber {
            name: "width",
            value: width as f64,
            rule: "这里只接受奇数宽度，偶数宽度没有歧义",
        })
    }
}

/// 正弦的角和公式。
pub const EQ_ANGLE_SIN: &str =
    r"\sin(\alpha+\beta) = \sin\alpha\,\cos\beta + \cos\alpha\,\sin\beta";
/// 余弦的角和公式。
pub const EQ_ANGLE_COS: &str =
    r"\cos(\alpha+\beta) = \cos\alpha\,\cos\beta - \sin\alpha\,\sin\beta";
/// 平移矩阵是正交矩阵：不改变长度。
pub const EQ_ORTHOGONAL: &str = r"M_\Delta^\top M_\Delta = I";
/// 两个位置的欧氏距离只看偏移。
pub const EQ_DISTANCE: &str =
    r"\lVert \mathbf p_n - \mathbf p_{n+\Delta} \rVert^2 = d - 2\,g(\Delta)";
/// 频率是代数数：它是一个整系数方程的根。
pub const EQ_ALGEBRAIC: &str = r"b^{2i}\,\theta_i^{\,d} = 1";
/// 一对（正弦，余弦）在两个位置上相同，等价于转过整数圈。
pub const EQ_COLLISION: &str = r"\theta_i\,(m-n) = 2\pi k";
/// 只看正弦时，还有第二种相同的可能。
pub const EQ_SINE_COLLISION: &str = r"\theta_i\,(m+n) = (2k+1)\,\pi";

/// 相隔 `offset` 的两个位置的编码的距离 `‖p_n − p_{n+Δ}‖`，与 `n` 无关。
///
/// 写成 `2·√Σ sin²(Δθ_i/2)`，等于 `√(d − 2g(Δ))`，但相减时不丢位数。
pub fn distance(theta: ArrayView1<f64>, offset: i64) -> f64 {
    2.0 * half_chords(theta, offset).sum().sqrt()
}

/// 每一对在距离平方里占的份额，形状 `(pairs,)`，和为 1；`offset` 是 0 时全是 NaN。
pub fn pair_shares(theta: ArrayView1<f64>, offset: i64) -> Array1<f64> {
    let squares = half_chords(theta, offset);
    let total = squares.sum();
    squares / total
}

/// `sin²(Δθ_i/2)`，形状 `(pairs,)`：一对里两点之间弦长一半的平方。
fn half_chords(theta: ArrayView1<f64>, offset: i64) -> Array1<f64> {
    theta.mapv(|theta| (offset as f64 * theta / 2.0).sin().powi(2))
}

// ANCHOR: relayout
/// 把一行编码从排列 `from` 改成排列 `to`：数值不变，只换列的次序。
///
/// # Errors
/// `row` 的长度为零或奇数。
pub fn relayout(
    row: ArrayView1<f64>,
    from: ColumnLayout,
    to: ColumnLayout,
) -> Result<Array1<f64>> {
    let pairs = check_width("width", row.len())? / 2;
    let mut moved = Array1::zeros(row.len());
    for i in 0..pairs {
        let (old_sin, old_cos) = from.columns(i, pairs);
        let (new_sin, new_cos) = to.columns(i, pairs);
        moved[new_sin] = row[old_sin];
        moved[new_cos] = row[old_cos];
    }
    Ok(moved)
}
// ANCHOR_END: relayout

/// 最小的 `Δ ≥ 0`，使 `g(Δ+1) > g(Δ)`；`limit` 步以内没有就是 `None`。
pub fn first_rise(theta: ArrayView1<f64>, limit: i64) -> Option<i64> {
    (0..limit).find(|&offset| rises(theta, offset))
}

/// 从 0 到 `steps` 的每一步里，`g` 变大的步数。
pub fn rising_steps(theta: ArrayView1<f64>, steps: i64) -> usize {
    (0..steps).filter(|&offset| rises(theta, offset)).count()
}

/// 最小的 `Δ ≥ 0`，使 `g(Δ) < 0`；不超过 `limit` 的都不是负的就是 `None`。
pub fn first_negative(theta: ArrayView1<f64>, limit: i64) -> Option<i64> {
    (0..=limit).find(|&offset| kernel(theta, offset) < 0.0)
}

fn rises(theta: ArrayView1<f64>, offset: i64) -> bool {
    kernel(theta, offset + 1) > kernel(theta, offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use ndarray::{arr1, arr2, s};

    const LAYOUTS: [ColumnLayout; 3] = [
        ColumnLayout::Interleaved,
        ColumnLayout::SinCos,
        ColumnLayout::CosSin,
    ];

    fn close(found: &Array2<f64>, expected: &Array2<f64>, epsilon: f64) {
        assert_eq!(found.dim(), expected.dim());
        for (&a, &b) in found.iter().zip(expected) {
            assert_relative_eq!(a, b, epsilon = epsilon, max_relative = 0.0);
        }
    }

    fn row(table: &Array2<f64>, n: usize) -> Array2<f64> {
        table.slice(s![n..n + 1, ..]).to_owned()
    }

    /// `p_{n,2i} = sin(n·θ_i)`、`p_{n,2i+1} = cos(n·θ_i)`，逐字翻译。
    #[test]
    fn table_is_the_definition() -> Result<()> {
        let (seq_len, d, b) = (7, 12, 500.0);
        let table = sinusoidal_table(seq_len, d, b, ColumnLayout::Interleaved)?;
        assert_eq!(table.dim(), (seq_len, d));
        for n in 0..seq_len {
            for i in 0..d / 2 {
                let angle = n as f64 / b.powf(2.0 * i as f64 / d as f64);
                let pair = [table[[n, 2 * i]], table[[n, 2 * i + 1]]];
                for (found, wanted) in pair.into_iter().zip([angle.sin(), angle.cos()])
                {
                    let e = 1e-14;
                    assert_relative_eq!(found, wanted, epsilon = e, max_relative = 0.0);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn known_rows() -> Result<()> {
        let eight = sinusoidal_table(2, 8, 10000.0, ColumnLayout::Interleaved)?;
        let wanted = arr2(&[[
            0.841471, 0.540302, 0.099833, 0.995004, 0.010000, 0.999950, 0.001000,
            1.000000,
        ]]);
        close(&row(&eight, 1), &wanted, 6e-7);
        let rows = [
            [0.841471, 0.540302, 0.01, 0.99995],
            [0.841471, 0.01, 0.540302, 0.99995],
            [0.540302, 0.99995, 0.841471, 0.01],
        ];
        for (layout, wanted) in LAYOUTS.into_iter().zip(rows) {
            let table = sinusoidal_table(2, 4, 10000.0, layout)?;
            close(&row(&table, 1), &arr2(&[wanted]), 5e-7);
            let theta = frequencies(4, 10000.0)?;
            let again = table_with_frequencies(1, 1, theta.view(), layout)?;
            close(&again, &arr2(&[wanted]), 5e-7);
        }
        Ok(())
    }

    #[test]
    fn columns_of_a_pair_share_a_frequency() -> Result<()> {
        let table = sinusoidal_table(200, 16, 10000.0, ColumnLayout::Interleaved)?;
        for row in table.rows() {
            for pair in row.exact_chunks(2) {
                let one = pair[0].powi(2) + pair[1].powi(2);
                assert_relative_eq!(one, 1.0, epsilon = 1e-15, max_relative = 0.0);
            }
            let squared = row.dot(&row);
            assert_relative_eq!(squared, 8.0, epsilon = 1e-14, max_relative = 0.0);
        }
        Ok(())
    }

    #[test]
    fn a_longer_table_keeps_old_rows_bit_for_bit() -> Result<()> {
        for layout in LAYOUTS {
            let short = sinusoidal_table(5, 6, 10000.0, layout)?;
            let long = sinusoidal_table(50, 6, 10000.0, layout)?;
            assert_eq!(short, long.slice(s![..5, ..]));
        }
        Ok(())
    }

    #[test]
    fn rows_do_not_repeat_after_the_base() -> Result<()> {
        let theta = frequencies(512, 10000.0)?;
        let layout = ColumnLayout::Interleaved;
        let two = rows_at(arr1(&[1.0, 10001.0]).view(), theta.view(), layout)?;
        let gap = &two.row(0) - &two.row(1);
        let distance = gap.dot(&gap).sqrt();
        assert_relative_eq!(distance, 23.345, epsilon = 5e-4, max_relative = 0.0);
        Ok(())
    }

    #[test]
    fn shift_matrix_moves_every_row() -> Result<()> {
        let (d, b) = (8, 10000.0);
        let table = sinusoidal_table(60, d, b, ColumnLayout::Interleaved)?;
        for offset in [-20_i64, -1, 0, 1, 7, 20] {
            let matrix = shift_matrix(d, b, offset)?;
            close(&matrix.dot(&matrix.t()), &Array2::eye(d), 1e-15);
            for n in 20..40 {
                let moved = matrix.dot(&table.row(n)).insert_axis(Axis(0));
                let target = (n as i64 + offset) as usize;
                close(&moved, &row(&table, target), 1e-13);
            }
        }
        let one = shift_matrix(2, b, 1)?;
        let (sin, cos) = 1.0_f64.sin_cos();
        close(&one, &arr2(&[[cos, sin], [-sin, cos]]), 1e-16);
        Ok(())
    }

    #[test]
    fn kernel_is_the_inner_product() -> Result<()> {
        let (d, b) = (16, 10000.0);
        let theta = frequencies(d, b)?;
        let table = sinusoidal_table(40, d, b, ColumnLayout::SinCos)?;
        for (m, n) in [(0, 0), (3, 5), (39, 0), (10, 11)] {
            let inner = table.row(m).dot(&table.row(n));
            let offset = n as i64 - m as i64;
            let g = kernel(theta.view(), offset);
            assert_relative_eq!(g, inner, epsilon = 1e-13, max_relative = 0.0);
            assert_eq!(g, kernel(theta.view(), -offset));
        }
        assert_eq!(kernel(theta.view(), 0), 8.0);
        assert!(kernel(theta.view(), i64::MIN).is_finite());
        Ok(())
    }

    #[test]
    fn whole_equals_chunks() -> Result<()> {
        let theta = frequencies(6, 10000.0)?;
        for layout in LAYOUTS {
            let whole = sinusoidal_table(6, 6, 10000.0, layout)?;
            let parts = [(0, 4), (4, 1), (5, 1)].map(|(start, len)| {
                table_with_frequencies(start, len, theta.view(), layout)
            });
            let [a, b, c] = parts;
            let joined = concatenate![Axis(0), a?, b?, c?];
            close(&joined, &whole, 1e-15);
            let x = Array2::from_shape_fn((6, 6), |(n, j)| (n * 7 + j) as f64);
            let added = add_sinusoidal(x.view(), 0, 10000.0, layout)?;
            close(&added, &(&x + &whole), 1e-13);
            let tail = add_sinusoidal(x.slice(s![4.., ..]), 4, 10000.0, layout)?;
            assert_eq!(tail, added.slice(s![4.., ..]));
        }
        Ok(())
    }

    #[test]
    fn fractional_positions() -> Result<()> {
        let theta = frequencies(2, 10000.0)?;
        let layout = ColumnLayout::CosSin;
        let found = rows_at(arr1(&[2.5, -1.0]).view(), theta.view(), layout)?;
        let wanted = [2.5, -1.0].map(|p: f64| [p.cos(), p.sin()]);
        close(&found, &arr2(&wanted), 1e-16);
        Ok(())
    }

    #[test]
    fn odd_widths_by_name() -> Result<()> {
        let interleaved = ColumnLayout::Interleaved;
        let odd = |d, layout, rule| -> Result<Array2<f64>> {
            Ok(row(&odd_sinusoidal_table(2, d, 10000.0, layout, rule)?, 1))
        };
        let three = odd(3, interleaved, OddWidth::SineLast)?;
        close(&three, &arr2(&[[0.841471, 0.540302, 0.002154]]), 5e-7);
        let five = odd(5, interleaved, OddWidth::SineLast)?;
        let wanted = [0.841471, 0.540302, 0.025116, 0.999685, 0.000631];
        close(&five, &arr2(&[wanted]), 5e-7);
        close(
            &odd(1, interleaved, OddWidth::SineLast)?,
            &arr2(&[[0.841471]]),
            5e-7,
        );
        let (a, b) = (10000f64.powf(-2.0 / 3.0), 0.01_f64);
        let (one_s, one_c) = 1.0_f64.sin_cos();
        let cases = [
            (
                ColumnLayout::SinCos,
                OddWidth::SineLast,
                [one_s, a.sin(), one_c],
            ),
            (
                ColumnLayout::CosSin,
                OddWidth::SineLast,
                [one_c, one_s, a.sin()],
            ),
            (interleaved, OddWidth::RoundUp, [one_s, one_c, b.sin()]),
            (
                ColumnLayout::SinCos,
                OddWidth::RoundUp,
                [one_s, b.sin(), one_c],
            ),
            (
                ColumnLayout::CosSin,
                OddWidth::RoundUp,
                [one_c, b.cos(), one_s],
            ),
            (interleaved, OddWidth::ZeroColumn, [one_s, one_c, 0.0]),
            (
                ColumnLayout::CosSin,
                OddWidth::ZeroColumn,
                [one_c, one_s, 0.0],
            ),
        ];
        for (layout, rule, wanted) in cases {
            close(&odd(3, layout, rule)?, &arr2(&[wanted]), 1e-15);
        }
        assert_eq!(
            odd_frequencies(5, 100.0, OddWidth::ZeroColumn)?,
            frequencies(4, 100.0)?
        );
        assert_eq!(
            odd_frequencies(5, 100.0, OddWidth::RoundUp)?,
            frequencies(6, 100.0)?
        );
        let table = odd_sinusoidal_table(
            4,
            5,
            100.0,
            ColumnLayout::SinCos,
            OddWidth::ZeroColumn,
        )?;
        assert_eq!(table.dim(), (4, 5));
        Ok(())
    }

    #[test]
    fn refusals() -> Result<()> {
        let layout = ColumnLayout::Interleaved;
        let theta = frequencies(4, 10000.0)?;
        for width in [3, 5, 65] {
            let odd = Error::OddWidth {
                name: "width",
                value: width,
            };
            assert_eq!(
                sinusoidal_table(2, width, 10000.0, layout),
                Err(odd.clone())
            );
            assert_eq!(shift_matrix(width, 10000.0, 1), Err(odd.clone()));
            let x = Array2::zeros((1, width));
            assert_eq!(add_sinusoidal(x.view(), 0, 10000.0, layout), Err(odd));
        }
        for width in [0, 1] {
            let result = sinusoidal_table(2, width, 10000.0, layout);
            assert!(matches!(result, Err(Error::TooSmall { .. })));
        }
        assert_eq!(sinusoidal_table(0, 4, 10000.0, layout)?.dim(), (0, 4));
        let memory = |result: Result<Array2<f64>>| {
            assert!(
                matches!(result, Err(Error::OutOfMemory { .. })),
                "{result:?}"
            );
        };
        memory(sinusoidal_table(usize::MAX, 4, 10000.0, layout));
        memory(table_with_frequencies(0, usize::MAX, theta.view(), layout));
        memory(odd_sinusoidal_table(
            usize::MAX,
            3,
            10000.0,
            layout,
            OddWidth::SineLast,
        ));
        memory(shift_matrix(1 << 30, 10000.0, 1));
        assert_eq!(
            table_with_frequencies(usize::MAX, 1, theta.view(), layout),
            Err(Error::Overflow {
                name: "start + len",
                left: usize::MAX as i128,
                right: 1
            })
        );
        for result in [
            table_with_frequencies(1 << 53, 1, theta.view(), layout),
            shift_matrix(4, 10000.0, i64::MIN),
        ] {
            assert!(matches!(result, Err(Error::PositionTooFar { .. })));
        }
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let positions = arr1(&[0.0, bad]);
            let result = rows_at(positions.view(), theta.view(), layout);
            assert!(matches!(
                result,
                Err(Error::BadNumber {
                    name: "position",
                    ..
                })
            ));
            let frequencies = arr1(&[1.0, bad]);
            let result = table_with_frequencies(0, 0, frequencies.view(), layout);
            assert!(matches!(
                result,
                Err(Error::BadNumber {
                    name: "frequency",
                    ..
                })
            ));
        }
        let none = arr1(&[]);
        assert!(rows_at(none.view(), none.view(), layout).is_err());
        Ok(())
    }

    #[test]
    fn odd_refusals() {
        let layout = ColumnLayout::SinCos;
        let one = arr1(&[1.0]);
        for rule in [OddWidth::SineLast, OddWidth::RoundUp, OddWidth::ZeroColumn] {
            for width in [0, 2, 4] {
                let result = odd_sinusoidal_table(1, width, 10000.0, layout, rule);
                assert!(matches!(result, Err(Error::BadNumber { .. })));
                let result = odd_rows_at(one.view(), one.view(), width, layout, rule);
                assert!(matches!(result, Err(Error::BadNumber { .. })));
            }
            let result = odd_rows_at(one.view(), one.view(), 5, layout, rule);
            assert!(matches!(result, Err(Error::Shape { .. })));
            for base in [1.0, 0.0, f64::NAN] {
                let result = odd_frequencies(5, base, rule);
                assert!(matches!(result, Err(Error::BadNumber { .. })));
            }
            assert!(odd_frequencies(usize::MAX, 10000.0, rule).is_err());
        }
        let result = odd_frequencies(1, 10000.0, OddWidth::ZeroColumn);
        assert!(matches!(result, Err(Error::TooSmall { min: 3, .. })));
    }

    #[test]
    fn an_error_leaves_the_input_alone() {
        let mut x = Array2::ones((2, 4));
        let layout = ColumnLayout::SinCos;
        let result = add_sinusoidal_inplace(x.view_mut(), usize::MAX, 10.0, layout);
        assert!(result.is_err());
        assert_eq!(x, Array2::<f64>::ones((2, 4)));
    }

    #[test]
    fn names() -> Result<()> {
        assert_eq!("interleaved".parse(), Ok(ColumnLayout::Interleaved));
        assert_eq!("sin-cos".parse(), Ok(ColumnLayout::SinCos));
        assert_eq!("cos-sin".parse(), Ok(ColumnLayout::CosSin));
        assert_eq!("sine-last".parse(), Ok(OddWidth::SineLast));
        assert_eq!("round-up".parse(), Ok(OddWidth::RoundUp));
        assert_eq!("zero-column".parse(), Ok(OddWidth::ZeroColumn));
        assert_eq!(
            "adjacent".parse::<ColumnLayout>().unwrap_err().to_string(),
            "不认识的列排列“adjacent”，只接受：interleaved、sin-cos、cos-sin"
        );
        assert_eq!(
            "".parse::<OddWidth>().unwrap_err().to_string(),
            "不认识的奇数宽度规则“”，只接受：sine-last、round-up、zero-column"
        );
        Ok(())
    }
}

#[cfg(test)]
mod additions {
    use super::*;
    use approx::assert_abs_diff_eq;
    use ndarray::array;

    const BASE: f64 = 10000.0;

    fn table(rows: usize, width: usize) -> Array2<f64> {
        sinusoidal_table(rows, width, BASE, ColumnLayout::Interleaved).unwrap()
    }

    #[test]
    fn angle_sums_hold() {
        for (alpha, beta) in [(0.3_f64, 1.1_f64), (-2.0, 5.5), (7.0, 0.0)] {
            let (sa, ca) = alpha.sin_cos();
            let (sb, cb) = beta.sin_cos();
            assert_abs_diff_eq!(
                (alpha + beta).sin(),
                sa * cb + ca * sb,
                epsilon = 1e-14
            );
            assert_abs_diff_eq!(
                (alpha + beta).cos(),
                ca * cb - sa * sb,
                epsilon = 1e-14
            );
        }
    }

    #[test]
    fn distance_is_the_norm_of_the_difference() {
        let rows = table(60, 16);
        let theta = frequencies(16, BASE).unwrap();
        for (n, offset) in [(0, 1), (7, 1), (3, 44), (50, 9), (12, 0)] {
            let difference = &rows.row(n) - &rows.row(n + offset);
            let literal = difference.dot(&difference).sqrt();
            let offset = offset as i64;
            assert_abs_diff_eq!(
                distance(theta.view(), offset),
                literal,
                epsilon = 1e-13
            );
            let by_kernel = (16.0 - 2.0 * kernel(theta.view(), offset)).max(0.0).sqrt();
            assert_abs_diff_eq!(by_kernel, literal, epsilon = 1e-7);
        }
    }

    #[test]
    fn shares_are_the_pairs_part_of_the_squared_distance() {
        let rows = table(30, 8);
        let theta = frequencies(8, BASE).unwrap();
        let difference = &rows.row(4) - &rows.row(11);
        let total = difference.dot(&difference);
        let shares = pair_shares(theta.view(), 7);
        for i in 0..4 {
            let pair = difference[2 * i].powi(2) + difference[2 * i + 1].powi(2);
            assert_abs_diff_eq!(shares[i], pair / total, epsilon = 1e-13);
        }
        assert_abs_diff_eq!(shares.sum(), 1.0, epsilon = 1e-14);
    }

    #[test]
    fn relayout_equals_a_fresh_table() {
        use ColumnLayout::{CosSin, Interleaved, SinCos};
        for from in [Interleaved, SinCos, CosSin] {
            for to in [Interleaved, SinCos, CosSin] {
                let old = sinusoidal_table(5, 6, BASE, from).unwrap();
                let new = sinusoidal_table(5, 6, BASE, to).unwrap();
                for n in 0..5 {
                    assert_eq!(relayout(old.row(n), from, to).unwrap(), new.row(n));
                }
            }
        }
        let letters = array![1.0, 2.0, 3.0, 4.0];
        let moved = relayout(letters.view(), Interleaved, CosSin).unwrap();
        assert_eq!(moved, array![2.0, 4.0, 1.0, 3.0]);
        let odd = array![1.0, 2.0, 3.0];
        assert!(relayout(odd.view(), Interleaved, SinCos).is_err());
        assert!(relayout(Array1::zeros(0).view(), Interleaved, SinCos).is_err());
    }

    #[test]
    fn the_kernel_is_scanned_step_by_step() {
        // 一对、θ = 1：cos 0 = 1，cos 1 = 0.54，cos 2 = −0.42，cos 3 = −0.99，cos 4 = −0.65 …
        let one = array![1.0];
        assert_eq!(first_negative(one.view(), 10), Some(2));
        assert_eq!(first_negative(one.view(), 2), Some(2));
        assert_eq!(first_negative(one.view(), 1), None);
        assert_eq!(first_rise(one.view(), 10), Some(3));
        assert_eq!(first_rise(one.view(), 4), Some(3));
        assert_eq!(first_rise(one.view(), 3), None);
        assert_eq!(rising_steps(one.view(), 3), 0);
        assert_eq!(rising_steps(one.view(), 6), 3);
        assert_eq!(rising_steps(one.view(), 7), 3);
        // 不动的针：核不变，不算变大；正好为零，不算负。
        let still = array![1e-300];
        assert_eq!(first_rise(still.view(), 5), None);
        assert_eq!(rising_steps(still.view(), 5), 0);
        let halves = array![std::f64::consts::PI, 1e-300];
        assert_eq!(kernel(halves.view(), 1), 0.0);
        assert_eq!(first_negative(halves.view(), 2), None);
    }
}
