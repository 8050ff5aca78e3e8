//! 核的数值、第一次回升和第一次变负。

use posenc::frequency::frequencies;
use posenc::print::fixed;
use posenc::sinusoidal::{first_negative, first_rise, kernel, rising_steps};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let theta = frequencies(512, 10000.0)?;
    println!("offset  g(offset), d = 512");
    for offset in [0, 1, 2, 5, 10, 50, 100, 500, 1000] {
        println!("{offset:>6}{:>9}", fixed(kernel(theta.view(), offset), 2));
    }
    println!("    d  first rise  rising of 2048  first negative");
    for width in [128, 512] {
        let theta = frequencies(width, 10000.0)?;
        let rise = first_rise(theta.view(), 2048).unwrap_or(-1);
        let count = rising_steps(theta.view(), 2048);
        let negative = first_negative(theta.view(), 4096).unwrap_or(-1);
        println!("{width:>5}{rise:>12}{count:>16}{negative:>16}");
    }
    Ok(())
}
// ANCHOR_END: main
