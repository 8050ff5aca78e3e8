use crate::{Claim, below, bound, calc, cited, ensure, proof, values};
use ndarray::{Array1, ArrayView1, ArrayView2, arr1};
use posenc::Error;
use posenc::attention::scaled_scores;
use posenc::frequency::{frequencies, wavelengths};
use posenc::rotary::{PairLayout, Rotary, dot, rotate_vector, rotation_matrix};
use posenc::rotary_score::{
    abel_bound, distance_of_row_maximum, mean_partial_sum, mean_scores,
    means_by_distance, relative_score, score_by_pairs, seeded_query_key,
};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

const BASE: f64 = 10000.0;
const ADJACENT: PairLayout = PairLayout::Adjacent;
const LAYOUTS: [PairLayout; 2] = [PairLayout::Adjacent, PairLayout::HalfSplit];

/// 查询在 `m`、键在 `n`，各转各的，再点积。
fn placed(
    (m, q): (i64, ArrayView1<f64>),
    (n, k): (i64, ArrayView1<f64>),
    layout: PairLayout,
) -> Result<f64, Error> {
    let q = rotate_vector(q, m, BASE, layout)?;
    let k = rotate_vector(k, n, BASE, layout)?;
    dot(q.view(), k.view())
}

/// 四维的例子：查询与键。
fn example() -> (Array1<f64>, Array1<f64>) {
    (arr1(&[1.0, 2.0, 3.0, 4.0]), arr1(&[0.5, -1.0, 2.0, 1.0]))
}

/// 讲稿旋转后的分数，除以头宽的平方根。
fn lesson() -> Result<ndarray::Array2<f64>, Error> {
    let (q, k) = seeded_query_key(42, 5, 8);
    let rotary = Rotary::new(8, BASE, ADJACENT)?;
    let turn = |x: ArrayView2<f64>| rotary.rotate(x, &[0, 1, 2, 3, 4]);
    scaled_scores(turn(q.view())?.view(), turn(k.view())?.view())
}

/// 一个函数在偏移 0 到 4096 上的最小值。
fn lowest(value: impl Fn(i64) -> Result<f64, Error>) -> Result<f64, Error> {
    (0..=4096).try_fold(f64::INFINITY, |least, offset| Ok(least.min(value(offset)?)))
}

/// 同样长的两列数，最大的差。
fn gap(left: &[f64], right: &[f64]) -> f64 {
    let pairs = left.iter().zip(right);
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

pub fn claims() -> Vec<Claim> {
    vec![
        calc("rotary-01", || {
            let turns = wavelengths(&frequencies(8, BASE)?)?;
            values![BASE, turns[0], turns[1], turns[2], turns[3]]
        }),
        calc("rotary-02", || {
            let (q, k) = (arr1(&[3.0, 1.0]), arr1(&[1.0, 2.0]));
            let score = placed((1, q.view()), (3, k.view()), ADJACENT)?;
            values![q[0], q[1], 1, k[0], k[1], 3, score]
        }),
        bound("rotary-03", || {
            let (queries, _) = seeded_query_key(42, 1, 8);
            let x = queries.row(0);
            let mut worst: f64 = 0.0;
            for position in 0..=10000 {
                let y = rotate_vector(x, position, BASE, ADJACENT)?;
                let change = dot(y.view(), y.view())?.sqrt() - dot(x, x)?.sqrt();
                worst = worst.max(change.abs());
            }
            values![0, 10000, below(worst, 1e-12)?]
        }),
        proof("rotary-04", "rotary-relative", || {
            let (queries, keys) = seeded_query_key(42, 5, 8);
            for layout in LAYOUTS {
                for (q, k) in queries.rows().into_iter().zip(keys.rows()) {
                    for (m, n) in [(0, 0), (1, 4), (4, 1), (-7, 300), (10000, 10003)] {
                        let left = placed((m, q), (n, k), layout)?;
                        let right = relative_score(q, k, n - m, BASE, layout)?;
                        below((left - right).abs(), 1e-12)?;
                    }
                }
            }
            let (m, n) = (
                rotation_matrix(8, 5, BASE, ADJACENT)?,
                rotation_matrix(8, 9, BASE, ADJACENT)?,
            );
            let four = rotation_matrix(8, 4, BASE, ADJACENT)?;
            let rest = &m.t().dot(&n) - &four;
            below(rest.iter().fold(0.0, |a: f64, b| a.max(b.abs())), 1e-12)?;
            values![]
        }),
        calc("rotary-05", || {
            let (q, k) = seeded_query_key(42, 5, 8);
            let first = placed((1, q.row(1)), (4, k.row(4)), ADJACENT)?;
            let second = placed((0, q.row(0)), (3, k.row(3)), ADJACENT)?;
            values![1, 4, first, 0, 3, second]
        }),
        calc("rotary-06", || {
            let q = arr1(&[1.0, 0.0]);
            let at =
                |offset| relative_score(q.view(), q.view(), offset, BASE, ADJACENT);
            let theta = frequencies(2, BASE)?;
            values![theta[0], 1, at(1)?, 3, at(3)?, 6, at(6)?]
        }),
        proof("rotary-07", "rotary-anywhere", || {
            let (queries, _) = seeded_query_key(42, 3, 16);
            for q in queries.rows() {
                for r in [-250, -1, 0, 5, 37] {
                    let k = rotate_vector(q, -r, BASE, ADJACENT)?;
                    let at =
                        |offset| score_by_pairs(q, k.view(), offset, BASE, ADJACENT);
                    let top = at(r)?;
                    below((top - dot(q, q)?).abs(), 1e-12)?;
                    for offset in -400..=400 {
                        ensure(
                            offset == r || at(offset)? < top,
                            "别处的分数应当低于造好的偏移",
                        )?;
                    }
                }
            }
            values![]
        }),
        proof("rotary-08", "rotary-average", || {
            // 每个分量取 ±1，各占一半：均值为零、方差为一、相互独立，平均可以算尽。
            let signs = |bits: u32| {
                Array1::from_shape_fn(
                    4,
                    |i| if bits >> i & 1 == 1 { 1.0 } else { -1.0 },
                )
            };
            for offset in [0, 1, 8, 512] {
                let (mut independent, mut same) = (0.0, 0.0);
                for a in 0..16 {
                    let q = signs(a);
                    same += relative_score(q.view(), q.view(), offset, BASE, ADJACENT)?;
                    for b in 0..16 {
                        let k = signs(b);
                        independent +=
                            relative_score(q.view(), k.view(), offset, BASE, ADJACENT)?;
                    }
                }
                below((independent / 256.0).abs(), 1e-12)?;
                let cosines = frequencies(4, BASE)?.mapv(|t| (offset as f64 * t).cos());
                below((same / 16.0 / 4.0 - cosines.sum() / 2.0).abs(), 1e-12)?;
            }
            values![]
        }),
        bound("rotary-09", || {
            let means = mean_scores(42, 20000, 64, &[0, 1, 8, 64, 512], false)?;
            let worst = means.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            values![42, 20000, 64, 64, below(worst, 0.005)?]
        }),
        calc("rotary-10", || {
            let theta = frequencies(128, BASE)?;
            let curve = |offset| mean_partial_sum(theta.view(), offset);
            let mut rises = 0;
            for offset in 0..256 {
                rises += usize::from(curve(offset + 1)? > curve(offset)?);
            }
            values![128, 256, rises, 2048, curve(2048)?, 4096, curve(4096)?]
        }),
        calc("rotary-11", || {
            let (q, k) = seeded_query_key(42, 1, 128);
            let (q, k) = (&q.row(0) * 2.0, &k.row(0) * 2.0);
            let least = lowest(|at| abel_bound(q.view(), k.view(), at, BASE))?;
            let lengths = (dot(q.view(), q.view())? * dot(k.view(), k.view())?).sqrt();
            values![42, 128, 0, 4096, least, lengths]
        }),
        calc("rotary-12", || {
            let ones = Array1::ones(128);
            let least = lowest(|at| abel_bound(ones.view(), ones.view(), at, BASE))?;
            values![128, 1, least, dot(ones.view(), ones.view())?]
        }),
        calc("rotary-13", || {
            let means = means_by_distance(lesson()?.view());
            values![0, 4, means[0], means[1], means[2], means[3], means[4]]
        }),
        calc("rotary-14", || {
            let far = distance_of_row_maximum(lesson()?.view());
            values![far[0], far[1], far[2], far[3], far[4]]
        }),
        calc("rotary-15", || {
            let (q, k) = example();
            let at = |layout| placed((5, q.view()), (4, k.view()), layout);
            values![5, 4, at(LAYOUTS[0])?, at(LAYOUTS[1])?]
        }),
        calc("rotary-16", || {
            let (q, k) = example();
            let stored = rotate_vector(k.view(), 0, BASE, ADJACENT)?;
            let m = 4;
            let at = |extra| placed((m, q.view()), (extra, stored.view()), ADJACENT);
            values![m, at(3)?, at(0)?, at(6)?]
        }),
        bound("rotary-17", || {
            let table = sinusoidal_table(1001, 64, BASE, ColumnLayout::Interleaved)?;
            let mut worst: f64 = 0.0;
            for (n, row) in table.rows().into_iter().enumerate() {
                let turn = rotation_matrix(64, n as i64, BASE, ADJACENT)?;
                let drawn: Vec<f64> = (0..64)
                    .map(|j| {
                        let first = j - j % 2;
                        turn[[first + 1 - j % 2, first]]
                    })
                    .collect();
                worst = worst.max(gap(&drawn, &row.to_vec()));
            }
            values![64, 0, 1000, below(worst, 1e-12)?]
        }),
        calc("rotary-19", || {
            let slowest = |base: f64| -> Result<f64, Error> {
                Ok(wavelengths(&frequencies(128, base)?)?[63])
            };
            let bases = [1e4, 5e5, 1e6];
            let [a, b, c] = bases.map(slowest);
            values![128, bases[0], a?, bases[1], b?, bases[2], c?]
        }),
        calc("rotary-25", || {
            let turns = wavelengths(&frequencies(128, BASE)?)?;
            let whole = turns.iter().filter(|&&steps| steps <= 2048.0).count();
            values![128, 2048, turns.len(), whole, turns.len() - whole]
        }),
        calc("rotary-27", || {
            let [_, train, slow_train, test, slow_test] = cited("rotary-26")?;
            values![1.0 - slow_train / train, 1.0 - slow_test / test]
        }),
        calc("rotary-29", || {
            // 基数 4、四维时，第二对的频率是二分之一。
            let (q, k) = (arr1(&[0.0, 0.0, 1.0, 0.0]), arr1(&[0.0, 0.0, 0.0, 1.0]));
            let at = |offset| relative_score(q.view(), k.view(), offset, 4.0, ADJACENT);
            let mut best = (0, at(0)?);
            for offset in 1..=10 {
                if at(offset)? > best.1 {
                    best = (offset, at(offset)?);
                }
            }
            values![0, at(0)?, 1, at(1)?, best.0, best.1]
        }),
    ]
}
