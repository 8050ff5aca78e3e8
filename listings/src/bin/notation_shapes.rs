//! 一句话穿过一个注意力头：每一步的形状。

use ndarray::arr2;
use posenc::attention::{Mask, SelfAttention, attend, scaled_scores};
use posenc::rotary::{PairLayout, Rotary};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    // 一行一个词元：猫、追、老鼠。
    let embedding = arr2(&[
        [0.9, 0.1, 0.2, 0.1, 0.3, 0.1],
        [0.2, 0.8, 0.3, 0.1, 0.5, 0.2],
        [0.1, 0.2, 0.9, 0.1, 0.1, 0.3],
    ]);
    let table = sinusoidal_table(3, 6, 10000.0, ColumnLayout::Interleaved)?;
    let x = &embedding + &table;

    let head = SelfAttention::seeded(42, 6, 2);
    let q = x.dot(&head.w_query);
    let k = x.dot(&head.w_key);
    let v = x.dot(&head.w_value);
    let rotary = Rotary::new(2, 10000.0, PairLayout::Adjacent)?;
    let turned = rotary.rotate(q.view(), &[0, 1, 2])?;
    let scores = scaled_scores(q.view(), k.view())?;
    let attended = attend(q.view(), k.view(), v.view(), Mask::None)?;

    println!("{:?} 嵌入", embedding.dim());
    println!("{:?} 位置表", table.dim());
    println!("{:?} 两者之和 X", x.dim());
    println!("{:?} 查询的权重，键和值的也一样", head.w_query.dim());
    println!("{:?} 查询 Q，键 K 和值 V 也一样", q.dim());
    println!("{:?} 旋转后的 Q", turned.dim());
    println!("{:?} 分数", scores.dim());
    println!("{:?} 权重", attended.weights.dim());
    println!("{:?} 输出", attended.output.dim());
    Ok(())
}
// ANCHOR_END: main
