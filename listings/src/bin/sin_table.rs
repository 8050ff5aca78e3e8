//! 讲稿第二段代码打印的表，同样的位数。

use ndarray::s;
use posenc::print::{fixed, row};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let table = sinusoidal_table(10, 16, 10000.0, ColumnLayout::Interleaved)?;
    let (positions, width) = table.dim();
    println!("shape ({positions}, {width})");
    let heads: String = (0..8)
        .map(|d| format!("{:>8}", format!("dim{d}")))
        .collect();
    println!("pos{heads}");
    for n in 0..5 {
        println!("{n:>3}{}", row(table.slice(s![n, ..8]), 8, 3));
    }
    for n in [3, 4] {
        println!("pos={n}{}", row(table.slice(s![n, ..6]), 13, 8));
    }
    println!("pos    dim0    dim8");
    for n in 0..positions {
        let pair = table.slice(s![n, ..;8]);
        println!("{n:>3}{}", row(pair, 8, 4));
    }
    println!(
        "max|value| {}",
        fixed(table.fold(0.0, |a, x| x.abs().max(a)), 4)
    );
    Ok(())
}
// ANCHOR_END: main
