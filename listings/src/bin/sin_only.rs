//! 只有正弦：最好的线性变换也搬不动位置。

use ndarray::s;
use posenc::linear::{residual, root_mean_square};
use posenc::print::{below, fixed};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let (width, positions, offset) = (16, 500, 7);
    let rows = positions + offset;
    let table = sinusoidal_table(rows, width, 10000.0, ColumnLayout::SinCos)?;
    let sines = table.slice(s![.., ..width / 2]);
    let (now, later) = (
        sines.slice(s![..positions, ..]),
        sines.slice(s![offset.., ..]),
    );
    let rest = residual(now, later)?;
    let largest = rest.fold(0.0, |a: f64, x| x.abs().max(a));
    let before = root_mean_square(later)?;
    println!("sines        rms {}", fixed(before, 3));
    println!(
        "best map     rms {}",
        fixed(root_mean_square(rest.view())?, 3)
    );
    println!("             max {}", fixed(largest, 3));
    let pairs = table.slice(s![..positions, ..]);
    let rest = residual(pairs, later)?;
    let with_cosines = root_mean_square(rest.view())?;
    println!("with cosines rms {}", below(with_cosines, 1e-9));
    Ok(())
}
// ANCHOR_END: main
