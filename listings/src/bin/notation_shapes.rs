//! 一句话穿过一个注意力头：每一步的形状。

use ndarray::arr2;
use posenc::attention::{Mask, SelfAttention, attend, scaled_scores};
use posenc::print::pad;
use posenc::rotary::{PairLayout, Rotary};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let words = ["猫", "追", "老鼠"];
    let embedding = arr2(&[
        [0.9, 0.1, 0.2, 0.1, 0.3, 0.1],
        [0.2, 0.8, 0.3, 0.1, 0.5, 0.2],
        [0.1, 0.2, 0.9, 0.1, 0.1, 0.3],
    ]);
    let table = sinusoidal_table(words.len(), 6, 10000.0, ColumnLayout::Interleaved)?;
    let x = &embedding + &table;

    let head = SelfAttention::seeded(42, 6, 2);
    let (q, k, v) = (
        x.dot(&head.w_query),
        x.dot(&head.w_key),
        x.dot(&head.w_value),
    );
    let turned =
        Rotary::new(2, 10000.0, PairLayout::Adjacent)?.rotate(q.view(), &[0, 1, 2])?;
    let scores = scaled_scores(q.view(), k.view())?;
    let attended = attend(q.view(), k.view(), v.view(), Mask::None)?;

    println!("词元：{}", words.join(" "));
    let say = |name: &str, dim: (usize, usize)| println!("{}{dim:?}", pad(name, 14));
    say("嵌入", embedding.dim());
    say("位置表", table.dim());
    say("两者之和 X", x.dim());
    say("查询的权重", head.w_query.dim());
    say("查询 Q", q.dim());
    say("键 K", k.dim());
    say("值 V", v.dim());
    say("旋转后的 Q", turned.dim());
    say("分数", scores.dim());
    say("权重", attended.weights.dim());
    say("输出", attended.output.dim());
    Ok(())
}
// ANCHOR_END: main
