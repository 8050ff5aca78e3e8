use crate::{Claim, above, below, calc, ensure, proof, values};
use ndarray::{Array2, array};
use posenc::attention::{
    Mask, SelfAttention, attend, max_abs_diff, permute_rows, scaled_scores,
    softmax_rows,
};
use posenc::basics::offset;
use posenc::frequency::{frequencies, wavelengths};
use posenc::learned::LearnedTable;
use posenc::order::{
    equivariance_gap, max_abs_diff_row, mean_pool, permutations, sentence,
};
use posenc::rotary::{
    PairLayout, Rotary, adjacent_to_half_split, dot, rotate_vector, rotation_matrix,
};
use posenc::rotary_score::{relative_score, seeded_query_key};
use posenc::sinusoidal::{
    ColumnLayout, OddWidth, odd_sinusoidal_table, relayout, shift_matrix,
    sinusoidal_table,
};

const BASE: f64 = 10000.0;
const ADJACENT: PairLayout = PairLayout::Adjacent;

pub fn claims() -> Vec<Claim> {
    vec![
        proof("notation-01", "rotary#rotary-relative", || {
            let (queries, keys) = seeded_query_key(42, 1, 8);
            let (q, k) = (queries.row(0), keys.row(0));
            for (m, n) in [(5, 2), (2, 5), (0, 9)] {
                let turned = rotate_vector(k, n, BASE, ADJACENT)?;
                let score =
                    dot(rotate_vector(q, m, BASE, ADJACENT)?.view(), turned.view())?;
                let delta = offset(m, n);
                ensure(delta == n - m, "偏移是键减查询")?;
                let by_offset = relative_score(q, k, delta, BASE, ADJACENT)?;
                below((score - by_offset).abs(), 1e-12)?;
            }
            values![]
        }),
        calc("notation-02", || {
            let turn = rotation_matrix(8, 1, BASE, ADJACENT)?;
            for x in [0, 2, 4, 6] {
                // 向东的单位向量转出向北的分量，向北的转出向西的：逆时针。
                above(turn[[x + 1, x]], 0.0)?;
                below(turn[[x, x + 1]], 0.0)?;
            }
            values![]
        }),
        calc("notation-03", || {
            let first = sinusoidal_table(1, 8, BASE, ColumnLayout::SinCos)?;
            ensure(
                first.row(0) == array![0., 0., 0., 0., 1., 1., 1., 1.],
                "没有转",
            )?;
            let x = array![1.0, 2.0, 3.0, 4.0];
            ensure(rotate_vector(x.view(), 0, BASE, ADJACENT)? == x, "转零步")?;
            let table = LearnedTable::new(array![[7.0], [8.0]])?;
            ensure(table.row(0)?[0] == 7.0, "位置零读头一行")?;
            ensure(frequencies(8, BASE)?[0] == 1.0, "第零对每步一弧度")?;
            values![]
        }),
        calc("notation-04", || {
            let east = array![0.0, 0.0, 1.0, 0.0];
            for n in 1..=300 {
                // 四维时慢的一对每步百分之一弧度，三百步还不到半圈。
                let there = rotate_vector(east.view(), n, BASE, ADJACENT)?;
                let angle = there[3].atan2(there[2]);
                below((angle - 0.01 * n as f64).abs(), 1e-12)?;
            }
            values![]
        }),
        calc("notation-05", || {
            let (q, k) = seeded_query_key(42, 5, 8);
            let seen = attend(q.view(), k.view(), k.view(), Mask::Causal)?.weights;
            for ((m, n), &weight) in seen.indexed_iter() {
                let delta = offset(m as i64, n as i64);
                ensure((weight > 0.0) == (delta <= 0), "看得见就是偏移不为正")?;
            }
            values![]
        }),
        calc("notation-06", || {
            let (q, k) = seeded_query_key(42, 5, 8);
            let plain = q.dot(&k.t());
            let scaled = &plain / (q.ncols() as f64).sqrt();
            let agree =
                max_abs_diff(scaled.view(), scaled_scores(q.view(), k.view())?.view())?;
            below(agree, 1e-12)?;
            let weights = attend(q.view(), k.view(), k.view(), Mask::None)?.weights;
            let by_hand = softmax_rows(scaled.view())?;
            below(max_abs_diff(weights.view(), by_hand.view())?, 1e-12)?;
            let skipped = softmax_rows(plain.view())?;
            above(max_abs_diff(weights.view(), skipped.view())?, 0.01)?;
            values![]
        }),
        calc("notation-07", || {
            let table = LearnedTable::new(Array2::zeros((4, 2)))?;
            let errors = [
                ("7", "偶数", frequencies(7, BASE).err()),
                ("-2", "大于", frequencies(8, -2.0).err()),
                ("9", "合法位置", table.row(9).err()),
                (
                    "rows = 0",
                    "至少",
                    LearnedTable::new(Array2::zeros((0, 3))).err(),
                ),
            ];
            for (value, rule, error) in errors {
                let text = error.ok_or("坏输入没有被拒绝")?.to_string();
                ensure(text.contains(value) && text.contains(rule), &text)?;
            }
            values![]
        }),
        calc("notation-08", || {
            let columns = ColumnLayout::Interleaved;
            for width in [1, 3, 7, 513] {
                ensure(frequencies(width, BASE).is_err(), "频率")?;
                ensure(sinusoidal_table(2, width, BASE, columns).is_err(), "表")?;
                ensure(shift_matrix(width, BASE, 1).is_err(), "平移矩阵")?;
                ensure(Rotary::new(width, BASE, ADJACENT).is_err(), "旋转")?;
                let named = OddWidth::SineLast;
                odd_sinusoidal_table(2, width, BASE, columns, named)?;
            }
            values![]
        }),
        calc("notation-09", || {
            let (from, to) = (ColumnLayout::Interleaved, ColumnLayout::SinCos);
            let one = sinusoidal_table(50, 8, BASE, from)?;
            let other = sinusoidal_table(50, 8, BASE, to)?;
            for (row, same) in one.rows().into_iter().zip(other.rows()) {
                ensure(relayout(row, from, to)? == same, "同一个换列的次序")?;
            }
            let x = array![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
            for n in [1, -7, 300] {
                let after = adjacent_to_half_split(
                    rotate_vector(x.view(), n, BASE, ADJACENT)?.view(),
                )?;
                let before = adjacent_to_half_split(x.view())?;
                let half =
                    rotate_vector(before.view(), n, BASE, PairLayout::HalfSplit)?;
                below(max_abs_diff_row(after.view(), half.view())?, 1e-12)?;
            }
            values![]
        }),
        proof("notation-10", "why#why-invariant", || {
            let (head, x) = (SelfAttention::seeded(42, 6, 3), sentence());
            let out = |x: &Array2<f64>| head.forward(x.view(), Mask::None);
            let pooled = mean_pool(out(&x)?.output.view())?;
            for order in permutations(3)? {
                let gap = equivariance_gap(&head, x.view(), &order, Mask::None)?;
                below(gap, 1e-12)?;
                let moved = out(&permute_rows(x.view(), &order)?)?.output;
                let still = mean_pool(moved.view())?;
                below(max_abs_diff_row(still.view(), pooled.view())?, 1e-12)?;
            }
            values![]
        }),
        calc("notation-11", || {
            let theta = frequencies(16, BASE)?;
            let lambda = wavelengths(&theta)?;
            for i in 1..theta.len() {
                ensure(theta[i] < theta[i - 1], "频率一对比一对小")?;
                ensure(lambda[i] > lambda[i - 1], "波长一对比一对大")?;
            }
            values![]
        }),
    ]
}
