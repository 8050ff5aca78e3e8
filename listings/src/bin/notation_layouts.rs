//! 两种排列，各由库的行为反推出来：哪一列是谁的正弦或余弦，哪两个分量一起转。

use ndarray::Array1;
use posenc::frequency::frequencies;
use posenc::print::pad;
use posenc::rotary::{PairLayout, rotate_vector};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

const WIDTH: usize = 6;
const BASE: f64 = 10000.0;

// ANCHOR: columns
/// 位置一的那一行里，每一列是第几对的正弦还是余弦。
fn columns(layout: ColumnLayout) -> Result<String, posenc::Error> {
    let theta = frequencies(WIDTH, BASE)?;
    let table = sinusoidal_table(2, WIDTH, BASE, layout)?;
    let name = |value: f64| {
        let near = |guess: f64| (value - guess).abs() < 1e-12;
        let sin = theta.iter().position(|theta| near(theta.sin()));
        let cos = theta.iter().position(|theta| near(theta.cos()));
        match (sin, cos) {
            (Some(i), _) => format!("sin{i}"),
            (_, Some(i)) => format!("cos{i}"),
            _ => "?".to_string(),
        }
    };
    let names: Vec<String> = table.row(1).iter().map(|&value| name(value)).collect();
    Ok(names.join(" "))
}
// ANCHOR_END: columns

// ANCHOR: pairs
/// 把第 `a` 个单位向量转一下，看哪两个分量动了。
fn pairs(layout: PairLayout) -> Result<String, posenc::Error> {
    let mut found = Vec::new();
    for a in 0..WIDTH {
        let mut unit = Array1::zeros(WIDTH);
        unit[a] = 1.0;
        let turned = rotate_vector(unit.view(), 1, BASE, layout)?;
        let moved: Vec<usize> = (0..WIDTH).filter(|&j| turned[j] != 0.0).collect();
        let pair = format!("({}, {})", moved[0], moved[1]);
        if !found.contains(&pair) {
            found.push(pair);
        }
    }
    Ok(found.join(" "))
}
// ANCHOR_END: pairs

fn main() -> Result<(), posenc::Error> {
    use ColumnLayout::{CosSin, Interleaved, SinCos};
    for layout in [Interleaved, SinCos, CosSin] {
        println!("{}{}", pad(&format!("{layout:?}"), 13), columns(layout)?);
    }
    for layout in [PairLayout::Adjacent, PairLayout::HalfSplit] {
        println!("{}{}", pad(&format!("{layout:?}"), 13), pairs(layout)?);
    }
    Ok(())
}
