//! 一段 Rust 的两种结局：得到答案，或者得到一个说得清楚的错误。

use ndarray::arr2;
use posenc::basics::matrix_product;
use posenc::print::matrix;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let x = arr2(&[[2.0, 3.0], [1.0, 0.0]]);
    let w = arr2(&[[1.0, 5.0], [2.0, 4.0]]);
    let y = matrix_product(x.view(), w.view())?;
    println!("答案：\n{}", matrix(y.view(), 4, 0));

    let tall = arr2(&[[1.0], [2.0], [3.0]]);
    match matrix_product(x.view(), tall.view()) {
        Ok(y) => println!("答案：\n{}", matrix(y.view(), 4, 0)),
        Err(error) => println!("错误：{error}"),
    }
    Ok(())
}
// ANCHOR_END: main
