//! 旋转之后的分数：它看查询、键和偏移，不看绝对位置。
//!
//! 偏移 `offset` 是键的位置减查询的位置；分数一律不除以 `√head_dim`。
//!
//! ```
//! use ndarray::aview1;
//! use posenc::rotary::PairLayout;
//! use posenc::rotary_score::relative_score;
//! let (q, k) = (aview1(&[1.0, 2.0, 3.0, 4.0]), aview1(&[0.5, -1.0, 2.0, 1.0]));
//! let score = relative_score(q, k, -1, 10000.0, PairLayout::Adjacent)?;
//! assert!((score - 7.456105).abs() < 1e-6);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Result, at_least, same_size};
use crate::frequency::frequencies;
use crate::rng::LegacyRandom;
use crate::rotary::{PairLayout, dot, half_split_to_adjacent, rotate_vector};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

/// 查询按自己的位置转，键按自己的位置转（Su 2021 式 14）。
pub const EQ_ROPE: &str =
    r"\mathbf q_m = R_m\,\mathbf q, \qquad \mathbf k_n = R_n\,\mathbf k";
/// 复数写法：一对是一个复数，旋转是乘一个单位复数（Su 2021 式 12）。
pub const EQ_COMPLEX: &str = r"y_{2i} + \mathrm i\,y_{2i+1} = e^{\mathrm i\,n\,\theta_i} \left( x_{2i} + \mathrm i\,x_{2i+1} \right)";
/// 四维时的旋转矩阵：两个二维旋转排在对角线上（Su 2021 式 15）。
pub const EQ_BLOCK: &str = r"R_n = \begin{pmatrix} \cos(n\,\theta_0) & -\sin(n\,\theta_0) & 0 & 0 \\ \sin(n\,\theta_0) & \cos(n\,\theta_0) & 0 & 0 \\ 0 & 0 & \cos(n\,\theta_1) & -\sin(n\,\theta_1) \\ 0 & 0 & \sin(n\,\theta_1) & \cos(n\,\theta_1) \end{pmatrix}";
/// 旋转不改变长度。
pub const EQ_NORM_KEPT: &str =
    r"\lVert R_n\,\mathbf x \rVert = \lVert \mathbf x \rVert";
/// 旋转的转置是倒着转，先后两次旋转相加。
pub const EQ_TURNS_ADD: &str = r"R_m^\top = R_{-m}, \qquad R_{-m}\,R_n = R_{n-m}";
/// 相对性的证明。
pub const EQ_RELATIVE_PROOF: &str = r"\begin{aligned} (R_m\,\mathbf q)^\top (R_n\,\mathbf k) &= \mathbf q^\top R_m^\top R_n\,\mathbf k \\ &= \mathbf q^\top R_{-m}\,R_n\,\mathbf k \\ &= \mathbf q^\top R_{n-m}\,\mathbf k \end{aligned}";
/// 一对分量的分数：一条余弦。
pub const EQ_PAIR_SCORE: &str = r"s(\Delta) = \lVert \mathbf q \rVert\,\lVert \mathbf k \rVert \cos(\varphi + \Delta\,\theta)";
/// 整个头的分数：每对一条余弦，加起来。
pub const EQ_ROTARY_SCORE: &str = r"\begin{aligned} s(\Delta) &= \mathbf q^\top R_\Delta\,\mathbf k \\ &= \sum_{i=0}^{d/2-1} \lVert \mathbf q^{(i)} \rVert\,\lVert \mathbf k^{(i)} \rVert \cos(\varphi_i + \Delta\,\theta_i) \end{aligned}";
/// 专门为偏移 r 造的键：分数在那里最高。
pub const EQ_PEAK_KEY: &str = r"\mathbf k = R_{-r}\,\mathbf q";
/// 那个键的分数：不超过查询长度的平方。
pub const EQ_PEAK: &str = r"s(\Delta) = \sum_{i=0}^{d/2-1} \lVert \mathbf q^{(i)} \rVert^2 \cos((\Delta-r)\,\theta_i) \le \lVert \mathbf q \rVert^2";
/// 独立、均值为零的查询与键：平均分数处处为零（Barbero 2024 命题 3.2）。
pub const EQ_MEAN_ZERO: &str = r"\mathrm E[\mathbf q^\top R_\Delta\,\mathbf k] = \mathrm E[\mathbf q]^\top R_\Delta\,\mathrm E[\mathbf k] = 0";
/// 查询等于键时的平均分数：余弦的平均。
pub const EQ_MEAN_SAME: &str = r"\frac{1}{d}\,\mathrm E[\mathbf q^\top R_\Delta\,\mathbf q] = \frac{2}{d} \sum_{i=0}^{d/2-1} \cos(\Delta\,\theta_i)";
/// 分部求和：`h_i` 是键乘查询的共轭，约定 `h_{d/2} = 0`、`S_0 = 0`（Su 2021 式 36，方向相反）。
pub const EQ_ABEL_PARTS: &str = r"\begin{aligned} s(\Delta) &= \operatorname{Re} \sum_{i=0}^{d/2-1} h_i \left( S_{i+1} - S_i \right) \\ &= \operatorname{Re} \sum_{j=1}^{d/2} \left( h_{j-1} - h_j \right) S_j \end{aligned}";
/// 分数的上界，用分部求和得到（Su 2021 式 37）。
pub const EQ_ABEL: &str = r"\lvert s(\Delta) \rvert \le \Bigl( \max_{0 \le i < d/2} \lvert h_{i+1} - h_i \rvert \Bigr) \sum_{j=1}^{d/2} \lvert S_j \rvert";
/// 前 `j` 对转角的部分和。
pub const EQ_PARTIAL_SUM: &str =
    r"S_j = \sum_{i=0}^{j-1} e^{\mathrm i\,\Delta\,\theta_i}";
/// Su 2021 图 2 画的量：部分和的模的平均。
pub const EQ_MEAN_ABEL: &str =
    r"B(\Delta) = \frac{2}{d} \sum_{j=1}^{d/2} \lvert S_j \rvert";
/// 改排之后用对半的代码转，等于先用相邻的代码转再改排。
pub const EQ_LAYOUTS_SWAP: &str = r"R_n^{\mathrm{half}}\,P = P\,R_n^{\mathrm{adj}}";
/// 柯西不等式：不看位置的上界。
pub const EQ_CAUCHY: &str =
    r"\lvert s(\Delta) \rvert \le \lVert \mathbf q \rVert\,\lVert \mathbf k \rVert";

/// 偏移 `offset` 处的分数 `qᵀ R_offset k`，两个向量的形状都是 `(head_dim,)`。
///
/// # Errors
/// 两个向量不等长；`head_dim` 为零或奇数；`base` 不是大于 1 的有限数。
pub fn relative_score(
    query: ArrayView1<f64>,
    key: ArrayView1<f64>,
    offset: i64,
    base: f64,
    layout: PairLayout,
) -> Result<f64> {
    let turned = rotate_vector(key, offset, base, layout)?;
    dot(query, turned.view())
}

/// 与 [`relative_score`] 相同的数，按定义逐对计算：`Σ ‖q⁽ⁱ⁾‖·‖k⁽ⁱ⁾‖·cos(φ_i + offset·θ_i)`。
///
/// # Errors
/// 与 [`relative_score`] 相同。
pub fn score_by_pairs(
    query: ArrayView1<f64>,
    key: ArrayView1<f64>,
    offset: i64,
    base: f64,
    layout: PairLayout,
) -> Result<f64> {
    same_size("key", query.len(), key.len())?;
    let theta = frequencies(query.len(), base)?;
    let (query, key) = (adjacent(query, layout)?, adjacent(key, layout)?);
    let mut score = 0.0;
    for (i, theta) in theta.iter().enumerate() {
        let (qx, qy) = (query[2 * i], query[2 * i + 1]);
        let (kx, ky) = (key[2 * i], key[2 * i + 1]);
        let phi = ky.atan2(kx) - qy.atan2(qx);
        score += qx.hypot(qy) * kx.hypot(ky) * (phi + offset as f64 * theta).cos();
    }
    Ok(score)
}

fn adjacent(x: ArrayView1<f64>, layout: PairLayout) -> Result<Array1<f64>> {
    match layout {
        PairLayout::Adjacent => Ok(x.to_owned()),
        PairLayout::HalfSplit => half_split_to_adjacent(x),
    }
}

// ANCHOR: partial_sums
/// 部分和的模 `|S_1|, …, |S_pairs|`，其中 `S_j = Σ_{i<j} exp(i·offset·θ_i)`；形状 `(pairs,)`。
pub fn partial_sums(theta: ArrayView1<f64>, offset: i64) -> Array1<f64> {
    let (mut x, mut y) = (0.0_f64, 0.0_f64);
    theta.mapv(|theta| {
        let (sin, cos) = (offset as f64 * theta).sin_cos();
        x += cos;
        y += sin;
        x.hypot(y)
    })
}

/// `B(offset)`：部分和的模的平均，Su 2021 图 2 的纵轴。
///
/// # Errors
/// 频率表为空。
pub fn mean_partial_sum(theta: ArrayView1<f64>, offset: i64) -> Result<f64> {
    at_least("pairs", theta.len(), 1)?;
    Ok(partial_sums(theta, offset).sum() / theta.len() as f64)
}
// ANCHOR_END: partial_sums

/// Su 2021 式 37 的右边：`max|h_{i+1} − h_i| · Σ|S_j|`，相邻配对，是 `|分数|` 的一个上界。
///
/// # Errors
/// 与 [`relative_score`] 相同。
pub fn abel_bound(
    query: ArrayView1<f64>,
    key: ArrayView1<f64>,
    offset: i64,
    base: f64,
) -> Result<f64> {
    same_size("key", query.len(), key.len())?;
    let theta = frequencies(query.len(), base)?;
    let h = |i: usize| {
        if i == theta.len() {
            return (0.0, 0.0);
        }
        let (qx, qy) = (query[2 * i], query[2 * i + 1]);
        let (kx, ky) = (key[2 * i], key[2 * i + 1]);
        (qx * kx + qy * ky, qx * ky - qy * kx)
    };
    let steepest = (0..theta.len())
        .map(|i| (h(i + 1).0 - h(i).0).hypot(h(i + 1).1 - h(i).1))
        .fold(0.0, f64::max);
    Ok(steepest * partial_sums(theta.view(), offset).sum())
}

/// 讲稿第三段代码的两个矩阵：`np.random.seed(seed)`，先后两次 `randn(seq, head_dim) * 0.5`，先查询后键。
pub fn seeded_query_key(
    seed: u32,
    seq: usize,
    head_dim: usize,
) -> (Array2<f64>, Array2<f64>) {
    let mut random = LegacyRandom::new(seed);
    let mut draw = || random.normal_matrix(seq, head_dim) * 0.5;
    (draw(), draw())
}

// ANCHOR: mean_scores
/// 平均分数的实验：抽 `draws` 次标准正态的查询（和键），返回每个偏移上 `分数/head_dim` 的平均。
///
/// `same` 为真时键就是查询；为假时另抽一个独立的键。配对方式是相邻配对。
///
/// # Errors
/// `draws` 为零；其余与 [`relative_score`] 相同。
pub fn mean_scores(
    seed: u32,
    draws: usize,
    head_dim: usize,
    offsets: &[i64],
    same: bool,
) -> Result<Vec<f64>> {
    at_least("draws", draws, 1)?;
    let mut random = LegacyRandom::new(seed);
    let mut sums = vec![0.0; offsets.len()];
    for _ in 0..draws {
        let q = Array1::from_shape_simple_fn(head_dim, || random.normal());
        let k = if same {
            q.clone()
        } else {
            Array1::from_shape_simple_fn(head_dim, || random.normal())
        };
        for (sum, &offset) in sums.iter_mut().zip(offsets) {
            let (q, k) = (q.view(), k.view());
            *sum += relative_score(q, k, offset, 10000.0, PairLayout::Adjacent)?;
        }
    }
    let scale = (draws * head_dim) as f64;
    Ok(sums.iter().map(|sum| sum / scale).collect())
}
// ANCHOR_END: mean_scores

// ANCHOR: by_distance
/// 方阵 `scores` 里距离为 `0, 1, …, seq−1` 的元素各自的平均。
pub fn means_by_distance(scores: ArrayView2<f64>) -> Vec<f64> {
    let mut groups = vec![(0.0, 0.0); scores.nrows()];
    for ((m, n), &score) in scores.indexed_iter() {
        if let Some(group) = groups.get_mut(m.abs_diff(n)) {
            group.0 += score;
            group.1 += 1.0;
        }
    }
    groups.iter().map(|(sum, count)| sum / count).collect()
}

/// 每一行的最大值离对角线多远。
pub fn distance_of_row_maximum(scores: ArrayView2<f64>) -> Vec<usize> {
    let best = |row: ArrayView1<f64>| {
        (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b]))
    };
    scores
        .rows()
        .into_iter()
        .enumerate()
        .filter_map(|(m, row)| best(row).map(|n| m.abs_diff(n)))
        .collect()
}
// ANCHOR_END: by_distance

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::rotary::{Rotary, adjacent_to_half_split, rotation_matrix};
    use crate::sinusoidal::kernel;
    use ndarray::{arr1, array, aview1};

    const Q: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    const K: [f64; 4] = [0.5, -1.0, 2.0, 1.0];
    const LAYOUTS: [PairLayout; 2] = [PairLayout::Adjacent, PairLayout::HalfSplit];

    #[test]
    fn score_equals_the_rotation_matrix_and_the_sum_of_cosines() {
        let (q, k) = seeded_query_key(7, 2, 16);
        for layout in LAYOUTS {
            for offset in [-300, -2, -1, 0, 1, 5, 44, 9999] {
                let (q, k) = (q.row(0), k.row(1));
                let matrix = rotation_matrix(16, offset, 10000.0, layout).unwrap();
                let literal = q.dot(&matrix.dot(&k));
                let fast = relative_score(q, k, offset, 10000.0, layout).unwrap();
                let pairs = score_by_pairs(q, k, offset, 10000.0, layout).unwrap();
                assert!((fast - literal).abs() < 1e-12, "{layout:?} {offset}");
                assert!((pairs - literal).abs() < 1e-12, "{layout:?} {offset}");
            }
        }
    }

    #[test]
    fn test_vector_of_the_pitfalls() {
        let (q, k) = (aview1(&Q), aview1(&K));
        let at =
            |offset, layout| relative_score(q, k, offset, 10000.0, layout).unwrap();
        assert!((at(-1, PairLayout::Adjacent) - 7.456105).abs() < 5e-7);
        assert!((at(-1, PairLayout::HalfSplit) - 5.992599).abs() < 5e-7);
        assert!((at(-2, PairLayout::Adjacent) - 8.703632).abs() < 5e-7);
        assert!((at(1, PairLayout::Adjacent) - 10.921988).abs() < 5e-7);
    }

    #[test]
    fn rotating_is_a_complex_product() {
        let theta = frequencies(4, 10000.0).unwrap();
        for n in [-2, 0, 1, 90] {
            let y = rotate_vector(aview1(&Q), n, 10000.0, LAYOUTS[0]).unwrap();
            for i in 0..2 {
                let (re, im) =
                    ((n as f64 * theta[i]).cos(), (n as f64 * theta[i]).sin());
                let (a, b) = (Q[2 * i], Q[2 * i + 1]);
                assert!((y[2 * i] - (re * a - im * b)).abs() < 1e-12);
                assert!((y[2 * i + 1] - (re * b + im * a)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn rotating_commutes_with_rearranging() {
        let x = aview1(&Q);
        for n in [-3, 0, 1, 700] {
            let adjacent = rotate_vector(x, n, 10000.0, LAYOUTS[0]).unwrap();
            let moved = adjacent_to_half_split(x).unwrap();
            let half = rotate_vector(moved.view(), n, 10000.0, LAYOUTS[1]).unwrap();
            let expected = adjacent_to_half_split(adjacent.view()).unwrap();
            assert!((half - expected).iter().all(|gap| gap.abs() < 1e-12));
        }
    }

    #[test]
    fn lengths_must_agree() {
        let wrong = relative_score(aview1(&Q), aview1(&K[..2]), 0, 1e4, LAYOUTS[0]);
        let shape = Error::Shape {
            name: "key",
            expected: 4,
            found: 2,
        };
        assert_eq!(wrong, Err(shape.clone()));
        let pairs = score_by_pairs(aview1(&Q), aview1(&K[..2]), 0, 1e4, LAYOUTS[1]);
        assert_eq!(pairs, Err(shape.clone()));
        assert_eq!(abel_bound(aview1(&Q), aview1(&K[..2]), 0, 1e4), Err(shape));
    }

    #[test]
    fn partial_sums_start_at_one_and_end_at_the_kernel() {
        let theta = frequencies(128, 10000.0).unwrap();
        let at_zero = partial_sums(theta.view(), 0);
        for (j, value) in at_zero.iter().enumerate() {
            assert!((value - (j + 1) as f64).abs() < 1e-12);
        }
        let last = partial_sums(theta.view(), 9)[63];
        assert!(last >= kernel(theta.view(), 9).abs());
        let sines: f64 = theta.iter().map(|t| (9.0 * t).sin()).sum();
        assert!((last - kernel(theta.view(), 9).hypot(sines)).abs() < 1e-12);
    }

    /// `EQ_ABEL_PARTS` 逐字：两种求和都等于分数。
    #[test]
    fn summation_by_parts_gives_the_score() {
        let (offset, theta) = (7_i64, frequencies(4, 10000.0).unwrap());
        let h = |i: usize| match i {
            2 => (0.0, 0.0),
            _ => {
                let (qx, qy) = (Q[2 * i], Q[2 * i + 1]);
                let (kx, ky) = (K[2 * i], K[2 * i + 1]);
                (kx * qx + ky * qy, ky * qx - kx * qy)
            }
        };
        let s = |j: usize| {
            let angles = theta.iter().take(j).map(|t| offset as f64 * t);
            angles.fold((0.0, 0.0), |sum, a| (sum.0 + a.cos(), sum.1 + a.sin()))
        };
        let re = |a: (f64, f64), b: (f64, f64)| a.0 * b.0 - a.1 * b.1;
        let minus = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0, a.1 - b.1);
        let first: f64 = (0..2).map(|i| re(h(i), minus(s(i + 1), s(i)))).sum();
        let second: f64 = (1..3).map(|j| re(minus(h(j - 1), h(j)), s(j))).sum();
        let (q, k) = (aview1(&Q), aview1(&K));
        let score = relative_score(q, k, offset, 10000.0, PairLayout::Adjacent);
        assert!((first - score.unwrap()).abs() < 1e-12);
        assert!((second - first).abs() < 1e-12);
    }

    #[test]
    fn mean_partial_sum_is_the_published_curve() {
        let theta = frequencies(128, 10000.0).unwrap();
        let rounded = |offset| {
            (mean_partial_sum(theta.view(), offset).unwrap() * 100.0).round() / 100.0
        };
        assert_eq!(
            [0, 1, 100, 2048, 4096].map(rounded),
            [32.5, 31.54, 10.23, 3.62, 4.88]
        );
        assert!(mean_partial_sum(aview1(&[]), 1).is_err());
    }

    /// `h_i` 是第 `i` 对的 `q·k̄`，`h_pairs = 0`；两对时逐字写开。
    #[test]
    fn abel_bound_written_out_for_two_pairs() {
        let (q, k) = ([0.7_f64, -1.3, 2.1, 0.4], [-0.9_f64, 0.6, 1.7, -2.2]);
        let real = [q[0] * k[0] + q[1] * k[1], q[2] * k[2] + q[3] * k[3]];
        let imaginary = [q[0] * k[1] - q[1] * k[0], q[2] * k[3] - q[3] * k[2]];
        let first = (real[1] - real[0]).hypot(imaginary[1] - imaginary[0]);
        let last = real[1].hypot(imaginary[1]);
        let (one, slow) = (3.0_f64.sin_cos(), 0.03_f64.sin_cos());
        let sums = 1.0 + (one.1 + slow.1).hypot(one.0 + slow.0);
        for (query, key) in [(q, k), (k, q)] {
            let found = abel_bound(aview1(&query), aview1(&key), 3, 1e4).unwrap();
            let wanted = first.max(last) * sums;
            assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
        let (q, k) = ([0.7_f64, -1.3, 0.2, 0.4], [-0.9_f64, 0.6, 0.3, -0.2]);
        let real = [q[0] * k[0] + q[1] * k[1], q[2] * k[2] + q[3] * k[3]];
        let imaginary = [q[0] * k[1] - q[1] * k[0], q[2] * k[3] - q[3] * k[2]];
        let first = (real[1] - real[0]).hypot(imaginary[1] - imaginary[0]);
        assert!(first > real[1].hypot(imaginary[1]));
        let found = abel_bound(aview1(&q), aview1(&k), 3, 1e4).unwrap();
        assert!((found - first * sums).abs() < 1e-12);
    }

    #[test]
    fn abel_bound_holds_and_matches_its_definition() {
        let (q, k) = seeded_query_key(3, 1, 8);
        let (q, k) = (q.row(0), k.row(0));
        for offset in 0..300 {
            let score =
                relative_score(q, k, offset, 1e4, PairLayout::Adjacent).unwrap();
            assert!(score.abs() <= abel_bound(q, k, offset, 1e4).unwrap());
        }
        // 一对：h_0 = q·conj(k)，h_1 = 0，S_1 的模是 1。
        let one = abel_bound(aview1(&[3.0, 4.0]), aview1(&[0.0, 2.0]), 5, 1e4).unwrap();
        assert!((one - 10.0).abs() < 1e-12);
        // 两对：h = (2, 0) 与 (0, -1)，差的模是 √5 与 1。
        let two = abel_bound(
            aview1(&[1.0, 0.0, 1.0, 0.0]),
            aview1(&[2.0, 0.0, 0.0, 1.0]),
            0,
            1e4,
        );
        assert!((two.unwrap() - 5.0_f64.sqrt() * 3.0).abs() < 1e-12);
    }

    #[test]
    fn seeded_vectors_are_the_lessons() {
        let (q, k) = seeded_query_key(42, 5, 8);
        assert_eq!((q.dim(), k.dim()), ((5, 8), (5, 8)));
        let rotary = Rotary::new(8, 10000.0, PairLayout::Adjacent).unwrap();
        let positions = [0, 1, 2, 3, 4];
        let q = rotary.rotate(q.view(), &positions).unwrap();
        let k = rotary.rotate(k.view(), &positions).unwrap();
        assert!((q.row(1).dot(&k.row(4)) - 0.5125028536060704).abs() < 1e-12);
    }

    #[test]
    fn mean_scores_average_over_draws() {
        let one = mean_scores(5, 1, 4, &[0, 3], true).unwrap();
        let mut random = LegacyRandom::new(5);
        let q = arr1(&[(); 4].map(|()| random.normal()));
        for (mean, offset) in one.iter().zip([0, 3]) {
            let score =
                relative_score(q.view(), q.view(), offset, 1e4, PairLayout::Adjacent)
                    .unwrap();
            assert!((mean - score / 4.0).abs() < 1e-12);
        }
        let two = mean_scores(5, 2, 4, &[1], false).unwrap();
        let mut random = LegacyRandom::new(5);
        let mut draw = || arr1(&[(); 4].map(|()| random.normal()));
        let scores = [(); 2].map(|()| {
            let (q, k) = (draw(), draw());
            relative_score(q.view(), k.view(), 1, 1e4, PairLayout::Adjacent).unwrap()
        });
        assert!((two[0] - (scores[0] + scores[1]) / 8.0).abs() < 1e-12);
        assert!(mean_scores(5, 0, 4, &[1], false).is_err());
    }

    #[test]
    fn grouping_by_distance() {
        let scores = array![[1.0, 5.0, 2.0], [3.0, 2.0, 7.0], [4.0, 9.0, 3.0]];
        assert_eq!(means_by_distance(scores.view()), [2.0, 6.0, 3.0]);
        assert_eq!(distance_of_row_maximum(scores.view()), [1, 1, 1]);
        let scores = array![[1.0, 0.0, 2.0], [0.0, 2.0, 1.0], [0.0, 1.0, 1.5]];
        assert_eq!(distance_of_row_maximum(scores.view()), [2, 0, 0]);
    }
}
