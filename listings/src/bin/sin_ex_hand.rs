//! 练习：宽度为二时，位置零与六的距离。

use posenc::frequency::{frequencies, wavelengths};
use posenc::print::{fixed, row};
use posenc::sinusoidal::{ColumnLayout, distance, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let theta = frequencies(2, 10000.0)?;
    let table = sinusoidal_table(7, 2, 10000.0, ColumnLayout::Interleaved)?;
    println!("p_6 {}", row(table.row(6), 8, 4));
    println!("|p_6 - p_0| = {}", fixed(distance(theta.view(), 6), 4));
    println!("|p_3 - p_0| = {}", fixed(distance(theta.view(), 3), 4));
    println!("lambda = {}", fixed(wavelengths(&theta)?[0], 4));
    Ok(())
}
// ANCHOR_END: main
