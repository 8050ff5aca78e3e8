//! 方向：都反过来是另一个偏移，只反一边就不再是相对编码。

use ndarray::arr1;
use posenc::Error;
use posenc::print::fixed;
use posenc::rotary::{PairLayout, dot, rotate_vector};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let (q, k) = (arr1(&[1.0, 2.0, 3.0, 4.0]), arr1(&[0.5, -1.0, 2.0, 1.0]));
    let score = |m, n| -> Result<String, Error> {
        let q = rotate_vector(q.view(), m, 10000.0, PairLayout::Adjacent)?;
        let k = rotate_vector(k.view(), n, 10000.0, PairLayout::Adjacent)?;
        Ok(fixed(dot(q.view(), k.view())?, 6))
    };
    for (m, n) in [(5, 4), (6, 5)] {
        println!("q 在 {m}，k 在 {n}：");
        println!("  都逆时针  {:>10}", score(m, n)?);
        println!("  都顺时针  {:>10}", score(-m, -n)?);
        println!("  只有 k 反 {:>10}", score(m, -n)?);
    }
    Ok(())
}
// ANCHOR_END: main
