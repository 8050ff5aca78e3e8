//! 先看：一起挪动分数不变，最近的也不是最高的。

use ndarray::ArrayView1;
use posenc::Error;
use posenc::print::fixed;
use posenc::rotary::{PairLayout, dot, rotate_vector};
use posenc::rotary_score::seeded_query_key;

// ANCHOR: at
fn show(
    query: (i64, ArrayView1<f64>),
    key: (i64, ArrayView1<f64>),
) -> Result<(), Error> {
    let (m, n) = (query.0, key.0);
    let q = rotate_vector(query.1, m, 10000.0, PairLayout::Adjacent)?;
    let k = rotate_vector(key.1, n, 10000.0, PairLayout::Adjacent)?;
    let score = fixed(dot(q.view(), k.view())?, 4);
    println!("查询在 {m:>5}，键在 {n:>5}：分数 {score}");
    Ok(())
}
// ANCHOR_END: at

fn main() -> Result<(), Error> {
    let (queries, keys) = seeded_query_key(42, 5, 8);
    let (q, k) = (queries.row(1), keys.row(4));
    for (m, n) in [(1, 4), (10001, 10004), (1, 2), (1, 1)] {
        show((m, q), (n, k))?;
    }
    Ok(())
}
