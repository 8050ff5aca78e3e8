//! 手算的三个键：正着算一遍，打乱再算一遍，每一步一行算式。

use posenc::Error;
use posenc::attention::softmax_rows;
use posenc::print::fixed;

// ANCHOR: weigh
/// 打印分数和值，再打印四行：指数的和、值是 20 的那个键的权重、三个权重、加权平均。
fn weigh(score: [f64; 3], value: [f64; 3]) -> Result<(), Error> {
    let exp = score.map(f64::exp);
    let sum: f64 = exp.iter().sum();
    let weight = softmax_rows(ndarray::arr2(&[score]).view())?;
    let middle = value.iter().position(|&v| v == 20.0).unwrap_or(0);
    let join = |numbers: [f64; 3], digits, by: &str| {
        numbers.map(|number| fixed(number, digits)).join(by)
    };
    println!("分数 {}  值 {}", join(score, 0, " "), join(value, 0, " "));
    println!("{} = {}", join(exp, 4, " + "), fixed(sum, 3));
    let (top, share) = (fixed(exp[middle], 4), fixed(weight[[0, middle]], 3));
    println!("{top} / {} = {share}", fixed(sum, 3));
    let weights = [0, 1, 2].map(|n| weight[[0, n]]);
    println!("权重 {}", join(weights, 3, " "));
    let terms = [0, 1, 2].map(|n| {
        let (share, value) = (weights[n], value[n]);
        format!("{}·{}", fixed(share, 3), fixed(value, 0))
    });
    let mean: f64 = (0..3).map(|n| weights[n] * value[n]).sum();
    println!("{} = {}", terms.join(" + "), fixed(mean, 2));
    Ok(())
}

fn main() -> Result<(), Error> {
    weigh([0.0, 1.0, 2.0], [10.0, 20.0, 30.0])?;
    weigh([2.0, 0.0, 1.0], [30.0, 10.0, 20.0])
}
// ANCHOR_END: weigh
