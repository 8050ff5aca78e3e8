use crate::{Claim, below, bound, calc, cited, ensure, proof, values};
use ndarray::{Array1, Array2, array, s};
use posenc::additive::{bilinear, embed, mean_and_spread, position_scores};
use posenc::attention::max_abs_diff;
use posenc::frequency::{
    endpoint_frequencies, frequencies, longest_wavelength, wavelengths,
};
use posenc::linear::{directions_for, residual, root_mean_square, singular_values};
use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{
    ColumnLayout, distance, first_negative, first_rise, kernel, pair_shares,
    rising_steps, rows_at, shift_matrix, sinusoidal_table,
};

const BASE: f64 = 10000.0;

fn theta(width: usize) -> posenc::Result<Array1<f64>> {
    frequencies(width, BASE)
}

fn table(rows: usize, width: usize) -> posenc::Result<Array2<f64>> {
    sinusoidal_table(rows, width, BASE, ColumnLayout::Interleaved)
}

/// 波长不超过 `length` 的对数，和其余的对数。
fn turned(width: usize, length: f64) -> posenc::Result<(usize, usize)> {
    let lambda = wavelengths(&theta(width)?)?;
    let done = lambda.iter().filter(|&&lambda| lambda <= length).count();
    Ok((done, lambda.len() - done))
}

/// 只留一位整数部分和 `bits - 1` 位小数的二进制舍入（尾数共 `bits` 位），只用于 0.5 到 1 之间的数。
fn round_to_bits(value: f64, bits: i32) -> f64 {
    let scale = 2.0_f64.powi(bits);
    (value * scale).round_ties_even() / scale
}

/// 讲到的随机矩阵：种子 42，64 乘 64，除以 8。
fn random_w() -> Array2<f64> {
    LegacyRandom::new(42).normal_matrix(64, 64) / 8.0
}

/// 偏移 5 的位置对位置的分数：键在后面，键在前面。
fn offset_five(w: &Array2<f64>) -> posenc::Result<[Array1<f64>; 2]> {
    let rows = table(2000, 64)?;
    let (early, late) = (rows.slice(s![..1995, ..]), rows.slice(s![5.., ..]));
    Ok([
        position_scores(early, w.view(), late)?,
        position_scores(late, w.view(), early)?,
    ])
}

pub fn claims() -> Vec<Claim> {
    vec![
        calc("sinusoidal-02", || {
            let mut pitches = theta(512)?.to_vec();
            pitches.dedup();
            values![512, table(1, 512)?.ncols(), pitches.len()]
        }),
        calc("sinusoidal-03", || {
            let longest = |width| longest_wavelength(width, BASE);
            values![16, 128, 512, longest(16)?, longest(128)?, longest(512)?]
        }),
        calc("sinusoidal-04", || {
            for width in [4, 16, 512] {
                let last = endpoint_frequencies(width, BASE)?[width / 2 - 1];
                ensure((last * BASE - 1.0).abs() < 1e-12, "最后一个频率是 1/b")?;
            }
            values![wavelengths(&endpoint_frequencies(512, BASE)?)?[255]]
        }),
        calc("sinusoidal-05", || {
            let (done, left) = turned(512, 512.0)?;
            values![512, 512, done + left, done, left]
        }),
        calc("sinusoidal-06", || {
            let mut values = vec![512.0, 512.0];
            for base in [100.0, BASE, 1e6] {
                let lambda = wavelengths(&frequencies(512, base)?)?;
                let done = lambda.iter().filter(|&&lambda| lambda <= 512.0).count();
                let left = (256 - done) as f64;
                values.extend([base, lambda[255], done as f64, left]);
            }
            Ok(values)
        }),
        proof("sinusoidal-07", "sinusoidal-norm", || {
            let lengths = table(3000, 512)?
                .rows()
                .into_iter()
                .map(|row| row.dot(&row))
                .collect::<Vec<f64>>();
            for length in &lengths {
                ensure((length - 256.0).abs() < 1e-10, "长度平方是 d/2")?;
            }
            values![512, lengths[2999].sqrt()]
        }),
        proof("sinusoidal-08", "sinusoidal-shift", || {
            for offset in [1, 7, -3, 1000] {
                let shift = shift_matrix(16, BASE, offset)?;
                let eye =
                    max_abs_diff(shift.t().dot(&shift).view(), Array2::eye(16).view())?;
                ensure(eye < 1e-14, "平移矩阵正交")?;
                for n in [3, 50, 100_000] {
                    let ends = array![n as f64, (n + offset) as f64];
                    let theta = theta(16)?;
                    let rows =
                        rows_at(ends.view(), theta.view(), ColumnLayout::Interleaved)?;
                    let error = &shift.dot(&rows.row(0)) - &rows.row(1);
                    ensure(error.dot(&error).sqrt() < 1e-9, "推过去就是那一行")?;
                }
            }
            values![]
        }),
        bound("sinusoidal-09", || {
            let rows = table(2007, 512)?;
            let shift = shift_matrix(512, BASE, 7)?;
            let moved = rows.slice(s![..2000, ..]).dot(&shift.t());
            let error = max_abs_diff(moved.view(), rows.slice(s![7.., ..]))?;
            values![512, 7, moved.nrows(), below(error, 1e-12)?]
        }),
        proof("sinusoidal-10", "sinusoidal-sine-only", || {
            let rows = table(2, 16)?;
            for i in 0..8 {
                ensure(rows[[0, 2 * i]] == 0.0, "位置零的正弦都是零")?;
                ensure(rows[[1, 2 * i]] != 0.0, "位置一的正弦都不是零")?;
            }
            values![]
        }),
        calc("sinusoidal-11", || {
            let rows = sinusoidal_table(507, 16, BASE, ColumnLayout::SinCos)?;
            let sines = rows.slice(s![.., ..8]);
            let later = sines.slice(s![7.., ..]);
            let rest = residual(sines.slice(s![..500, ..]), later)?;
            let worst = rest.fold(0.0, |a: f64, x| x.abs().max(a));
            values![
                7,
                rest.nrows(),
                root_mean_square(rest.view())?,
                worst,
                root_mean_square(later)?
            ]
        }),
        proof("sinusoidal-12", "sinusoidal-unique", || {
            for base in [2.0, BASE] {
                for i in 0..8 {
                    let power = frequencies(16, base)?[i].powi(16);
                    let product = base.powi(2 * i as i32) * power;
                    ensure((product - 1.0).abs() < 1e-10, "频率是代数数")?;
                }
            }
            let one = array![1.0];
            for offset in 1..100_000 {
                ensure(distance(one.view(), offset) > 1e-6, "十万以内没有重合")?;
            }
            values![]
        }),
        proof("sinusoidal-13", "sinusoidal-unique", || {
            let mut sines: Vec<f64> = (0..20_000).map(|n| f64::from(n).sin()).collect();
            sines.sort_by(f64::total_cmp);
            for pair in sines.windows(2) {
                ensure(pair[0] < pair[1], "两万以内没有两个正弦相同")?;
            }
            values![]
        }),
        calc("sinusoidal-14", || {
            let one = array![1.0];
            let (near, nearer) = (distance(one.view(), 44), distance(one.view(), 710));
            values![one[0], 0, 44, near, 0, 710, nearer]
        }),
        calc("sinusoidal-15", || {
            let (a, b) = (11.0_f64.sin(), 344.0_f64.sin());
            let rounded = round_to_bits(a, 11);
            for bits in [11, 8] {
                ensure(round_to_bits(a, bits) == rounded, "f16 与 bf16 里相同")?;
                ensure(round_to_bits(b, bits) == rounded, "f16 与 bf16 里相同")?;
            }
            values![11, 344, (a - b).abs(), rounded]
        }),
        calc("sinusoidal-16", || {
            values![16, distance(theta(16)?.view(), 1)]
        }),
        calc("sinusoidal-17", || {
            let theta = theta(512)?;
            let far = distance(theta.view(), 62_832);
            values![62_832, 512, far, distance(theta.view(), 1)]
        }),
        calc("sinusoidal-18", || {
            let theta = theta(16)?;
            let gap = |offset: i64| distance(theta.view(), offset);
            let nearest = (2..=300_000)
                .min_by(|&a, &b| gap(a).total_cmp(&gap(b)))
                .ok_or("没有偏移")?;
            ensure(gap(nearest) > gap(1), "比相邻两行远")?;
            let closer = (300_001..).find(|&offset| gap(offset) < gap(1));
            let closer = closer.ok_or("没有更近的")?;
            values![16, 2, 300_000, nearest, gap(nearest), closer, gap(closer)]
        }),
        calc("sinusoidal-19", || {
            values![16, pair_shares(theta(16)?.view(), 1)[0]]
        }),
        calc("sinusoidal-20", || {
            let rows = table(10, 16)?;
            let (first, last) = (rows.slice(s![0, 14..]), rows.slice(s![9, 14..]));
            let squares = last.iter().zip(first).map(|(a, b)| (a - b).powi(2));
            values![squares.sum::<f64>().sqrt()]
        }),
        calc("sinusoidal-21", || {
            let shares = pair_shares(theta(16)?.view(), 10_000);
            values![10_000, shares[0], shares[7]]
        }),
        proof("sinusoidal-22", "sinusoidal-kernel", || {
            let rows = table(600, 64)?;
            let theta = theta(64)?;
            for (n, offset) in [(0, 1), (0, 500), (77, 3), (599, 0)] {
                let g = kernel(theta.view(), offset as i64);
                let product = rows.row(n).dot(&rows.row(n + offset));
                ensure((product - g).abs() < 1e-10, "内积等于核")?;
                let squared = distance(theta.view(), offset as i64).powi(2);
                ensure((squared - (64.0 - 2.0 * g)).abs() < 1e-10, "距离平方")?;
            }
            values![]
        }),
        calc("sinusoidal-23", || {
            let rows = sinusoidal_table(4096, 16, BASE, ColumnLayout::SinCos)?;
            let sines = rows.slice(s![.., ..8]);
            let nearest = |count: usize| {
                (1..count)
                    .map(|n| {
                        let (a, b) = (sines.row(n - 1), sines.row(n));
                        a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
                    })
                    .fold(f64::INFINITY, f64::min)
                    .sqrt()
            };
            values![16, 100, nearest(100), 4096, nearest(4096)]
        }),
        calc("sinusoidal-24", || {
            let first = |width: usize| -> Result<i64, Box<dyn std::error::Error>> {
                first_rise(theta(width)?.view(), 2048).ok_or("没有回升".into())
            };
            let (narrow, wide) = (first(128)?, first(512)?);
            values![128, narrow, narrow + 1, 512, wide, wide + 1]
        }),
        calc("sinusoidal-25", || {
            let rising = rising_steps(theta(512)?.view(), 2048);
            values![512, 2048, rising as f64 / 2048.0]
        }),
        calc("sinusoidal-26", || {
            let offset = first_negative(theta(128)?.view(), 4096).ok_or("没有变负")?;
            values![128, offset]
        }),
        calc("sinusoidal-27", || {
            let theta = theta(64)?;
            let share = |offset| kernel(theta.view(), offset) / 32.0;
            values![64, 512, 1024, share(512), share(1024)]
        }),
        bound("sinusoidal-28", || {
            let mut worst: f64 = 0.0;
            for (i, power) in theta(512)?.iter().enumerate() {
                let by_log = (-(2.0 * i as f64) / 512.0 * BASE.ln()).exp();
                worst = worst.max((by_log / power - 1.0).abs());
            }
            values![512, below(worst, 1e-14)?]
        }),
        calc("sinusoidal-29", || {
            let rows = table(1, 512)?;
            let mut unit = Array1::zeros(512);
            unit[3] = 1.0;
            let scaled = embed(unit.view(), Array1::zeros(512).view())?;
            let encoding = rows.row(0).dot(&rows.row(0)).sqrt();
            values![
                512,
                encoding,
                unit.dot(&unit).sqrt(),
                scaled.dot(&scaled).sqrt()
            ]
        }),
        calc("sinusoidal-30", || {
            let rows = table(50, 512)?;
            let singular = singular_values(rows.view())?;
            values![50, 512, directions_for(&singular, 0.99)?, 0.99]
        }),
        calc("sinusoidal-31", || {
            let flat = mean_and_spread(offset_five(&Array2::eye(64))?[0].view())?;
            ensure(flat.1 < 1e-10, "单位矩阵下标准差是零")?;
            let scores = offset_five(&random_w())?;
            let (mean, spread) = mean_and_spread(scores[0].view())?;
            values![64, 5, scores[0].len(), 42, 8, flat.0, mean, spread]
        }),
        calc("sinusoidal-32", || {
            let [behind, before] = offset_five(&random_w())?;
            let behind = mean_and_spread(behind.view())?.0;
            values![5, behind, mean_and_spread(before.view())?.0]
        }),
        calc("sinusoidal-33", || {
            let (rows, w) = (table(16, 64)?, random_w());
            let before = bilinear(rows.row(10), w.view(), rows.row(5))?;
            let behind = bilinear(rows.row(10), w.view(), rows.row(15))?;
            values![10, before, behind]
        }),
        calc("sinusoidal-35", || {
            let far = array![1e9];
            let theta = theta(512)?;
            let row = rows_at(far.view(), theta.view(), ColumnLayout::Interleaved)?;
            ensure(row.iter().all(|x| x.abs() <= 1.0), "再远也有定义")?;
            values![]
        }),
        calc("sinusoidal-37", || {
            let table: [f64; 19] = cited("sinusoidal-36")?;
            let perplexity = |length: f64| {
                let row = table[1..].chunks(3).find(|row| row[0] == length);
                row.map(|row| row[1]).ok_or("表里没有这个长度")
            };
            let (trained, longer) = (512.0, 1012.0);
            let times = perplexity(longer)? / perplexity(trained)?;
            values![trained, 1024, longer, times]
        }),
        calc("sinusoidal-38", || values![512, turned(512, 512.0)?.1]),
        calc("sinusoidal-39", || {
            let slip = (-4.0 * 2.0 / 4.0_f64).exp();
            values![4, theta(4)?[1], slip, 4.0_f64.exp()]
        }),
        calc("sinusoidal-40", || {
            let theta = theta(512)?;
            let steps = 10_000;
            let apart = distance(theta.view(), steps);
            values![BASE, BASE, steps, 1, steps, 1 + steps, 512, apart]
        }),
        calc("sinusoidal-41", || {
            let worst = theta(512)?.iter().fold(0.0_f64, |worst, &theta| {
                let short = f64::from(100_000.0_f32 * theta as f32);
                worst.max((short.sin() - (100_000.0 * theta).sin()).abs())
            });
            values![100_000, 512, worst]
        }),
    ]
}
