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
    multiply(first, first);
    multiply(first, third);
    let two_steps = fixed(kernel(theta.view(), 2), 4);
    println!("cos 2 + cos {} = {two_steps}", fixed(2.0 * theta[1], 2));
    Ok(())
}

/// 内积：先一对一对地算，再加起来。
fn multiply(a: ArrayView1<f64>, b: ArrayView1<f64>) {
    let mut pairs = Vec::new();
    for i in (0..a.len()).step_by(2) {
        let (sine, cosine) = (a[i] * b[i], a[i + 1] * b[i + 1]);
        let sign = if cosine < 0.0 { '-' } else { '+' };
        let [x, y, z, w] =
            [a[i], b[i], a[i + 1], b[i + 1]].map(|value| fixed(value.abs(), 4));
        println!("{x} * {y} {sign} {z} * {w} = {}", fixed(sine + cosine, 3));
        pairs.push(fixed(sine + cosine, 3));
    }
    println!("{} = {}", pairs.join(" + "), fixed(a.dot(&b), 3));
}
// ANCHOR_END: main
