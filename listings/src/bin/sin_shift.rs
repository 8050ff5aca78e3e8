//! 平移矩阵：正交，而且同一个矩阵对两千个位置都成立。

use ndarray::{Array2, s};
use posenc::attention::max_abs_diff;
use posenc::print::{below, matrix};
use posenc::sinusoidal::{ColumnLayout, shift_matrix, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    println!("M_1 (d = 4):");
    println!("{}", matrix(shift_matrix(4, 10000.0, 1)?.view(), 9, 5));
    let (width, positions, offset) = (512, 2000, 7);
    let table = sinusoidal_table(
        positions + offset,
        width,
        10000.0,
        ColumnLayout::Interleaved,
    )?;
    let shift = shift_matrix(width, 10000.0, offset as i64)?;
    let moved = table.slice(s![..positions, ..]).dot(&shift.t());
    let error = max_abs_diff(moved.view(), table.slice(s![offset.., ..]))?;
    println!("p_(n+{offset}) - M p_n: {}", below(error, 1e-12));
    let turned_back = shift.t().dot(&shift);
    let error = max_abs_diff(turned_back.view(), Array2::eye(width).view())?;
    println!("M^T M - I: {}", below(error, 1e-12));
    Ok(())
}
// ANCHOR_END: main
