use crate::{Claim, above, below, bound, calc, ensure, proof, values};
use ndarray::{Array1, Array2};
use posenc::Error;
use posenc::attention::{
    Mask, SelfAttention, attend, max_abs_diff, permute_rows, scaled_scores,
    softmax_rows,
};
use posenc::order::{
    attend_one, equivariance_gap, invariance_gap, max_abs_diff_row, mean_pool,
    permutations, proof_gaps, run_layers, sentence, sentence_with_stop,
};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

/// 讲稿的头：种子 42，宽 6，头宽 3。
fn head() -> SelfAttention {
    SelfAttention::seeded(42, 6, 3)
}

/// 句号的输出在前三个词的六种排列下最多变多少。
fn stop_change(layers: usize, mask: Mask) -> Result<f64, Error> {
    let all = [42, 43].map(|seed| SelfAttention::seeded(seed, 6, 6));
    let x = sentence_with_stop();
    let before = run_layers(&all[..layers], x.view(), mask)?;
    let mut worst = 0.0_f64;
    for mut order in permutations(3)? {
        order.push(3);
        let moved = permute_rows(x.view(), &order)?;
        let after = run_layers(&all[..layers], moved.view(), mask)?;
        worst = worst.max(max_abs_diff_row(after.row(3), before.row(3))?);
    }
    Ok(worst)
}

/// 固定查询“猫”，键按 `order` 重排，值按 `values` 重排，输出变了多少。
fn query_change(order: &[usize], values: &[usize]) -> Result<f64, Error> {
    let (head, x) = (head(), sentence());
    let query = x.row(0).dot(&head.w_query);
    let (key, value) = (x.dot(&head.w_key), x.dot(&head.w_value));
    let before = attend_one(query.view(), key.view(), value.view())?;
    let (key, value) = (
        permute_rows(key.view(), order)?,
        permute_rows(value.view(), values)?,
    );
    let after = attend_one(query.view(), key.view(), value.view())?;
    max_abs_diff_row(after.view(), before.view())
}

/// 独热的词加位置行，正反两张分数矩阵之差。
fn one_hot_gap(position: &Array2<f64>) -> Result<f64, Error> {
    let words = Array2::from_diag_elem(4, 1.0).slice_move(ndarray::s![..3, ..]);
    let back = permute_rows(words.view(), &[2, 1, 0])? + position;
    let there = words + position;
    max_abs_diff(there.dot(&there.t()).view(), back.dot(&back.t()).view())
}

/// 会数数的头：分数全等，只有第一个值是一，带因果掩码。
fn counting() -> Result<Array1<f64>, Error> {
    let flat = Array2::zeros((5, 1));
    let mut value = Array2::zeros((5, 1));
    value[[0, 0]] = 1.0;
    let seen = attend(flat.view(), flat.view(), value.view(), Mask::Causal)?;
    Ok(seen.output.column(0).to_owned())
}

pub fn claims() -> Vec<Claim> {
    vec![
        proof("why-01", "why-proof", || {
            for seed in 0..20 {
                let head = SelfAttention::seeded(seed, 6, 3);
                for order in permutations(4)? {
                    let gaps = proof_gaps(&head, sentence_with_stop().view(), &order)?;
                    for gap in [gaps.rows, gaps.scores, gaps.weights, gaps.output] {
                        below(gap, 1e-12)?;
                    }
                }
            }
            values![]
        }),
        calc("why-02", || {
            let x = sentence();
            let flip = |row: usize| x.slice(ndarray::s![row, ..;-1]);
            values![
                x.row(0).dot(&x.row(1)),
                flip(0).dot(&flip(1)),
                x.row(0).dot(&flip(1)),
            ]
        }),
        bound("why-03", || {
            let mut worst = 0.0_f64;
            for order in permutations(3)? {
                let x = sentence();
                let gap = equivariance_gap(&head(), x.view(), &order, Mask::None)?;
                worst = worst.max(gap);
            }
            values![below(worst, 1e-12)?]
        }),
        calc("why-04", || {
            let x = sentence();
            let y = head().forward(x.view(), Mask::None)?.output;
            let apart = |a: usize, b: usize| max_abs_diff_row(y.row(a), y.row(b));
            let most = apart(0, 2)?;
            ensure(
                apart(0, 1)? < most && apart(1, 2)? < most,
                "猫和老鼠的两行差得最多",
            )?;
            for order in permutations(3)? {
                let gap = invariance_gap(&head(), x.view(), &order, Mask::None)?;
                let swapped = order[0] == 2 || order[2] == 0;
                ensure(
                    swapped == ((gap - most).abs() < 1e-12),
                    "猫或老鼠坐到对方的座上，最大差就是它们之差",
                )?;
            }
            values![most]
        }),
        proof("why-05", "why-invariant", || {
            let (head, x) = (head(), sentence());
            let mean = |x: &Array2<f64>| {
                mean_pool(head.forward(x.view(), Mask::None)?.output.view())
            };
            for order in permutations(3)? {
                let moved = permute_rows(x.view(), &order)?;
                below(
                    max_abs_diff_row(mean(&moved)?.view(), mean(&x)?.view())?,
                    1e-12,
                )?;
                below(query_change(&order, &order)?, 1e-12)?;
            }
            values![]
        }),
        calc("why-06", || {
            let mut worst = 0.0_f64;
            for order in permutations(3)? {
                worst = worst.max(query_change(&order, &[0, 1, 2])?);
            }
            values![worst]
        }),
        calc("why-07", || {
            let x = sentence();
            values![equivariance_gap(
                &head(),
                x.view(),
                &[2, 1, 0],
                Mask::Causal
            )?]
        }),
        proof("why-08", "why-layers", || {
            below(stop_change(1, Mask::Causal)?, 1e-12)?;
            below(stop_change(2, Mask::None)?, 1e-12)?;
            above(stop_change(2, Mask::Causal)?, 0.1)?;
            values![]
        }),
        calc("why-09", || values![stop_change(2, Mask::Causal)?]),
        calc("why-12", || {
            let (head, x) = (head(), sentence());
            let (query, key) = (x.dot(&head.w_query), x.dot(&head.w_key));
            let scores = scaled_scores(query.view(), key.view())?;
            ensure(scores.row(0).iter().all(|&s| s < 0.0), "三个分数都是负数")?;
            let weights = softmax_rows(scores.view())?;
            ensure(weights.row(0).iter().all(|&w| w > 0.0), "三个权重都是正数")?;
            values![scores.row(0).sum(), weights.row(0).sum()]
        }),
        calc("why-13", || {
            let sine = sinusoidal_table(3, 6, 10000.0, ColumnLayout::Interleaved)?;
            let moved = permute_rows(sentence().view(), &[2, 1, 0])? + &sine;
            let left = head().forward(moved.view(), Mask::None)?.output;
            let right = head().forward((sentence() + &sine).view(), Mask::None)?;
            let right = permute_rows(right.output.view(), &[2, 1, 0])?;
            values![max_abs_diff(left.view(), right.view())?]
        }),
        calc("why-14", || {
            let constant = ndarray::array![[0.0; 4], [0.2; 4], [0.3; 4]];
            below(one_hot_gap(&constant)?, 1e-12)?;
            let sine = sinusoidal_table(3, 4, 10000.0, ColumnLayout::Interleaved)?;
            values![one_hot_gap(&sine)?]
        }),
        calc("why-16", || {
            let seen = counting()?;
            for (row, &share) in seen.iter().enumerate() {
                below((share - 1.0 / (row + 1) as f64).abs(), 1e-15)?;
            }
            values![seen[0], seen[4]]
        }),
    ]
}
