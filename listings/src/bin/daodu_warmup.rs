//! 读前须知的五件工具，各算一行。

use ndarray::{arr2, aview1};
use posenc::attention::softmax_rows;
use posenc::basics::{angle_sum, dot_product, matrix_product, turn};
use posenc::print::fixed;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let (q, k) = ([2.0, 3.0], [5.0, 1.0]);
    let dot = dot_product(aview1(&q), aview1(&k))?;
    println!("点积：{} × {} + {} × {} = {dot}", q[0], k[0], q[1], k[1]);

    let (x, w) = (arr2(&[[2.0, 3.0]]), arr2(&[[1.0, 5.0], [2.0, 4.0]]));
    let cell = matrix_product(x.view(), w.view())?[[0, 1]];
    let (a, b, c, d) = (x[[0, 0]], w[[0, 1]], x[[0, 1]], w[[1, 1]]);
    println!("矩阵乘法的一格：{a} × {b} + {c} × {d} = {cell}");

    let (a, b) = (2.0, 1.0);
    let first = fixed(softmax_rows(arr2(&[[a, b]]).view())?[[0, 0]], 4);
    println!("softmax：exp({a}) ÷ (exp({b}) + exp({a})) = {first}");

    let (a, b) = (1.0, 2.0);
    let sum = fixed(angle_sum(a, b).0, 3);
    println!("两角和：sin({a}) × cos({b}) + cos({a}) × sin({b}) = {sum}");

    let (x, y, angle) = (3.0, 4.0, 0.5);
    let turned = fixed(turn((x, y), angle).0, 3);
    println!("旋转：{x} × cos({angle}) − {y} × sin({angle}) = {turned}");
    Ok(())
}
// ANCHOR_END: main
