//! 答疑：先取对数再取指数，算的是同一个幂。

use posenc::frequency::frequencies;
use posenc::print::{below, fixed};

// ANCHOR: exp_log
fn main() -> Result<(), posenc::Error> {
    let (width, base) = (512, 10000.0_f64);
    let power = frequencies(width, base)?;
    let worst = power
        .iter()
        .enumerate()
        .map(|(i, theta)| {
            let exponent = -2.0 * i as f64 / width as f64 * base.ln();
            (exponent.exp() / theta - 1.0).abs()
        })
        .fold(0.0, f64::max);
    println!("两种写法的相对误差 {}", below(worst, 1e-14));
    println!("ln 10000 = {}", fixed(base.ln(), 6));
    println!("误写成 4 时，基数变成 {}", fixed(4.0_f64.exp(), 3));
    Ok(())
}
// ANCHOR_END: exp_log
