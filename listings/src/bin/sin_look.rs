//! 先看：同样的偏移，相隔很远的两处，内积一样。

use ndarray::array;
use posenc::frequency::frequencies;
use posenc::print::fixed;
use posenc::sinusoidal::{ColumnLayout, rows_at};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let theta = frequencies(16, 10000.0)?;
    for start in [2, 1_000_002] {
        let positions = array![start as f64, (start + 3) as f64];
        let rows = rows_at(positions.view(), theta.view(), ColumnLayout::Interleaved)?;
        let product = fixed(rows.row(0).dot(&rows.row(1)), 6);
        println!("p_{start} · p_{} = {product}", start + 3);
    }
    Ok(())
}
// ANCHOR_END: main
