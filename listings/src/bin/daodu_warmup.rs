//! 读前须知的五件工具，各算一行。

use ndarray::{arr2, aview1};
use posenc::attention::softmax_rows;
use posenc::basics::{angle_sum, dot_product, matrix_product, turn};
use posenc::print::{fixed, pad, row};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    let say = |tool: &str, line: String| println!("{}{line}", pad(tool, 10));

    let product = dot_product(aview1(&[2.0, 3.0]), aview1(&[5.0, 1.0]))?;
    say("点积", format!("[2, 3] · [5, 1] = {product}"));

    let (x, w) = (arr2(&[[2.0, 3.0]]), arr2(&[[1.0, 5.0], [2.0, 4.0]]));
    let y = matrix_product(x.view(), w.view())?;
    let y = row(y.row(0), 4, 0);
    say("矩阵乘法", format!("[2, 3] 乘 [1, 5; 2, 4] ={y}"));

    let weights = softmax_rows(arr2(&[[1.0, 2.0]]).view())?;
    let weights = row(weights.row(0), 8, 4);
    say("softmax", format!("[1, 2] 变成{weights}"));

    let (sum, direct) = (angle_sum(0.5, 0.3).0, f64::sin(0.5 + 0.3));
    let (sum, direct) = (fixed(sum, 4), fixed(direct, 4));
    say("角度相加", format!("公式给出 {sum}，直接算 {direct}"));

    let (x, y) = turn((3.0, 4.0), 0.5);
    let (px, py, length) = (fixed(x, 3), fixed(y, 3), fixed(x.hypot(y), 3));
    say(
        "旋转",
        format!("[3, 4] 转 0.5 弧度到 [{px}, {py}]，长度 {length}"),
    );
    Ok(())
}
// ANCHOR_END: main
