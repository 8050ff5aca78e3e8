//! 讲稿第三段代码：五个位置、八维，不旋转与旋转的分数矩阵。

use ndarray::{Array2, ArrayView2};
use posenc::Error;
use posenc::attention::scaled_scores;
use posenc::print::{fixed, matrix};
use posenc::rotary::{PairLayout, Rotary};
use posenc::rotary_score::seeded_query_key;

// ANCHOR: rotated
fn rotated(x: ArrayView2<f64>) -> Result<Array2<f64>, Error> {
    let rotary = Rotary::new(8, 10000.0, PairLayout::Adjacent)?;
    rotary.rotate(x, &[0, 1, 2, 3, 4])
}

fn main() -> Result<(), Error> {
    let (q, k) = seeded_query_key(42, 5, 8);
    println!("不旋转，没有除以 √8：");
    println!("{}", matrix(q.dot(&k.t()).view(), 7, 3));
    let (q, k) = (rotated(q.view())?, rotated(k.view())?);
    println!("旋转，除以 √8：");
    println!(
        "{}",
        matrix(scaled_scores(q.view(), k.view())?.view(), 7, 3)
    );
    println!(
        "位置 1 的查询、位置 4 的键，点积：{}",
        fixed(q.row(1).dot(&k.row(4)), 4)
    );
    Ok(())
}
// ANCHOR_END: rotated
