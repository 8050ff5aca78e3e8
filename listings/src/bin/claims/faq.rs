use crate::{Claim, below, bound, calc, ensure, proof, values};
use ndarray::{Array1, Array2, ArrayView1, array, s};
use posenc::attention::{Mask, SelfAttention};
use posenc::frequency::{frequencies, wavelengths};
use posenc::linear::residual;
use posenc::mixing::layer_weights;
use posenc::order::{max_abs_diff_row, run_layers, sentence_with_stop};
use posenc::padding::{token_capacity, token_rows};
use posenc::rng::LegacyRandom;
use posenc::rotary::{PairLayout, dot, rotate_vector, rotation_matrix};
use posenc::sinusoidal::{ColumnLayout, kernel, sinusoidal_table};

const BASE: f64 = 10000.0;

fn table(rows: usize, width: usize) -> posenc::Result<Array2<f64>> {
    sinusoidal_table(rows, width, BASE, ColumnLayout::Interleaved)
}

fn length(x: ArrayView1<f64>) -> f64 {
    x.dot(&x).sqrt()
}

/// 相邻两行的距离，取前 `count` 个。
fn gaps(rows: &Array2<f64>, count: usize) -> Vec<f64> {
    let gap = |n| length((&rows.row(n + 1) - &rows.row(n)).view());
    (0..count).map(gap).collect()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// 用 `inputs` 的列凑 `targets` 的列，残差的均方根。
fn residual_rms(
    inputs: &Array2<f64>,
    targets: &Array2<f64>,
) -> Result<f64, posenc::Error> {
    let rest = residual(inputs.view(), targets.view())?;
    Ok((rest.mapv(|x| x * x).sum() / rest.len() as f64).sqrt())
}

/// 查询在 `m`、键在 `n`，各用一种配对，旋转以后的分数。
fn score(
    q: ArrayView1<f64>,
    k: ArrayView1<f64>,
    [m, n]: [i64; 2],
    [of_q, of_k]: [PairLayout; 2],
) -> posenc::Result<f64> {
    let turned = rotate_vector(q, m, BASE, of_q)?;
    dot(turned.view(), rotate_vector(k, n, BASE, of_k)?.view())
}

const ADJACENT: [PairLayout; 2] = [PairLayout::Adjacent; 2];
const HALVES: [PairLayout; 2] = [PairLayout::HalfSplit; 2];

fn vectors() -> (Array1<f64>, Array1<f64>) {
    (array![1.0, 2.0, 3.0, 4.0], array![0.5, -1.0, 2.0, 1.0])
}

pub fn claims() -> Vec<Claim> {
    vec![
        calc("faq-01", || {
            let (m, n) = (11, 344);
            let (a, b) = (f64::from(m).sin(), f64::from(n).sin());
            // 半精度在 1 附近的间隔是 2⁻¹¹：两个数都舍入到 −1。
            below(1.0 + a.max(b), 2.0_f64.powi(-12))?;
            values![m, n, (a - b).abs()]
        }),
        calc("faq-02", || {
            let (count, step) = (500, 7);
            let rows = table(count + step, 16)?;
            let sines = rows.slice(s![.., ..;2]).to_owned();
            let from = |x: &Array2<f64>| x.slice(s![..count, ..]).to_owned();
            let to = |x: &Array2<f64>| x.slice(s![step.., ..]).to_owned();
            below(residual_rms(&from(&rows), &to(&rows))?, 1e-12)?;
            let left = residual_rms(&from(&sines), &to(&sines))?;
            values![16, sines.ncols(), count, step, left]
        }),
        calc("faq-03", || {
            let rows = table(5000, 16)?;
            for row in rows.rows() {
                below((row.dot(&row) - 8.0).abs(), 1e-12)?;
            }
            values![16, rows.row(123).dot(&rows.row(123))]
        }),
        calc("faq-04", || {
            let gaps = gaps(&table(5000, 16)?, 4999);
            for gap in &gaps {
                below((gap - gaps[0]).abs(), 1e-12)?;
            }
            values![16, gaps[0]]
        }),
        calc("faq-05", || {
            let sines = table(4097, 16)?.slice(s![.., ..;2]).to_owned();
            let (near, far) = (gaps(&sines, 100), gaps(&sines, 4096));
            values![near.len(), least(&near), far.len(), least(&far)]
        }),
        calc("faq-06", || {
            let (old, new) = (layer_weights(512, 2048)?, layer_weights(1024, 4096)?);
            values![512, 1024, old, new, new as f64 / old as f64]
        }),
        calc("faq-07", || values![512, 512 * 512]),
        bound("faq-08", || {
            let rows = table(1000, 16)?;
            let mut worst = 0.0_f64;
            for n in 0..1000 {
                let r = rotation_matrix(16, n as i64, BASE, PairLayout::Adjacent)?;
                for i in 0..8 {
                    let (s, c) = (2 * i, 2 * i + 1);
                    worst = worst.max((r[[c, s]] - rows[[n, s]]).abs());
                    worst = worst.max((r[[s, s]] - rows[[n, c]]).abs());
                }
            }
            values![below(worst, 1e-15)?]
        }),
        bound("faq-09", || {
            let qk = LegacyRandom::new(42).normal_matrix(2, 8);
            let (q, k) = (qk.row(0), qk.row(1));
            let shift = 10000;
            let here = score(q, k, [3, 8], ADJACENT)?;
            let there = score(q, k, [3 + shift, 8 + shift], ADJACENT)?;
            values![shift, below((here - there).abs(), 1e-9)?]
        }),
        calc("faq-10", || values![512, frequencies(512, BASE)?.len()]),
        calc("faq-11", || {
            let (m, n) = (1, 10001);
            let rows = table(n + 1, 512)?;
            let apart = length((&rows.row(n) - &rows.row(m)).view());
            values![m, n, 512, apart, length(rows.row(n))]
        }),
        calc("faq-12", || {
            let waves = wavelengths(&frequencies(512, BASE)?)?;
            let slowest = waves[waves.len() - 1];
            let limit = std::f64::consts::TAU * BASE;
            below(slowest, limit)?;
            values![slowest, limit]
        }),
        calc("faq-13", || {
            let width = 512.0_f64;
            let row = length(table(1, 512)?.row(0));
            let plain = (width * (1.0 / width)).sqrt();
            values![width, row, plain, width.sqrt(), width.sqrt() * plain]
        }),
        calc("faq-14", || {
            values![BASE, BASE.ln(), BASE.log10(), 4.0_f64.exp()]
        }),
        calc("faq-16", || {
            let (q, k) = vectors();
            let mixed = [PairLayout::Adjacent, PairLayout::HalfSplit];
            let at = |layouts| score(q.view(), k.view(), [5, 4], layouts);
            let (adjacent, halves, mixed) = (at(ADJACENT)?, at(HALVES)?, at(mixed)?);
            values![
                0, 1, q[0], q[1], q[2], q[3], k[0], k[1], k[2], k[3], 5, 4, adjacent,
                halves, mixed
            ]
        }),
        calc("faq-17", || {
            let first = token_rows(&[true], 1, 0)?;
            values![1, first[0], 514, token_capacity(514, 1)]
        }),
        calc("faq-18", || {
            let x = array![1.0, 0.0];
            let at = |n| score(x.view(), x.view(), [0, n], ADJACENT);
            values![1, at(1)?, 3, at(3)?, 6, at(6)?]
        }),
        calc("faq-19", || {
            let q = LegacyRandom::new(42).normal_matrix(1, 64).row(0).to_owned();
            let k = rotate_vector(q.view(), 37, BASE, PairLayout::Adjacent)?;
            let mut best = (0, f64::NEG_INFINITY);
            for distance in 0..512 {
                let found = score(q.view(), k.view(), [distance, 0], ADJACENT)?;
                if found > best.1 {
                    best = (distance, found);
                }
            }
            values![37, best.0]
        }),
        calc("faq-20", || {
            let theta = frequencies(128, BASE)?;
            let g = |offset| kernel(theta.view(), offset);
            ensure(g(12) > g(11), "平均值自己也会回升")?;
            values![]
        }),
        proof("faq-23", "faq-twins", || {
            // 第一个词和第三个词相同，隔着一个别的词。
            let mut x = sentence_with_stop();
            let first = x.row(0).to_owned();
            x.row_mut(2).assign(&first);
            let layers = [1, 2, 3].map(|seed| SelfAttention::seeded(seed, 6, 6));
            let open = run_layers(&layers, x.view(), Mask::None)?;
            below(max_abs_diff_row(open.row(0), open.row(2))?, 1e-12)?;
            let causal = run_layers(&layers[..1], x.view(), Mask::Causal)?;
            let apart = max_abs_diff_row(causal.row(0), causal.row(2))?;
            ensure(apart > 1e-3, "因果掩码分得开")?;
            values![]
        }),
        calc("faq-24", || {
            let (q, k) = vectors();
            let at = |n| score(q.view(), k.view(), [5, n], ADJACENT);
            values![
                q[0],
                q[1],
                q[2],
                q[3],
                5,
                k[0],
                k[1],
                k[2],
                k[3],
                4,
                at(4)?,
                6,
                at(6)?
            ]
        }),
        calc("faq-25", || {
            let (q, _) = vectors();
            let at = |n| score(q.view(), q.view(), [5, n], ADJACENT);
            let (before, after) = (at(4)?, at(6)?);
            below((before - after).abs(), 1e-12)?;
            values![before]
        }),
    ]
}
