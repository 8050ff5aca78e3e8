//! 答疑：位置从零数还是从一数。

use ndarray::ArrayView1;
use posenc::print::below;
use posenc::rng::LegacyRandom;
use posenc::rotary::{PairLayout, dot, rotate_vector};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: start
/// 查询在 `m`、键在 `n` 时的旋转分数。
fn rope(q: ArrayView1<f64>, k: ArrayView1<f64>, m: i64, n: i64) -> posenc::Result<f64> {
    let turn = |x, n| rotate_vector(x, n, 10000.0, PairLayout::Adjacent);
    dot(turn(q, m)?.view(), turn(k, n)?.view())
}

fn main() -> posenc::Result<()> {
    let p = sinusoidal_table(10, 8, 10000.0, ColumnLayout::Interleaved)?;
    let mut random = LegacyRandom::new(42);
    let (w, qk) = (random.normal_matrix(8, 8), random.normal_matrix(2, 8));
    let (q, k) = (qk.row(0), qk.row(1));
    let kernel = |m, n| p.row(m).dot(&p.row(n));
    let mixed = |m, n| p.row(m).dot(&w.dot(&p.row(n)));
    let shift = (rope(q, k, 3, 8)? - rope(q, k, 4, 9)?).abs();
    println!(
        "正弦编码的内积：相差 {}",
        below((kernel(3, 8) - kernel(4, 9)).abs(), 1e-12)
    );
    println!("旋转以后的分数：相差 {}", below(shift, 1e-12));
    println!(
        "中间隔一个矩阵：相差 {:.3}",
        (mixed(3, 8) - mixed(4, 9)).abs()
    );
    Ok(())
}
// ANCHOR_END: start
