//! 把讲稿的比较修好：两边都除以 √8，再按距离分组。

use ndarray::aview1;
use posenc::Error;
use posenc::attention::scaled_scores;
use posenc::print::{below, matrix, row};
use posenc::rotary::{PairLayout, Rotary};
use posenc::rotary_score::{
    distance_of_row_maximum, means_by_distance, seeded_query_key,
};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let (q, k) = seeded_query_key(42, 5, 8);
    let rotary = Rotary::new(8, 10000.0, PairLayout::Adjacent)?;
    let turn = |x: &ndarray::Array2<f64>| rotary.rotate(x.view(), &[0, 1, 2, 3, 4]);
    let plain = scaled_scores(q.view(), k.view())?;
    let turned = scaled_scores(turn(&q)?.view(), turn(&k)?.view())?;
    println!("不旋转，也除以 √8：");
    println!("{}", matrix(plain.view(), 7, 3));
    let gap = (&plain.diag() - &turned.diag()).mapv(f64::abs);
    let worst = gap.fold(0.0, |a: f64, &b| a.max(b));
    println!("与旋转后相比，对角线之差{}", below(worst, 1e-12));
    let means = means_by_distance(turned.view());
    println!("旋转后，距离 0 到 4 的平均：");
    println!("  {}", row(aview1(&means), 7, 3));
    let far = distance_of_row_maximum(turned.view());
    println!("各行最大值的距离：{far:?}");
    Ok(())
}
// ANCHOR_END: main
