//! 去掉 softmax：查询“猫”的一行分数与一行权重，各自的和，以及等变还在不在。

use ndarray::{Array2, ArrayView2};
use posenc::Error;
use posenc::attention::softmax_rows;
use posenc::attention::{SelfAttention, max_abs_diff, permute_rows, scaled_scores};
use posenc::order::{permutations, sentence};
use posenc::print::{below, fixed, row};

// ANCHOR: bare
/// 去掉 softmax 的“注意力”：分数直接乘值。返回分数和输出。
fn bare(
    head: &SelfAttention,
    x: ArrayView2<f64>,
) -> Result<(Array2<f64>, Array2<f64>), Error> {
    let (query, key) = (x.dot(&head.w_query), x.dot(&head.w_key));
    let scores = scaled_scores(query.view(), key.view())?;
    let output = scores.dot(&x.dot(&head.w_value));
    Ok((scores, output))
}

fn main() -> Result<(), Error> {
    let (head, x) = (SelfAttention::seeded(42, 6, 3), sentence());
    let (scores, output) = bare(&head, x.view())?;
    let weights = softmax_rows(scores.view())?;
    for (name, line) in [("分数", scores.row(0)), ("权重", weights.row(0))] {
        println!("{name}{}  和 {}", row(line, 8, 3), fixed(line.sum(), 3));
    }
    let mut worst = 0.0_f64;
    for order in permutations(3)? {
        let moved = bare(&head, permute_rows(x.view(), &order)?.view())?.1;
        let follow = permute_rows(output.view(), &order)?;
        worst = worst.max(max_abs_diff(moved.view(), follow.view())?);
    }
    println!("没有 softmax，离等变：{}", below(worst, 1e-12));
    Ok(())
}
// ANCHOR_END: bare
