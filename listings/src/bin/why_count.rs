//! 会数数的头：分数全相等，只有第一个词的值是一，再加因果掩码。

use ndarray::Array2;
use posenc::Error;
use posenc::attention::{Mask, attend};
use posenc::print::row;

// ANCHOR: count
fn main() -> Result<(), Error> {
    let flat = Array2::zeros((5, 1));
    let mut value = Array2::zeros((5, 1));
    value[[0, 0]] = 1.0;
    let seen = attend(flat.view(), flat.view(), value.view(), Mask::Causal)?;
    println!("{}", row(seen.output.column(0), 7, 4));
    let open = attend(flat.view(), flat.view(), value.view(), Mask::None)?;
    println!("{}", row(open.output.column(0), 7, 4));
    Ok(())
}
// ANCHOR_END: count
