//! 练习：指数里误用列号，频率走得太快。

use ndarray::Array1;
use posenc::frequency::frequencies;
use posenc::print::row;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let (width, base) = (8, 10000.0_f64);
    let slip: Array1<f64> = (0..width)
        .map(|column| {
            let theta = base.powf(-2.0 * column as f64 / width as f64);
            if column % 2 == 0 {
                theta.sin()
            } else {
                theta.cos()
            }
        })
        .collect();
    println!("slip {}", row(slip.view(), 9, 6));
    let theta = frequencies(width, base)?;
    let right: Array1<f64> = theta.iter().flat_map(|t| [t.sin(), t.cos()]).collect();
    println!("true {}", row(right.view(), 9, 6));
    for (name, line) in [("slip", slip), ("true", right)] {
        let lengths: Array1<f64> = (0..width / 2)
            .map(|i| line[2 * i].powi(2) + line[2 * i + 1].powi(2))
            .collect();
        println!("sin^2 + cos^2, {name} {}", row(lengths.view(), 9, 6));
    }
    Ok(())
}
// ANCHOR_END: main
