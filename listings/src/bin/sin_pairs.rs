//! 每一对在两个位置的距离平方里占多少。

use posenc::frequency::frequencies;
use posenc::print::row;
use posenc::sinusoidal::pair_shares;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let theta = frequencies(16, 10000.0)?;
    let heads: String = (0..8).map(|i| format!("{:>7}", format!("i={i}"))).collect();
    println!("offset{heads}");
    for offset in [1, 10, 100, 1000, 10_000] {
        let percent = pair_shares(theta.view(), offset) * 100.0;
        println!("{offset:>6}{}", row(percent.view(), 7, 1));
    }
    Ok(())
}
// ANCHOR_END: main
