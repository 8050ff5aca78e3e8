//! 唯一：单独一对的近似重合，和整张表里最近的两行。

use ndarray::array;
use posenc::frequency::frequencies;
use posenc::print::fixed;
use posenc::sinusoidal::distance;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let one_pair = array![1.0];
    println!("one pair, theta = 1");
    for offset in [44, 710] {
        println!("  {offset:>6} {:.2e}", distance(one_pair.view(), offset));
    }
    println!("one sine, theta = 1");
    let gap = (11.0_f64.sin() - 344.0_f64.sin()).abs();
    println!("  11, 344 {gap:.2e}");
    for width in [16, 512] {
        let theta = frequencies(width, 10000.0)?;
        println!("width {width}");
        for offset in [1, 10_000, 62_832] {
            let far = distance(theta.view(), offset);
            println!("  {offset:>6} {:>8}", fixed(far, 4));
        }
    }
    Ok(())
}
// ANCHOR_END: main
