//! 旋转矩阵长什么样，方向是哪一边，长度变不变。

use ndarray::arr1;
use posenc::Error;
use posenc::print::{matrix, row};
use posenc::rotary::{PairLayout, rotate_vector, rotation_matrix};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let layout = PairLayout::Adjacent;
    println!("R_1：");
    let turn = rotation_matrix(4, 1, 10000.0, layout)?;
    println!("{}", matrix(turn.view(), 10, 6));
    let e0 = arr1(&[1.0, 0.0, 0.0, 0.0]);
    let e2 = arr1(&[0.0, 0.0, 1.0, 0.0]);
    for (name, unit) in [("e0", e0), ("e2", e2)] {
        let turned = rotate_vector(unit.view(), 1, 10000.0, layout)?;
        println!("{name} 放到位置 1：{}", row(turned.view(), 10, 6));
    }
    Ok(())
}
// ANCHOR_END: main
