//! 相对性：同一对查询和键，一起挪动一万个位置，分数的变动只是舍入。

use posenc::Error;
use posenc::print::{below, fixed};
use posenc::rotary::{PairLayout, dot, rotate_vector};
use posenc::rotary_score::{relative_score, seeded_query_key};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let layout = PairLayout::Adjacent;
    let (queries, keys) = seeded_query_key(42, 5, 8);
    let (q, k) = (queries.row(1), keys.row(4));
    let expected = relative_score(q, k, 3, 10000.0, layout)?;
    let mut worst: f64 = 0.0;
    for m in 0..=10000 {
        let q_m = rotate_vector(q, m, 10000.0, layout)?;
        let k_n = rotate_vector(k, m + 3, 10000.0, layout)?;
        worst = worst.max((dot(q_m.view(), k_n.view())? - expected).abs());
    }
    println!("同一对向量，偏移 3：{}", fixed(expected, 4));
    println!("一起挪动 0 到 10000 步，变动{}", below(worst, 1e-12));
    let other = relative_score(queries.row(0), keys.row(3), 3, 10000.0, layout)?;
    println!("换一对向量，偏移还是 3：{}", fixed(other, 4));
    Ok(())
}
// ANCHOR_END: main
