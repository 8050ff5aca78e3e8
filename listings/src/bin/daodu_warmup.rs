//! 读前须知的五件工具，各算一行。

use ndarray::{arr2, aview1};
use posenc::attention::softmax_rows;
use posenc::basics::{angle_sum, dot_product, matrix_product, turn};
use posenc::print::{fixed, pad};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let say = |tool: &str, line: String| println!("{}{line}", pad(tool, 10));

    let (q, k) = ([2.0, 3.0], [5.0, 1.0]);
    let dot = dot_product(aview1(&q), aview1(&k))?;
    say(
        "点积",
        format!("{} × {} + {} × {} = {dot}", q[0], k[0], q[1], k[1]),
    );

    let (x, w) = (arr2(&[[2.0, 3.0]]), arr2(&[[1.0, 5.0], [2.0, 4.0]]));
    let cell = matrix_product(x.view(), w.view())?[[0, 1]];
    let (a, b, c, d) = (x[[0, 0]], w[[0, 1]], x[[0, 1]], w[[1, 1]]);
    say("矩阵乘法", format!("{a} × {b} + {c} × {d} = {cell}"));

    let s = [2.0, 1.0];
    let first = fixed(softmax_rows(arr2(&[s]).view())?[[0, 0]], 4);
    say(
        "softmax",
        format!("exp({}) ÷ (exp({}) + exp({})) = {first}", s[0], s[1], s[0]),
    );

    let (a, b) = (0.5, 0.3);
    let sum = fixed(angle_sum(a, b).0, 4);
    say(
        "两角之和",
        format!("sin({a}) × cos({b}) + cos({a}) × sin({b}) = {sum}"),
    );

    let (x, y) = (3.0, 4.0);
    let turned = fixed(turn((x, y), a).0, 3);
    say(
        "平面旋转",
        format!("{x} × cos({a}) − {y} × sin({a}) = {turned}"),
    );
    Ok(())
}
// ANCHOR_END: main
