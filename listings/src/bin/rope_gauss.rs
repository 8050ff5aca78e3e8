//! 平均分数随偏移怎么变：独立的查询和键，与查询等于键。

use posenc::Error;
use posenc::print::fixed;
use posenc::rotary_score::mean_scores;

// ANCHOR: main
fn main() -> Result<(), Error> {
    let offsets = [0, 1, 8, 64, 512];
    let independent = mean_scores(42, 20000, 64, &offsets, false)?;
    let same = mean_scores(42, 20000, 64, &offsets, true)?;
    println!("偏移  k 独立于 q  k 等于 q");
    for ((offset, left), right) in offsets.iter().zip(independent).zip(same) {
        println!(
            "{offset:>4}  {:>10}  {:>8}",
            fixed(left, 3),
            fixed(right, 3)
        );
    }
    Ok(())
}
// ANCHOR_END: main
