use crate::{Claim, above, below, bound, calc, ensure, proof, values};
use ndarray::Array2;
use posenc::frequency::frequencies;
use posenc::learned::{LearnedTable, one_hot};
use posenc::padding::{token_capacity, token_rows};
use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{ColumnLayout, kernel, sinusoidal_table};
use std::error::Error;

/// 位置零到其余各行的距离里最小和最大的。
fn nearest_and_farthest(table: &Array2<f64>) -> (f64, f64) {
    (1..table.nrows())
        .map(|n| distance(table, 0, n))
        .fold((f64::INFINITY, 0.0), |(low, high), d| {
            (low.min(d), high.max(d))
        })
}

pub(super) fn distance(table: &Array2<f64>, m: usize, n: usize) -> f64 {
    (&table.row(m) - &table.row(n)).mapv(|x| x * x).sum().sqrt()
}

/// 位置 `n` 的参数：初值，九步短句以后，再走一步长句以后。
fn trained(n: usize) -> Result<[f64; 3], Box<dyn Error>> {
    let drawn = LegacyRandom::new(42).normal_matrix(6, 1) * 0.02;
    let mut table = LearnedTable::new(drawn)?;
    let mut seen = vec![table.row(n)?[0]];
    for (steps, len) in [(9, 3), (1, 6)] {
        for _ in 0..steps {
            let positions: Vec<usize> = (0..len).collect();
            let upstream = table.range(0, len)?.mapv(|x| x - 1.0);
            let gradient = table.gradient(&positions, upstream.view())?;
            table.step(gradient.view(), 0.1)?;
        }
        seen.push(table.row(n)?[0]);
    }
    Ok([seen[0], seen[1], seen[2]])
}

/// 八行十六列的平滑表。
pub(super) fn smooth() -> Result<LearnedTable, Box<dyn Error>> {
    let rows = sinusoidal_table(8, 16, 10000.0, ColumnLayout::Interleaved)?;
    Ok(LearnedTable::new(rows)?)
}

pub fn claims() -> Vec<Claim> {
    vec![
        calc("learned-01", || {
            let rows = 512;
            let table = LearnedTable::new(Array2::zeros((rows, 768)))?;
            ensure(table.row(rows - 1).is_ok(), "最后一行读得到")?;
            ensure(table.row(rows).is_err(), "再往后一行是错误")?;
            values![rows, rows - 1, rows]
        }),
        calc("learned-02", || {
            let table = LearnedTable::new(Array2::zeros((512, 768)))?;
            values![table.capacity(), table.rows().ncols(), table.parameters()]
        }),
        proof("learned-04", "learned-why-onehot", || {
            let rows = LegacyRandom::new(1).normal_matrix(7, 5);
            let table = LearnedTable::new(rows)?;
            for n in 0..7 {
                let product = one_hot(n, 7)?.dot(&table.rows());
                ensure(product == table.row(n)?, "乘积就是第 n 行")?;
            }
            values![]
        }),
        proof("learned-05", "learned-why-gradient", || {
            let table = LearnedTable::new(LegacyRandom::new(2).normal_matrix(6, 4))?;
            let upstream = LegacyRandom::new(3).normal_matrix(3, 4);
            let gradient = table.gradient(&[5, 1, 5], upstream.view())?;
            for n in [0, 2, 3, 4] {
                let zero = gradient.row(n).iter().all(|&g| g == 0.0);
                ensure(zero, "没读过的行梯度为零")?;
            }
            let twice = &upstream.row(0) + &upstream.row(2);
            ensure(gradient.row(5) == twice, "读过两次的行加两次")?;
            values![]
        }),
        calc("learned-06", || {
            let [start, _, end] = trained(0)?;
            values![0, start, end, 1]
        }),
        calc("learned-07", || {
            let [start, nine, end] = trained(3)?;
            ensure(start == nine, "前九步一位不差")?;
            values![3, start, end]
        }),
        calc("learned-09", || values![128, 511, (128..=511).count()]),
        calc("learned-10", || {
            let table = sinusoidal_table(64, 64, 10000.0, ColumnLayout::Interleaved)?;
            let theta = frequencies(64, 10000.0)?;
            let far = (64.0 - 2.0 * kernel(theta.view(), 63)).sqrt();
            let agree = (far - distance(&table, 0, 63)).abs();
            below(agree, 1e-9)?;
            values![
                table.nrows(),
                table.ncols(),
                0,
                1,
                distance(&table, 0, 1),
                63,
                far
            ]
        }),
        bound("learned-11", || {
            let drawn = LegacyRandom::new(42).normal_matrix(64, 64) * 0.5_f64.sqrt();
            let (low, high) = nearest_and_farthest(&drawn);
            values![0, above(low, 5.8)?, below(high, 9.3)?]
        }),
        calc("learned-13", || {
            let table = LearnedTable::new(Array2::zeros((4, 8)))?;
            ensure(table.range(4, 0).is_ok(), "末尾起零行合法")?;
            ensure(table.range(3, 2).is_err(), "从 3 起 2 行越界")?;
            values![3, 2]
        }),
        calc("learned-16", || {
            let rows = 514;
            let read = token_rows(&vec![true; rows], 1, 0)?;
            ensure(read.iter().any(|&row| row >= rows), "有词元越界")?;
            values![rows, read.len()]
        }),
        calc("learned-17", || {
            let tokens = token_capacity(514, 1);
            let read = token_rows(&vec![true; tokens], 1, 0)?;
            values![1, read[0], read[tokens - 1], tokens]
        }),
        calc("learned-18", || values![3, 514, token_capacity(514, 3)]),
        calc("learned-19", || {
            let first = token_rows(&[true], 1, 0)?;
            values![first[0], 1]
        }),
        calc("learned-21", || {
            let copied = smooth()?.extend_by_copy(16)?;
            let rows = copied.rows().to_owned();
            values![
                distance(&rows, 0, 1),
                distance(&rows, 7, 8),
                0,
                8,
                distance(&rows, 0, 8)
            ]
        }),
        calc("learned-22", || {
            let resized = smooth()?.resize_linear(15)?.rows().to_owned();
            let same = (0..14).map(|n| distance(&resized, n, n + 1));
            let first = distance(&resized, 0, 1);
            ensure(
                same.into_iter().all(|d| (d - first).abs() < 1e-12),
                "处处一样",
            )?;
            values![first]
        }),
    ]
}
