//! 平均分数随偏移怎么变：独立的查询和键，与查询等于键。

use ndarray::aview1;
use posenc::Error;
use posenc::print::row;
use posenc::rotary_score::mean_scores;

// ANCHOR: main
fn main() -> Result<(), Error> {
    let offsets = [0, 1, 8, 64, 512];
    let independent = mean_scores(42, 20000, 64, &offsets, false)?;
    let same = mean_scores(42, 20000, 64, &offsets, true)?;
    let offsets = offsets.map(|offset| offset as f64);
    println!("偏移      {}", row(aview1(&offsets), 8, 0));
    println!("k 独立于 q{}", row(aview1(&independent), 8, 3));
    println!("k 等于 q  {}", row(aview1(&same), 8, 3));
    Ok(())
}
// ANCHOR_END: main
