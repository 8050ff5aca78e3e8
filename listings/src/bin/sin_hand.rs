//! 手算：宽度为四的编码，两行和它们的内积。

use posenc::frequency::frequencies;
use posenc::print::{fixed, row};
use posenc::sinusoidal::{ColumnLayout, kernel, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let theta = frequencies(4, 10000.0)?;
    let table = sinusoidal_table(4, 4, 10000.0, ColumnLayout::Interleaved)?;
    println!("theta  {}", row(theta.view(), 10, 4));
    for n in [1, 3] {
        println!("p_{n}    {}", row(table.row(n), 10, 4));
    }
    let (first, third) = (table.row(1), table.row(3));
    println!("p_1·p_1   {}", fixed(first.dot(&first), 4));
    println!("p_1·p_3   {}", fixed(first.dot(&third), 4));
    println!("g(2)      {}", fixed(kernel(theta.view(), 2), 4));
    Ok(())
}
// ANCHOR_END: main
