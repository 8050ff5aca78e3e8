use crate::{Claim, above, below, bound, calc, cited, ensure, proof, values};
use ndarray::{Array1, Array2, ArrayView1, array, s};
use posenc::additive::embed;
use posenc::attention::{Mask, SelfAttention, attend, max_abs_diff};
use posenc::frequency::{frequencies, wavelengths};
use posenc::learned::LearnedTable;
use posenc::linear::residual;
use posenc::mixing::{above as stacked, beside, layer_weights};
use posenc::order::{
    equivariance_gap, max_abs_diff_row, run_layers, sentence, sentence_with_stop,
};
use posenc::padding::{token_capacity, token_rows};
use posenc::rng::LegacyRandom;
use posenc::rotary::{
    PairLayout, Rotary, consecutive, dot, rotate_vector, rotation_matrix,
};
use posenc::sinusoidal::{ColumnLayout, kernel, shift_matrix, sinusoidal_table};

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

/// 旋转矩阵里的数与正弦编码那张表的数，前 `count` 个位置上最大的差。
fn rotation_from_table(count: usize) -> posenc::Result<f64> {
    let rows = table(count, 16)?;
    let mut worst = 0.0_f64;
    for n in 0..count {
        let r = rotation_matrix(16, n as i64, BASE, PairLayout::Adjacent)?;
        for i in 0..8 {
            let (s, c) = (2 * i, 2 * i + 1);
            worst = worst.max((r[[c, s]] - rows[[n, s]]).abs());
            worst = worst.max((r[[s, s]] - rows[[n, c]]).abs());
        }
    }
    Ok(worst)
}

/// 键是查询转过 `steps` 步，相隔多远时分数最高。
fn best_distance(steps: i64) -> posenc::Result<i64> {
    let q = LegacyRandom::new(42).normal_matrix(1, 64).row(0).to_owned();
    let k = rotate_vector(q.view(), steps, BASE, PairLayout::Adjacent)?;
    let mut best = (0, f64::NEG_INFINITY);
    for distance in 0..512 {
        let found = score(q.view(), k.view(), [distance, 0], ADJACENT)?;
        if found > best.1 {
            best = (distance, found);
        }
    }
    Ok(best.0)
}

/// 一个宽六的头，头宽也是六，可以叠。
fn head(seed: u32) -> SelfAttention {
    SelfAttention::seeded(seed, 6, 6)
}

/// 第一个词和第三个词相同，隔着一个别的词。
fn twins() -> Array2<f64> {
    let mut x = sentence_with_stop();
    let first = x.row(0).to_owned();
    x.row_mut(2).assign(&first);
    x
}

/// 叠 `layers` 层以后，两个相同的词的输出差多少。
fn twin_gap(layers: u32, mask: Mask) -> posenc::Result<f64> {
    let layers: Vec<_> = (1..=layers).map(head).collect();
    let out = run_layers(&layers, twins().view(), mask)?;
    max_abs_diff_row(out.row(0), out.row(2))
}

/// 叠 `layers` 层带旋转和残差的注意力，整句往后挪一百步，输出变多少；值可以也转。
fn shift_change(layers: u32, turn_values: bool) -> posenc::Result<f64> {
    let rotary = Rotary::new(6, BASE, PairLayout::Adjacent)?;
    let run = |first| -> posenc::Result<Array2<f64>> {
        let positions = consecutive(first, 4)?;
        let mut x = sentence_with_stop();
        for head in (1..=layers).map(head) {
            let turn = |w: &Array2<f64>| rotary.rotate(x.dot(w).view(), &positions);
            let (q, k) = (turn(&head.w_query)?, turn(&head.w_key)?);
            let plain = x.dot(&head.w_value);
            let v = if turn_values {
                turn(&head.w_value)?
            } else {
                plain
            };
            x = attend(q.view(), k.view(), v.view(), Mask::Causal)?.output + &x;
        }
        Ok(x)
    };
    max_abs_diff(run(0)?.view(), run(100)?.view())
}

pub fn claims() -> Vec<Claim> {
    vec![
        proof("faq-01", "sinusoidal#sinusoidal-sine-only", || {
            let rows = table(100, 16)?;
            let moved = rows
                .slice(s![..93, ..])
                .dot(&shift_matrix(16, BASE, 7)?.t());
            below(max_abs_diff(moved.view(), rows.slice(s![7.., ..]))?, 1e-12)?;
            let sines = rows.slice(s![.., ..;2]);
            // 位置零的正弦全是零，没有矩阵能把它推到不是零的位置七。
            ensure(sines.row(0).iter().all(|&sine| sine == 0.0), "零向量")?;
            above(length(sines.row(7)), 0.1)?;
            values![]
        }),
        calc("faq-02", || {
            let (m, n) = (11, 344);
            let (a, b) = (f64::from(m).sin(), f64::from(n).sin());
            // 半精度在 1 附近的间隔是 2⁻¹¹：两个数都舍入到 −1。
            below(1.0 + a.max(b), 2.0_f64.powi(-12))?;
            values![m, n, (a - b).abs()]
        }),
        calc("faq-03", || {
            let (count, step) = (500, 7);
            let rows = table(count + step, 16)?;
            let sines = rows.slice(s![.., ..;2]).to_owned();
            let from = |x: &Array2<f64>| x.slice(s![..count, ..]).to_owned();
            let to = |x: &Array2<f64>| x.slice(s![step.., ..]).to_owned();
            below(residual_rms(&from(&rows), &to(&rows))?, 1e-12)?;
            let left = residual_rms(&from(&sines), &to(&sines))?;
            values![16, sines.ncols(), count, step, left]
        }),
        calc("faq-04", || {
            let rows = table(5000, 16)?;
            for row in rows.rows() {
                below((row.dot(&row) - 8.0).abs(), 1e-12)?;
            }
            values![16, rows.row(123).dot(&rows.row(123))]
        }),
        calc("faq-05", || {
            let gaps = gaps(&table(5000, 16)?, 4999);
            for gap in &gaps {
                below((gap - gaps[0]).abs(), 1e-12)?;
            }
            values![16, gaps[0]]
        }),
        calc("faq-06", || {
            let sines = table(4097, 16)?.slice(s![.., ..;2]).to_owned();
            let (near, far) = (gaps(&sines, 100), gaps(&sines, 4096));
            values![near.len(), least(&near), far.len(), least(&far)]
        }),
        calc("faq-07", || {
            let mut random = LegacyRandom::new(42);
            let mut draw = || random.normal_matrix(4, 4);
            let (x, p, w) = (draw(), draw(), draw());
            let tied = stacked(w.view(), w.view())?;
            let joined = beside(x.view(), p.view())?.dot(&tied);
            below(max_abs_diff((x + p).dot(&w).view(), joined.view())?, 1e-12)?;
            let (narrow, wide) = (layer_weights(4, 16)?, layer_weights(8, 32)?);
            ensure(tied.len() > w.len() && wide > narrow, "拼接要多付钱")?;
            values![]
        }),
        calc("faq-08", || {
            let (old, new) = (layer_weights(512, 2048)?, layer_weights(1024, 4096)?);
            values![512, 1024, old, new, new as f64 / old as f64]
        }),
        calc("faq-09", || values![512, 512 * 512]),
        calc("faq-10", || {
            below(rotation_from_table(100)?, 1e-15)?;
            let (q, _) = vectors();
            let turned = rotate_vector(q.view(), 5, BASE, PairLayout::Adjacent)?;
            below((length(turned.view()) - length(q.view())).abs(), 1e-12)?;
            let added = &q + &table(6, 4)?.row(5);
            above((length(added.view()) - length(q.view())).abs(), 0.1)?;
            values![]
        }),
        bound("faq-11", || {
            values![below(rotation_from_table(1000)?, 1e-15)?]
        }),
        bound("faq-12", || {
            let qk = LegacyRandom::new(42).normal_matrix(2, 8);
            let (q, k) = (qk.row(0), qk.row(1));
            let shift = 10000;
            let here = score(q, k, [3, 8], ADJACENT)?;
            let there = score(q, k, [3 + shift, 8 + shift], ADJACENT)?;
            values![shift, below((here - there).abs(), 1e-9)?]
        }),
        calc("faq-13", || {
            let (rows, theta) = (table(2, 8)?, frequencies(8, BASE)?);
            for (i, theta) in theta.iter().enumerate() {
                let (sine, cosine) = (rows[[1, 2 * i]], rows[[1, 2 * i + 1]]);
                below((sine - theta.sin()).abs(), 1e-15)?;
                below((cosine - theta.cos()).abs(), 1e-15)?;
            }
            values![]
        }),
        calc("faq-14", || values![512, frequencies(512, BASE)?.len()]),
        calc("faq-15", || {
            let (short, long) = (table(10, 16)?, table(20_001, 16)?);
            ensure(short == long.slice(s![..10, ..]), "表长不改旧的行")?;
            let apart = &long.row(10_001) - &long.row(1);
            above(length(apart.view()), 1.0)?;
            values![]
        }),
        calc("faq-16", || {
            let (m, n) = (1, 10001);
            let rows = table(n + 1, 512)?;
            let apart = length((&rows.row(n) - &rows.row(m)).view());
            values![m, n, 512, apart, length(rows.row(n))]
        }),
        calc("faq-17", || {
            let waves = wavelengths(&frequencies(512, BASE)?)?;
            let slowest = waves[waves.len() - 1];
            let limit = std::f64::consts::TAU * BASE;
            below(slowest, limit)?;
            values![slowest, limit]
        }),
        calc("faq-18", || {
            let zero = Array1::<f64>::zeros(512);
            let unit = &zero + 512.0_f64.powf(-0.5);
            let encoding = length(table(1, 512)?.row(0));
            let ratio = length(embed(unit.view(), zero.view())?.view()) / encoding;
            ensure(0.5 < ratio && ratio < 2.0, "乘了以后差不多长")?;
            below(length(unit.view()) / encoding, 0.1)?;
            values![]
        }),
        calc("faq-19", || {
            let width = 512.0_f64;
            let row = length(table(1, 512)?.row(0));
            let plain = (width * (1.0 / width)).sqrt();
            values![width, row, plain, width.sqrt(), width.sqrt() * plain]
        }),
        calc("faq-20", || {
            for (i, power) in frequencies(512, BASE)?.iter().enumerate() {
                let by_log = (-2.0 * i as f64 / 512.0 * BASE.ln()).exp();
                below((by_log / power - 1.0).abs(), 1e-14)?;
            }
            values![]
        }),
        calc("faq-21", || {
            values![BASE, BASE.ln(), BASE.log10(), 4.0_f64.exp()]
        }),
        calc("faq-22", || {
            let (head, x, order) = (head(1), sentence_with_stop(), [3, 1, 0, 2]);
            let gap = |mask| equivariance_gap(&head, x.view(), &order, mask);
            below(gap(Mask::None)?, 1e-12)?;
            above(gap(Mask::Causal)?, 0.1)?;
            // 去掉编码之后的困惑度比之前，两组。
            let [masked, masked_none, causal, causal_none] = cited("faq-23")?;
            above(masked_none / masked, 30.0)?;
            below(causal_none / causal, 1.01)?;
            values![]
        }),
        calc("faq-24", || {
            let (q, k) = vectors();
            let at = |layouts| score(q.view(), k.view(), [5, 4], layouts);
            let mixed = at([PairLayout::Adjacent, PairLayout::HalfSplit])?;
            ensure(mixed.is_finite(), "不报错")?;
            above((mixed - at(ADJACENT)?).abs(), 1.0)?;
            above((mixed - at(HALVES)?).abs(), 1.0)?;
            values![]
        }),
        calc("faq-25", || {
            let (q, k) = vectors();
            let mixed = [PairLayout::Adjacent, PairLayout::HalfSplit];
            let at = |layouts| score(q.view(), k.view(), [5, 4], layouts);
            let (adjacent, halves, mixed) = (at(ADJACENT)?, at(HALVES)?, at(mixed)?);
            values![
                0, 1, q[0], q[1], q[2], q[3], k[0], k[1], k[2], k[3], 5, 4, adjacent,
                halves, mixed
            ]
        }),
        calc("faq-26", || {
            for padding in [0, 1, 3] {
                let read = token_rows(&[true, true, false, true], padding, 0)?;
                ensure(read[0] == padding + 1, "从填充编号加一数起")?;
                ensure(read.iter().all(|&row| row >= padding), "前面的行空着")?;
            }
            values![]
        }),
        calc("faq-27", || {
            let first = token_rows(&[true], 1, 0)?;
            values![1, first[0], 514, token_capacity(514, 1)]
        }),
        calc("faq-28", || {
            let (q, k) = vectors();
            let at = |m, n| score(q.view(), k.view(), [m, n], ADJACENT);
            below((at(3, 8)? - at(4, 9)?).abs(), 1e-12)?;
            let rows = table(10, 8)?;
            let inner = |m, n| rows.row(m).dot(&rows.row(n));
            below((inner(3, 8) - inner(4, 9)).abs(), 1e-12)?;
            let learned =
                LearnedTable::new(LegacyRandom::new(42).normal_matrix(10, 8))?;
            above(length((&learned.row(4)? - &learned.row(3)?).view()), 0.1)?;
            values![]
        }),
        proof("faq-29", "rotary#rotary-relative", || {
            let (q, k) = vectors();
            let turned = |n| rotate_vector(k.view(), n, BASE, PairLayout::Adjacent);
            above(length((&turned(5)? - &turned(4)?).view()), 0.1)?;
            let at = |m, n| score(q.view(), k.view(), [m, n], ADJACENT);
            for step in [1, 100, 9999] {
                below((at(5, 4)? - at(5 + step, 4 + step)?).abs(), 1e-11)?;
            }
            values![]
        }),
        calc("faq-30", || {
            below(shift_change(1, false)?, 1e-12)?;
            above(shift_change(1, true)?, 0.1)?;
            values![]
        }),
        proof("faq-31", "rotary#rotary-anywhere", || {
            for distance in [0, 1, 6, 200, 511] {
                let found = best_distance(distance)?;
                ensure(found == distance, "造好的距离应当最高")?;
            }
            values![]
        }),
        calc("faq-32", || {
            let x = array![1.0, 0.0];
            let at = |n| score(x.view(), x.view(), [0, n], ADJACENT);
            values![1, at(1)?, 3, at(3)?, 6, at(6)?]
        }),
        calc("faq-33", || values![37, best_distance(37)?]),
        calc("faq-34", || {
            let theta = frequencies(128, BASE)?;
            let g = |offset| kernel(theta.view(), offset);
            ensure(g(12) > g(11), "平均值自己也会回升")?;
            values![]
        }),
        calc("faq-35", || {
            let padded = token_rows(&[false, false, true, true, true], 1, 0)?;
            ensure(padded[2..] == token_rows(&[true; 3], 1, 0)?, "按词元数不变")?;
            let (rows, head, x) = (table(5, 6)?, head(1), sentence());
            let by_column =
                max_abs_diff(rows.slice(s![2.., ..]), rows.slice(s![..3, ..]));
            above(by_column?, 0.1)?;
            let bare = stacked(Array2::zeros((2, 6)).view(), x.view())?;
            let seen = head.forward(bare.view(), Mask::None)?.output;
            let alone = head.forward(x.view(), Mask::None)?.output;
            above(max_abs_diff(seen.slice(s![2.., ..]), alone.view())?, 0.1)?;
            values![]
        }),
        calc("faq-36", || {
            let rows = table(1013, 512)?;
            ensure(rows.iter().all(|x| x.is_finite()), "算得出")?;
            // 位置 1012 的一对，离训练长度 512 以内同一对见过的最近的角多远。
            let nearest = |i: usize| {
                let pair = |n| rows.slice(s![n, 2 * i..2 * i + 2]);
                let gap = |n| length((&pair(1012) - &pair(n)).view());
                (0..512).map(gap).fold(f64::INFINITY, f64::min)
            };
            below(nearest(0), 0.02)?;
            above(nearest(255), 0.05)?;
            values![]
        }),
        calc("faq-38", || {
            let [_, sinusoidal, learned_bleu] = cited("faq-39")?;
            below((sinusoidal - learned_bleu).abs(), 0.2)?;
            let [_, short, _, long] = cited("faq-37")?;
            above(long / short, 2.0)?;
            let learned = LearnedTable::new(Array2::zeros((512, 2)))?;
            ensure(
                learned.row(511).is_ok() && learned.row(512).is_err(),
                "越界",
            )?;
            values![]
        }),
        proof("faq-40", "faq-twins", || {
            for layers in 1..=6 {
                below(twin_gap(layers, Mask::None)?, 1e-12)?;
            }
            values![]
        }),
        proof("faq-41", "faq-twins", || {
            below(twin_gap(3, Mask::None)?, 1e-12)?;
            ensure(twin_gap(1, Mask::Causal)? > 1e-3, "因果掩码分得开")?;
            values![]
        }),
        calc("faq-42", || {
            let (q, k) = vectors();
            let gap = |k: &Array1<f64>| -> posenc::Result<f64> {
                let at = |n| score(q.view(), k.view(), [5, n], ADJACENT);
                Ok((at(4)? - at(6)?).abs())
            };
            above(gap(&k)?, 1.0)?;
            above(gap(&array![-2.0, 1.0, 3.0, 4.0])?, 1.0)?;
            for along in [&q * 2.0, -&q, array![1.0, 2.0, -3.0, -4.0]] {
                below(gap(&along)?, 1e-12)?;
            }
            values![]
        }),
        calc("faq-43", || {
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
        calc("faq-44", || {
            let (q, _) = vectors();
            let at = |n| score(q.view(), q.view(), [5, n], ADJACENT);
            let (before, after) = (at(4)?, at(6)?);
            below((before - after).abs(), 1e-12)?;
            values![before]
        }),
        calc("faq-45", || {
            below(shift_change(4, false)?, 1e-12)?;
            values![]
        }),
        calc("faq-46", || {
            let x = twins() + table(4, 6)?;
            let layers: Vec<_> = (1..=6).map(head).collect();
            let mut bare = x.clone();
            for layer in &layers {
                bare = layer.forward(bare.view(), Mask::None)?.output;
            }
            let kept = run_layers(&layers, x.view(), Mask::None)?;
            let share = |x: &Array2<f64>| {
                length((&x.row(0) - &x.row(2)).view()) / length(x.row(0))
            };
            // 没有残差，各行几层就混成一样；有残差，差别还在。
            below(share(&bare), 1e-9)?;
            above(share(&kept), 0.05)?;
            values![]
        }),
        calc("faq-47", || {
            let rows = table(10, 512)?;
            let word = LegacyRandom::new(42).normal_matrix(512, 1);
            let rest = residual(rows.t(), word.view())?;
            // 词义去掉沿这些行的分量：长度几乎没少，与每一行都垂直。
            above(length(rest.column(0)) / length(word.column(0)), 0.95)?;
            below(length(rows.dot(&rest).column(0)), 1e-9)?;
            values![]
        }),
    ]
}
