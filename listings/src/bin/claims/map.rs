use crate::learned::{distance, smooth};
use crate::{Claim, above, below, calc, ensure, proof, values};
use ndarray::{Array2, ArrayView2, s};
use posenc::additive::bilinear;
use posenc::attention::{
    Mask, SelfAttention, attend, max_abs_diff, scaled_scores, softmax_rows,
};
use posenc::frequency::{frequencies, wavelengths};
use posenc::learned::LearnedTable;
use posenc::order::{equivariance_gap, invariance_gap, sentence_with_stop};
use posenc::rng::LegacyRandom;
use posenc::rotary::{PairLayout, Rotary, consecutive};
use posenc::sinusoidal::{
    ColumnLayout, kernel, pair_shares, shift_matrix, sinusoidal_table,
};

const BASE: f64 = 10000.0;

fn table(rows: usize, width: usize) -> posenc::Result<Array2<f64>> {
    sinusoidal_table(rows, width, BASE, ColumnLayout::Interleaved)
}

/// 四行六列的例句，和一个宽六的头。
fn example() -> (SelfAttention, Array2<f64>) {
    (SelfAttention::seeded(42, 6, 6), sentence_with_stop())
}

/// 查询和键从位置 `start` 起旋转，算出分数。
fn turned_scores(
    q: ArrayView2<f64>,
    k: ArrayView2<f64>,
    start: i64,
) -> posenc::Result<Array2<f64>> {
    let rotary = Rotary::new(q.ncols(), BASE, PairLayout::Adjacent)?;
    let positions = consecutive(start, q.nrows())?;
    let (q, k) = (rotary.rotate(q, &positions)?, rotary.rotate(k, &positions)?);
    scaled_scores(q.view(), k.view())
}

pub fn claims() -> Vec<Claim> {
    vec![
        proof("map-01", "why#why-proof", || {
            let ((head, x), order) = (example(), [2, 0, 3, 1]);
            let along = equivariance_gap(&head, x.view(), &order, Mask::None)?;
            below(along, 1e-12)?;
            above(invariance_gap(&head, x.view(), &order, Mask::None)?, 0.01)?;
            values![]
        }),
        calc("map-02", || {
            let (head, x) = example();
            let seen = head.forward(x.view(), Mask::Causal)?.weights;
            for (m, row) in seen.rows().into_iter().enumerate() {
                let count = row.iter().filter(|&&weight| weight > 0.0).count();
                ensure(count == m + 1, "一行比一行多看一个")?;
            }
            let order = [2, 0, 3, 1];
            above(
                equivariance_gap(&head, x.view(), &order, Mask::Causal)?,
                0.01,
            )?;
            values![]
        }),
        calc("map-03", || {
            let (head, x) = example();
            let query = x.row(0).dot(&head.w_query);
            let key = head.w_key.t().dot(&x.row(1));
            let at = |n: usize| -> posenc::Result<f64> {
                Ok(query.dot(&(&key + &head.w_key.t().dot(&table(9, 6)?.row(n)))))
            };
            for (m, n) in [(0, 1), (1, 2), (0, 8)] {
                above((at(m)? - at(n)?).abs(), 1e-3)?;
            }
            values![]
        }),
        calc("map-04", || {
            let theta = frequencies(64, BASE)?;
            let near = pair_shares(theta.view(), 1);
            ensure(near.iter().all(|&share| share <= near[0]), "最快的份额最大")?;
            ensure(near.slice(s![..8]).sum() > 0.9, "快的对占了九成")?;
            above(wavelengths(&theta)?[31], 40_000.0)?;
            values![]
        }),
        proof("map-05", "learned#learned-why-gradient", || {
            let table = LearnedTable::new(LegacyRandom::new(1).normal_matrix(4, 2))?;
            ensure(table.row(3).is_ok() && table.row(4).is_err(), "表有尽头")?;
            let gradient = table.gradient(&[0, 2], Array2::ones((2, 2)).view())?;
            for n in 0..4 {
                let learns = gradient.row(n).iter().any(|&g| g != 0.0);
                ensure(learns == [0, 2].contains(&n), "只有读过的行学到东西")?;
            }
            values![]
        }),
        calc("map-06", || {
            let step = distance(&smooth()?.rows().to_owned(), 0, 1);
            let copied = smooth()?.extend_by_copy(16)?.rows().to_owned();
            below((distance(&copied, 0, 1) - step).abs(), 1e-12)?;
            above(distance(&copied, 7, 8), 1.5 * step)?;
            let resized = smooth()?.resize_linear(15)?.rows().to_owned();
            below(distance(&resized, 0, 1), 0.75 * step)?;
            below(distance(&resized, 7, 8), 0.75 * step)?;
            values![]
        }),
        proof("map-07", "sinusoidal#sinusoidal-shift", || {
            let rows = table(200, 16)?;
            for offset in [1, 7, 100] {
                let shift = shift_matrix(16, BASE, offset as i64)?;
                let moved = rows.slice(s![..100, ..]).dot(&shift.t());
                let there = rows.slice(s![offset..offset + 100, ..]);
                below(max_abs_diff(moved.view(), there)?, 1e-12)?;
            }
            values![]
        }),
        proof("map-08", "sinusoidal#sinusoidal-kernel", || {
            let (rows, theta) = (table(200, 16)?, frequencies(16, BASE)?);
            for (m, n) in [(0, 3), (150, 153), (199, 20), (7, 7)] {
                let inner = rows.row(m).dot(&rows.row(n));
                let by_offset = kernel(theta.view(), n as i64 - m as i64);
                below((inner - by_offset).abs(), 1e-12)?;
            }
            values![]
        }),
        calc("map-09", || {
            let rows = table(200, 16)?;
            let moved = |w: &Array2<f64>| -> posenc::Result<f64> {
                let here = bilinear(rows.row(3), w.view(), rows.row(8))?;
                Ok((bilinear(rows.row(103), w.view(), rows.row(108))? - here).abs())
            };
            below(moved(&Array2::eye(16))?, 1e-12)?;
            above(moved(&LegacyRandom::new(42).normal_matrix(16, 16))?, 0.1)?;
            values![]
        }),
        proof("map-10", "rotary#rotary-relative", || {
            let (head, x) = example();
            let (q, k) = (x.dot(&head.w_query), x.dot(&head.w_key));
            let here = turned_scores(q.view(), k.view(), 0)?;
            let there = turned_scores(q.view(), k.view(), 1000)?;
            below(max_abs_diff(here.view(), there.view())?, 1e-12)?;
            values![]
        }),
        calc("map-11", || {
            let (head, x) = example();
            let (q, k) = (x.dot(&head.w_query), x.dot(&head.w_key));
            let v = x.dot(&head.w_value);
            let turned = |start| -> posenc::Result<Array2<f64>> {
                let scores = turned_scores(q.view(), k.view(), start)?;
                Ok(softmax_rows(scores.view())?.dot(&v))
            };
            let plain = attend(q.view(), k.view(), v.view(), Mask::None)?.output;
            below(
                max_abs_diff(turned(0)?.view(), turned(1000)?.view())?,
                1e-12,
            )?;
            above(max_abs_diff(turned(0)?.view(), plain.view())?, 1e-3)?;
            values![]
        }),
    ]
}
