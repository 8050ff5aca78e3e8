//! 句号读完全句：打乱前面三个词，它的输出变不变？一层与两层，有无掩码。

use posenc::Error;
use posenc::attention::{Mask, SelfAttention, permute_rows};
use posenc::order::{max_abs_diff_row, permutations, run_layers, sentence_with_stop};
use posenc::print::{below, fixed};

// ANCHOR: last
/// 前三个词取遍六种排列，句号那一行的输出最多变多少。
fn change(layers: &[SelfAttention], mask: Mask) -> Result<f64, Error> {
    let x = sentence_with_stop();
    let before = run_layers(layers, x.view(), mask)?;
    let mut worst = 0.0_f64;
    for mut order in permutations(3)? {
        order.push(3);
        let moved = permute_rows(x.view(), &order)?;
        let after = run_layers(layers, moved.view(), mask)?;
        worst = worst.max(max_abs_diff_row(after.row(3), before.row(3))?);
    }
    Ok(worst)
}

fn main() -> Result<(), Error> {
    let layers = [42, 43].map(|seed| SelfAttention::seeded(seed, 6, 6));
    let one = change(&layers[..1], Mask::Causal)?;
    println!("一层，因果掩码  {}", below(one, 1e-12));
    println!(
        "两层，因果掩码  {}",
        fixed(change(&layers, Mask::Causal)?, 3)
    );
    let open = change(&layers, Mask::None)?;
    println!("两层，没有掩码  {}", below(open, 1e-12));
    Ok(())
}
// ANCHOR_END: last
