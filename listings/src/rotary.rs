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

use crate::error::{Error, Result, at_least, exact, named, room, same_size};
use crate::frequency::{check_frequencies, check_width, frequencies};
use ndarray::{
    Array, Array1, Array2, ArrayView, ArrayView1, ArrayViewMut, Axis, Dimension,
    RemoveAxis,
};
use std::str::FromStr;

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

impl FromStr for PairLayout {
    type Err = Error;

    /// 名字是 `adjacent`、`half-split`。
    fn from_str(name: &str) -> Result<Self> {
        let known = [
            ("adjacent", Self::Adjacent),
            ("half-split", Self::HalfSplit),
        ];
        named("配对方式", name, &known, "adjacent、half-split")
    }
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
/// `head_dim` 为零或奇数；`base` 不是大于 1 的有限数；位置超过 2^53。
pub fn rotate_vector(
    x: ArrayView1<f64>,
    position: i64,
    base: f64,
    layout: PairLayout,
) -> Result<Array1<f64>> {
    let theta = frequencies(x.len(), base)?;
    let n = exact(position)?;
    let mut y = x.to_owned();
    for (i, theta_i) in theta.iter().enumerate() {
        let (a, b) = layout.indices(i, theta.len());
        let (sin, cos) = (n * theta_i).sin_cos();
        y[a] = x[a] * cos - x[b] * sin;
        y[b] = x[a] * sin + x[b] * cos;
    }
    Ok(y)
}
// ANCHOR_END: rotate_vector

/// 旋转矩阵 `R_n`，形状 `(head_dim, head_dim)`，分块对角（Su 2021 式 15）。
///
/// # Errors
/// 与 [`frequencies`] 相同；位置超过 2^53；矩阵放不进内存。
pub fn rotation_matrix(
    head_dim: usize,
    position: i64,
    base: f64,
    layout: PairLayout,
) -> Result<Array2<f64>> {
    room(head_dim, head_dim)?;
    let theta = frequencies(head_dim, base)?;
    let n = exact(position)?;
    let mut matrix = Array2::zeros((head_dim, head_dim));
    for (i, theta_i) in theta.iter().enumerate() {
        let (a, b) = layout.indices(i, theta.len());
        let (sin, cos) = (n * theta_i).sin_cos();
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
    /// 最后一轴不是 `head_dim`，倒数第二轴不是 `positions` 的长度，数组少于两轴，或位置超过 2^53。
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
        check_frequencies(frequencies.view())?;
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
        x: ArrayViewMut<f64, D>,
        positions: &[i64],
    ) -> Result<()> {
        self.turn(x, positions, 1.0)
    }

    /// 转回来：[`Rotary::rotate`] 的逆，`unrotate(rotate(x)) = x`（舍入除外）。形状与规则相同。
    ///
    /// # Errors
    /// 与 [`Rotary::rotate`] 相同。
    pub fn unrotate<D: Dimension + RemoveAxis>(
        &self,
        x: ArrayView<f64, D>,
        positions: &[i64],
    ) -> Result<Array<f64, D>> {
        let mut y = x.to_owned();
        self.unrotate_inplace(y.view_mut(), positions)?;
        Ok(y)
    }

    /// [`Rotary::unrotate`] 的就地版本。
    ///
    /// # Errors
    /// 与 [`Rotary::rotate`] 相同；出错时 `x` 不变。
    pub fn unrotate_inplace<D: Dimension + RemoveAxis>(
        &self,
        x: ArrayViewMut<f64, D>,
        positions: &[i64],
    ) -> Result<()> {
        self.turn(x, positions, -1.0)
    }

    /// 把缓存里已经转过的键搬到 `delta` 个位置之外：每一行再转 `delta·θ_i`，因为旋转可以相加。
    ///
    /// 形状 `(…, seq, head_dim)`；不需要知道这些键原来在哪里，也不能从头再转一次。
    ///
    /// # Errors
    /// 与 [`Rotary::rotate`] 相同。
    pub fn shift_cached<D: Dimension + RemoveAxis>(
        &self,
        keys: ArrayView<f64, D>,
        delta: i64,
    ) -> Result<Array<f64, D>> {
        let mut moved = keys.to_owned();
        self.shift_cached_inplace(moved.view_mut(), delta)?;
        Ok(moved)
    }

    /// [`Rotary::shift_cached`] 的就地版本。
    ///
    /// # Errors
    /// 与 [`Rotary::rotate`] 相同；出错时 `keys` 不变。
    pub fn shift_cached_inplace<D: Dimension + RemoveAxis>(
        &self,
        keys: ArrayViewMut<f64, D>,
        delta: i64,
    ) -> Result<()> {
        at_least("axes", keys.ndim(), 2)?;
        let seq = keys.len_of(Axis(keys.ndim() - 2));
        self.turn(keys, &vec![delta; seq], 1.0)
    }

    /// 先检查，再动手：`direction` 是 1（逆时针）或 −1（顺时针）。
    fn turn<D: Dimension + RemoveAxis>(
        &self,
        mut x: ArrayViewMut<f64, D>,
        positions: &[i64],
        direction: f64,
    ) -> Result<()> {
        let axes = x.ndim();
        at_least("axes", axes, 2)?;
        same_size("head_dim", self.head_dim, x.len_of(Axis(axes - 1)))?;
        same_size("seq", positions.len(), x.len_of(Axis(axes - 2)))?;
        let positions = positions
            .iter()
            .map(|&n| exact(n))
            .collect::<Result<Vec<f64>>>()?;
        let pairs = self.frequencies.len();
        for (row, n) in positions.into_iter().enumerate() {
            let mut slice = x.index_axis_mut(Axis(axes - 2), row);
            for (i, theta_i) in self.frequencies.iter().enumerate() {
                let (sin, cos) = (direction * n * theta_i).sin_cos();
                let (a, b) = self.layout.indices(i, pairs);
                for mut lane in slice.lanes_mut(Axis(axes - 2)) {
                    let (left, right) = (lane[a], lane[b]);
                    lane[a] = left * cos - right * sin;
                    lane[b] = left * sin + right * cos;
                }
            }
        }
        Ok(())
    }
}

/// 从 `start` 开始的 `len` 个相邻位置；分段解码时，下一段的 `start` 是前面各段的总长。
///
/// # Errors
/// `start + len` 溢出，或某个位置的绝对值超过 2^53。
pub fn consecutive(start: i64, len: usize) -> Result<Vec<i64>> {
    exact(start)?;
    let end = i64::try_from(len)
        .ok()
        .and_then(|len| start.checked_add(len))
        .ok_or(Error::Overflow {
            name: "start + len",
            left: start.into(),
            right: len as i128,
        })?;
    exact(end)?;
    room(len, 1)?;
    Ok((start..end).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use ndarray::{arr1, arr2, aview1, s};

    const BASE: f64 = 10000.0;
    const LAYOUTS: [PairLayout; 2] = [PairLayout::Adjacent, PairLayout::HalfSplit];
    const Q: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    const K: [f64; 4] = [0.5, -1.0, 2.0, 1.0];

    fn close<'a>(
        found: impl IntoIterator<Item = &'a f64>,
        expected: impl IntoIterator<Item = &'a f64>,
        epsilon: f64,
    ) {
        let found: Vec<f64> = found.into_iter().copied().collect();
        let expected: Vec<f64> = expected.into_iter().copied().collect();
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.into_iter().zip(expected) {
            assert_relative_eq!(a, b, epsilon = epsilon, max_relative = 0.0);
        }
    }

    fn at(x: [f64; 4], position: i64, layout: PairLayout) -> Array1<f64> {
        rotate_vector(aview1(&x), position, BASE, layout).unwrap()
    }

    fn score(m: i64, n: i64, layout: PairLayout) -> f64 {
        dot(at(Q, m, layout).view(), at(K, n, layout).view()).unwrap()
    }

    fn is(found: f64, expected: f64) {
        assert_relative_eq!(found, expected, epsilon = 5e-7, max_relative = 0.0);
    }

    fn sample(shape: (usize, usize, usize)) -> Array<f64, ndarray::Ix3> {
        Array::from_shape_fn(shape, |(h, n, j)| ((7 * h + 3 * n + j) as f64).sin())
    }

    /// 逐字翻译：`R_n` 的每一块乘以每一对。
    #[test]
    fn fast_code_is_the_rotation_matrix() -> Result<()> {
        for layout in LAYOUTS {
            let rotary = Rotary::new(6, BASE, layout)?;
            let x = sample((2, 4, 6));
            let positions = [-3, 0, 1, 1000];
            let y = rotary.rotate(x.view(), &positions)?;
            for (n, &position) in positions.iter().enumerate() {
                let matrix = rotation_matrix(6, position, BASE, layout)?;
                close(&matrix.dot(&matrix.t()), &Array2::eye(6), 1e-15);
                for h in 0..2 {
                    let row = x.slice(s![h, n, ..]);
                    close(y.slice(s![h, n, ..]), &matrix.dot(&row), 1e-15);
                    let vector = rotate_vector(row, position, BASE, layout)?;
                    close(y.slice(s![h, n, ..]), &vector, 1e-15);
                }
            }
        }
        let (sin, cos) = 2.0_f64.sin_cos();
        let matrix = rotation_matrix(2, 2, BASE, PairLayout::Adjacent)?;
        close(&matrix, &arr2(&[[cos, -sin], [sin, cos]]), 1e-16);
        Ok(())
    }

    #[test]
    fn two_layouts_one_permutation() -> Result<()> {
        let adjacent = at(Q, 1, PairLayout::Adjacent);
        close(&adjacent, &[-1.142640, 1.922076, 2.959851, 4.029800], 5e-7);
        let half = at(Q, 1, PairLayout::HalfSplit);
        close(&half, &[-1.984111, 1.959901, 2.462378, 4.019800], 5e-7);
        let reordered = |x: [f64; 4]| adjacent_to_half_split(aview1(&x));
        assert_eq!(reordered(Q)?, arr1(&[1.0, 3.0, 2.0, 4.0]));
        let turned = |x: [f64; 4], n| {
            rotate_vector(reordered(x)?.view(), n, BASE, PairLayout::HalfSplit)
        };
        let same = dot(turned(Q, 7)?.view(), turned(K, 3)?.view())?;
        let wanted = score(7, 3, PairLayout::Adjacent);
        assert_relative_eq!(same, wanted, epsilon = 1e-14, max_relative = 0.0);
        let eight = Array1::from_iter((0..8).map(f64::from));
        let there = adjacent_to_half_split(eight.view())?;
        assert_eq!(there.to_vec(), [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0]);
        assert_eq!(half_split_to_adjacent(there.view())?, eight);
        Ok(())
    }

    #[test]
    fn counter_clockwise() -> Result<()> {
        let e0 = [1.0, 0.0, 0.0, 0.0];
        let turned = at(e0, 1, PairLayout::Adjacent);
        close(&turned, &[0.540302, 0.841471, 0.0, 0.0], 5e-7);
        is(score(5, 4, PairLayout::Adjacent), 7.456105);
        is(score(5, 4, PairLayout::HalfSplit), 5.992599);
        is(score(-5, -4, PairLayout::Adjacent), 10.921988);
        is(score(4, 5, PairLayout::Adjacent), 10.921988);
        is(score(5, -4, PairLayout::Adjacent), 10.052593);
        Ok(())
    }

    #[test]
    fn score_depends_on_the_offset() {
        for layout in LAYOUTS {
            let wanted = score(3, 1, layout);
            for shift in [1, 10, 1000, -50] {
                let found = score(3 + shift, 1 + shift, layout);
                assert_relative_eq!(found, wanted, epsilon = 1e-11, max_relative = 0.0);
            }
        }
    }

    #[test]
    fn the_inverse_turns_back() -> Result<()> {
        let x = sample((2, 3, 8));
        let positions = [0, 5, -1000];
        for layout in LAYOUTS {
            let rotary = Rotary::partial(8, 6, BASE, layout)?;
            let there = rotary.rotate(x.view(), &positions)?;
            assert!(there != x);
            close(&rotary.unrotate(there.view(), &positions)?, &x, 1e-12);
            let mut back = there.clone();
            rotary.unrotate_inplace(back.view_mut(), &positions)?;
            close(&back, &x, 1e-12);
            let opposite = positions.map(|n| -n);
            assert_eq!(
                rotary.unrotate(x.view(), &positions)?,
                rotary.rotate(x.view(), &opposite)?
            );
        }
        Ok(())
    }

    #[test]
    fn whole_equals_chunks() -> Result<()> {
        is(score(5, 3, PairLayout::Adjacent), 8.703632);
        is(score(0, 3, PairLayout::Adjacent), 11.912707);
        for layout in LAYOUTS {
            let rotary = Rotary::new(4, BASE, layout)?;
            let x = sample((1, 6, 4));
            let whole = rotary.rotate(x.view(), &consecutive(0, 6)?)?;
            for (start, len) in [(4, 1), (5, 1), (0, 4)] {
                let range = s![.., start..start + len, ..];
                let positions = consecutive(start as i64, len)?;
                let part = rotary.rotate(x.slice(range), &positions)?;
                assert_eq!(part, whole.slice(range));
            }
        }
        Ok(())
    }

    #[test]
    fn a_cached_key_moves_by_one_more_turn() -> Result<()> {
        let layout = PairLayout::Adjacent;
        let rotary = Rotary::new(4, BASE, layout)?;
        let query = at(Q, 4, layout);
        let stored = at(K, 0, layout).insert_axis(Axis(0));
        let against = |keys: &Array2<f64>| dot(query.view(), keys.row(0));
        is(against(&stored)?, 12.286125);
        let moved = rotary.shift_cached(stored.view(), 3)?;
        is(against(&moved)?, 7.456105);
        let twice = rotary.shift_cached(moved.view(), 3)?;
        is(against(&twice)?, 12.540809);
        let mut inplace = stored.clone();
        rotary.shift_cached_inplace(inplace.view_mut(), 3)?;
        assert_eq!(inplace, moved);
        let keys = rotary.rotate(sample((2, 3, 4)).view(), &[0, 1, 2])?;
        let wanted = rotary.rotate(sample((2, 3, 4)).view(), &[-7, -6, -5])?;
        close(&rotary.shift_cached(keys.view(), -7)?, &wanted, 1e-14);
        Ok(())
    }

    #[test]
    fn partial_rotation_passes_the_rest_through() -> Result<()> {
        for layout in LAYOUTS {
            let rotary = Rotary::partial(6, 4, BASE, layout)?;
            assert_eq!(rotary.frequencies(), frequencies(4, BASE)?);
            let x = sample((1, 2, 6));
            let y = rotary.rotate(x.view(), &[1, 2])?;
            assert_eq!(y.slice(s![.., .., 4..]), x.slice(s![.., .., 4..]));
            let inner = Rotary::new(4, BASE, layout)?
                .rotate(x.slice(s![.., .., ..4]), &[1, 2])?;
            assert_eq!(y.slice(s![.., .., ..4]), inner);
        }
        Ok(())
    }

    #[test]
    fn shapes_and_axes() -> Result<()> {
        let rotary = Rotary::new(4, BASE, PairLayout::HalfSplit)?;
        let none = Array2::zeros((0, 4));
        assert_eq!(rotary.rotate(none.view(), &[])?.dim(), (0, 4));
        assert_eq!(rotary.shift_cached(none.view(), 3)?.dim(), (0, 4));
        let strided = Array2::from_shape_fn((4, 3), |(j, n)| (j + 10 * n) as f64);
        let y = rotary.rotate(strided.t(), &[1, 2, 3])?;
        let copy = strided.t().to_owned();
        assert_eq!(y, rotary.rotate(copy.view(), &[1, 2, 3])?);
        let four = sample((2, 3, 4)).insert_axis(Axis(0));
        let deep = rotary.rotate(four.view(), &[5, 6, 7])?;
        let flat = rotary.rotate(sample((2, 3, 4)).view(), &[5, 6, 7])?;
        assert_eq!(deep.index_axis(Axis(0), 0), flat);
        Ok(())
    }

    #[test]
    fn refusals() -> Result<()> {
        let layout = PairLayout::Adjacent;
        let odd = Error::OddWidth {
            name: "rotary_dim",
            value: 3,
        };
        assert_eq!(Rotary::partial(4, 3, BASE, layout), Err(odd));
        for width in [1, 3, 65] {
            let x = Array1::zeros(width);
            assert!(Rotary::new(width, BASE, layout).is_err());
            assert!(rotate_vector(x.view(), 1, BASE, layout).is_err());
            assert!(rotation_matrix(width, 1, BASE, layout).is_err());
            assert!(adjacent_to_half_split(x.view()).is_err());
            assert!(half_split_to_adjacent(x.view()).is_err());
        }
        for base in [1.0, 0.0, f64::NAN, f64::INFINITY] {
            assert!(Rotary::new(4, base, layout).is_err());
        }
        let small = Rotary::with_frequencies(3, arr1(&[1.0, 0.1]), layout);
        assert!(matches!(
            small,
            Err(Error::TooSmall {
                value: 3,
                min: 4,
                ..
            })
        ));
        let empty = Rotary::with_frequencies(3, arr1(&[]), layout);
        assert!(matches!(
            empty,
            Err(Error::TooSmall {
                value: 0,
                min: 2,
                ..
            })
        ));
        let odd_head = Rotary::with_frequencies(3, arr1(&[1.0]), layout);
        assert!(odd_head.is_ok());
        for theta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let result = Rotary::with_frequencies(4, arr1(&[1.0, theta]), layout);
            assert!(matches!(result, Err(Error::BadNumber { .. })));
        }
        let huge = rotation_matrix(1 << 30, 1, BASE, layout);
        assert!(matches!(huge, Err(Error::OutOfMemory { .. })));
        assert!(matches!(
            dot(aview1(&Q), aview1(&Q[..3])),
            Err(Error::Shape {
                expected: 4,
                found: 3,
                ..
            })
        ));
        Ok(())
    }

    #[test]
    fn an_error_leaves_the_input_alone() -> Result<()> {
        let rotary = Rotary::new(4, BASE, PairLayout::Adjacent)?;
        let mut x = Array2::ones((2, 4));
        let far = rotary.rotate_inplace(x.view_mut(), &[1, i64::MIN]);
        assert!(matches!(far, Err(Error::PositionTooFar { .. })));
        let far = rotary.unrotate(x.view(), &[1, i64::MIN]);
        assert!(matches!(far, Err(Error::PositionTooFar { .. })));
        let far = rotary.shift_cached_inplace(x.view_mut(), i64::MAX);
        assert!(matches!(far, Err(Error::PositionTooFar { .. })));
        let short = rotary.rotate_inplace(x.view_mut(), &[1]);
        assert!(matches!(
            short,
            Err(Error::Shape {
                name: "seq",
                expected: 1,
                found: 2
            })
        ));
        assert_eq!(x, Array2::<f64>::ones((2, 4)));
        let wide = Array2::ones((2, 6));
        assert!(matches!(
            rotary.rotate(wide.view(), &[1, 2]),
            Err(Error::Shape {
                name: "head_dim",
                ..
            })
        ));
        let line = Array1::ones(4);
        assert!(matches!(
            rotary.rotate(line.view(), &[1]),
            Err(Error::TooSmall { name: "axes", .. })
        ));
        assert!(matches!(
            rotary.shift_cached(line.view(), 1),
            Err(Error::TooSmall { name: "axes", .. })
        ));
        for far in [i64::MIN, i64::MAX] {
            for layout in LAYOUTS {
                assert!(rotate_vector(aview1(&Q), far, BASE, layout).is_err());
                assert!(rotation_matrix(4, far, BASE, layout).is_err());
            }
        }
        Ok(())
    }

    #[test]
    fn runs_of_positions() -> Result<()> {
        assert_eq!(consecutive(-2, 4)?, [-2, -1, 0, 1]);
        assert_eq!(consecutive(7, 0)?, Vec::<i64>::new());
        let overflow = Error::Overflow {
            name: "start + len",
            left: 1,
            right: i64::MAX.into(),
        };
        assert_eq!(consecutive(1, i64::MAX as usize), Err(overflow));
        assert!(matches!(
            consecutive(0, usize::MAX),
            Err(Error::Overflow { .. })
        ));
        for (start, len) in [(i64::MIN, 1), (1 << 53, 1), (0, (1 << 53) + 1)] {
            let result = consecutive(start, len);
            assert!(matches!(result, Err(Error::PositionTooFar { .. })));
        }
        assert!(matches!(
            consecutive(0, 1 << 53),
            Err(Error::OutOfMemory { .. })
        ));
        Ok(())
    }

    #[test]
    fn names() {
        assert_eq!("adjacent".parse(), Ok(PairLayout::Adjacent));
        assert_eq!("half-split".parse(), Ok(PairLayout::HalfSplit));
        assert_eq!(
            "interleaved".parse::<PairLayout>().unwrap_err().to_string(),
            "不认识的配对方式“interleaved”，只接受：adjacent、half-split"
        );
    }
}
