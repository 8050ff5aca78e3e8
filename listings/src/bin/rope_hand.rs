//! 手算：一对分量，查询在位置 1，键在位置 3。

use ndarray::{Array1, arr1};
use posenc::Error;
use posenc::print::{fixed, row};
use posenc::rotary::{PairLayout, dot, rotate_vector};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let turn = |x: &Array1<f64>, steps| {
        rotate_vector(x.view(), steps, 10000.0, PairLayout::Adjacent)
    };
    let (q, k) = (arr1(&[3.0, 1.0]), arr1(&[1.0, 2.0]));
    let (q1, k3) = (turn(&q, 1)?, turn(&k, 3)?);
    println!("查询转 1 步：{}", row(q1.view(), 9, 4));
    println!("键  转 3 步：{}", row(k3.view(), 9, 4));
    println!("点积：{}", fixed(dot(q1.view(), k3.view())?, 4));
    let k2 = turn(&k, 2)?;
    println!("键只转 2 步：{}", row(k2.view(), 9, 4));
    println!("点积：{}", fixed(dot(q.view(), k2.view())?, 4));
    Ok(())
}
// ANCHOR_END: main
