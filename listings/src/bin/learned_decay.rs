//! 练习：没被读过的一行，遇上权重衰减也会变。

use posenc::print::fixed;

// ANCHOR: decay
fn main() {
    let (start, step, decay) = (0.020_f64, 0.1, 0.1);
    let factor = 1.0 - step * decay;
    let kept = (0..10).fold(1.0, |kept, _| kept * factor);
    println!("初值 {start:.3}，步长 {step:.1}，系数 {decay:.1}");
    println!("每步乘 {}", fixed(factor, 2));
    println!(
        "十步以后剩 {}，变成 {}",
        fixed(kept, 3),
        fixed(kept * start, 4)
    );
}
// ANCHOR_END: decay
