//! 给例句加上位置，再倒过来读：输出还跟着词走吗？

use ndarray::Array2;
use posenc::Error;
use posenc::attention::{Mask, SelfAttention, max_abs_diff, permute_rows};
use posenc::order::sentence;
use posenc::print::{below, fixed};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: repair
/// 位置留在原地，词倒过来：离等变差多少。
fn gap(head: &SelfAttention, position: &Array2<f64>) -> Result<f64, Error> {
    let (x, back) = (sentence(), [2, 1, 0]);
    let moved = permute_rows(x.view(), &back)? + position;
    let left = head.forward(moved.view(), Mask::None)?.output;
    let right = head.forward((x + position).view(), Mask::None)?.output;
    max_abs_diff(left.view(), permute_rows(right.view(), &back)?.view())
}

fn main() -> Result<(), Error> {
    let head = SelfAttention::seeded(42, 6, 3);
    let sine = sinusoidal_table(3, 6, 10000.0, ColumnLayout::Interleaved)?;
    let none = gap(&head, &Array2::zeros((3, 6)))?;
    println!("不加位置  {}", below(none, 1e-12));
    println!("加正弦行  {}", fixed(gap(&head, &sine)?, 3));
    Ok(())
}
// ANCHOR_END: repair
