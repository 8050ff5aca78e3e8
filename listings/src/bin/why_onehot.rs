//! 一个会骗人的演示：独热的词、常数的位置行，句子正反的分数矩阵一模一样。

use ndarray::{Array2, array};
use posenc::Error;
use posenc::attention::{max_abs_diff, permute_rows};
use posenc::print::{below, fixed, row};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: onehot
/// 三个独热的词加上位置行，两两点积：正着读与倒着读两张分数矩阵。
fn both_ways(position: &Array2<f64>) -> Result<[Array2<f64>; 2], Error> {
    let words = Array2::from_diag_elem(4, 1.0).slice_move(ndarray::s![..3, ..]);
    let back = permute_rows(words.view(), &[2, 1, 0])?;
    Ok([words, back].map(|words| {
        let x = words + position;
        x.dot(&x.t())
    }))
}

fn main() -> Result<(), Error> {
    let constant = array![[0.0; 4], [0.2; 4], [0.3; 4]];
    let sine = sinusoidal_table(3, 4, 10000.0, ColumnLayout::Interleaved)?;
    let [there, back] = both_ways(&constant)?;
    let gap = max_abs_diff(there.view(), back.view())?;
    println!("常数行：两张矩阵之差{}", below(gap, 1e-12));
    let [there, back] = both_ways(&sine)?;
    let gap = max_abs_diff(there.view(), back.view())?;
    println!("正弦行：两张矩阵之差 {}", fixed(gap, 4));
    println!("正着读第一行{}", row(there.row(0), 8, 4));
    println!("倒着读第一行{}", row(back.row(0), 8, 4));
    Ok(())
}
// ANCHOR_END: onehot
