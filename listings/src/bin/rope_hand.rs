//! 手算：一对分量，查询 (3, 1) 在位置 1，键 (1, 2) 在位置 3，频率是 1。

use posenc::print::fixed;

// ANCHOR: turn
fn turn((x, y): (f64, f64), steps: f64) -> (f64, f64) {
    let (sin, cos) = steps.sin_cos();
    let turned = (x * cos - y * sin, x * sin + y * cos);
    let (left, up) = (fixed(turned.0, 4), fixed(turned.1, 4));
    println!("{x} × cos {steps} − {y} × sin {steps} = {left}");
    println!("{x} × sin {steps} + {y} × cos {steps} = {up}");
    turned
}
// ANCHOR_END: turn

fn dot(q: (f64, f64), k: (f64, f64), digits: usize) {
    let show = |value: f64| fixed(value, digits);
    let sum = fixed(q.0 * k.0 + q.1 * k.1, 3);
    let (a, b) = (show(q.0), show(q.1));
    println!("{a} × {} + {b} × {} = {sum}", fixed(k.0, 4), fixed(k.1, 4));
}

fn main() {
    let (q, k) = ((3.0, 1.0), (1.0, 2.0));
    dot(turn(q, 1.0), turn(k, 3.0), 4);
    dot(q, turn(k, 2.0), 0);
}
