//! 任何偏移都能是最高的：为它造一个键。

use posenc::Error;
use posenc::print::fixed;
use posenc::rotary::{PairLayout, rotate_vector};
use posenc::rotary_score::{relative_score, seeded_query_key};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let layout = PairLayout::Adjacent;
    let (dim, seed) = (64, 42);
    println!("头宽 {dim}，种子 {seed}");
    let (queries, _) = seeded_query_key(seed, 1, dim);
    let q = queries.row(0);
    let k = rotate_vector(q, -37, 10000.0, layout)?;
    let score = |offset| relative_score(q, k.view(), offset, 10000.0, layout);
    for offset in [0, 1, 36, 37, 38] {
        println!("偏移 {offset:>2}：{:>7}", fixed(score(offset)?, 3));
    }
    let mut best = (0, f64::NEG_INFINITY);
    for offset in -5000..=5000 {
        let here = score(offset)?;
        if here > best.1 {
            best = (offset, here);
        }
    }
    println!("从 -5000 找到 5000，最高的偏移是 {}", best.0);
    Ok(())
}
// ANCHOR_END: main
