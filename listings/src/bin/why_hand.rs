//! 手算的三个键：正着算一遍，打乱再算一遍。

use ndarray::{Array1, arr1};
use posenc::Error;
use posenc::attention::softmax_rows;
use posenc::print::{fixed, row};

// ANCHOR: weigh
/// 打印分数、它们的指数、指数的和、权重，最后是值的加权平均。
fn weigh(score: Array1<f64>, value: Array1<f64>) -> Result<(), Error> {
    let exp = score.mapv(f64::exp);
    println!("分数  {}", row(score.view(), 8, 0));
    println!("指数  {}", row(exp.view(), 8, 4));
    println!("和    {:>8}", fixed(exp.sum(), 3));
    let scores = score.insert_axis(ndarray::Axis(0));
    let weight = softmax_rows(scores.view())?.row(0).to_owned();
    println!("权重  {}", row(weight.view(), 8, 3));
    println!("值    {}", row(value.view(), 8, 0));
    println!("输出  {:>8}", fixed(weight.dot(&value), 2));
    Ok(())
}

fn main() -> Result<(), Error> {
    weigh(arr1(&[0.0, 1.0, 2.0]), arr1(&[10.0, 20.0, 30.0]))?;
    println!("打乱之后");
    weigh(arr1(&[2.0, 0.0, 1.0]), arr1(&[30.0, 10.0, 20.0]))
}
// ANCHOR_END: weigh
