//! 两种配对：各自的结果，改排之后相等，混用之后出错。

use ndarray::arr1;
use posenc::Error;
use posenc::print::{fixed, row};
use posenc::rotary::{
    PairLayout::{Adjacent, HalfSplit},
    adjacent_to_half_split, dot, rotate_vector,
};

// ANCHOR: main
fn main() -> Result<(), Error> {
    let (q, k) = (arr1(&[1.0, 2.0, 3.0, 4.0]), arr1(&[0.5, -1.0, 2.0, 1.0]));
    let turn = |x: &ndarray::Array1<f64>, n, layout| {
        rotate_vector(x.view(), n, 10000.0, layout)
    };
    println!("q 在位置 1：");
    println!("  相邻配对{}", row(turn(&q, 1, Adjacent)?.view(), 11, 6));
    println!("  前后对半{}", row(turn(&q, 1, HalfSplit)?.view(), 11, 6));
    println!("q 在 5、k 在 4 的分数：");
    let score = |q_layout, k_layout| -> Result<f64, Error> {
        dot(turn(&q, 5, q_layout)?.view(), turn(&k, 4, k_layout)?.view())
    };
    println!(
        "  都用相邻配对  {:>10}",
        fixed(score(Adjacent, Adjacent)?, 6)
    );
    println!(
        "  都用前后对半  {:>10}",
        fixed(score(HalfSplit, HalfSplit)?, 6)
    );
    println!(
        "  一边一种      {:>10}",
        fixed(score(Adjacent, HalfSplit)?, 6)
    );
    let (q, k) = (
        adjacent_to_half_split(q.view())?,
        adjacent_to_half_split(k.view())?,
    );
    let moved = dot(
        turn(&q, 5, HalfSplit)?.view(),
        turn(&k, 4, HalfSplit)?.view(),
    )?;
    println!("  先改排再对半  {:>10}", fixed(moved, 6));
    Ok(())
}
// ANCHOR_END: main
