//! Su 2021 图 2 的曲线，以及它上升的次数。

use posenc::Error;
use posenc::frequency::frequencies;
use posenc::print::fixed;
use posenc::rotary_score::mean_partial_sum;

// ANCHOR: main
fn main() -> Result<(), Error> {
    let (dim, base) = (128, 10000.0);
    println!("头宽 {dim}，基数 {base}");
    let theta = frequencies(dim, base)?;
    let curve = |offset| mean_partial_sum(theta.view(), offset);
    for offset in [0, 1, 2, 5, 10, 50, 100, 256, 2048, 4096] {
        println!("B({offset:>4}) = {:>5}", fixed(curve(offset)?, 2));
    }
    let mut rises = 0;
    for offset in 0..256 {
        if curve(offset + 1)? > curve(offset)? {
            rises += 1;
        }
    }
    println!("前 256 步里有 {rises} 步上升");
    Ok(())
}
// ANCHOR_END: main
