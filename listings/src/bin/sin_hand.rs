//! 手算：宽度为四的编码，照正文的次序再算一遍。

use ndarray::ArrayView1;
use posenc::frequency::frequencies;
use posenc::print::{fixed, row};
use posenc::sinusoidal::{ColumnLayout, kernel, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let (width, base) = (4, 10000.0_f64);
    let theta = frequencies(width, base)?;
    println!("d = {width}, b = {base}, theta = {} {}", theta[0], theta[1]);
    println!("1 / sqrt({base}) = {}", fixed(1.0 / base.sqrt(), 2));
    let table = sinusoidal_table(4, width, base, ColumnLayout::Interleaved)?;
    let (first, third) = (table.row(1), table.row(3));
    println!("p_1 ={}", row(first, 8, 4));
    println!("p_3 ={}", row(third, 8, 4));
    println!("{}", multiply(first, first, 3));
    println!("{}", multiply(first, third, 3));
    let two_steps = fixed(kernel(theta.view(), 2), 4);
    println!("cos 2 + cos {} = {two_steps}", fixed(2.0 * theta[1], 2));
    Ok(())
}

/// 把内积写成竖式：逐项的乘积，和它们的和。
fn multiply(a: ArrayView1<f64>, b: ArrayView1<f64>, digits: usize) -> String {
    let mut line = String::new();
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        let sign = match (i, x * y < 0.0) {
            (0, _) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        };
        line += &format!("{sign}{} * {}", fixed(x.abs(), 4), fixed(y.abs(), 4));
    }
    format!("{line} = {}", fixed(a.dot(&b), digits))
}
// ANCHOR_END: main
