//! 答疑：值向量要不要旋转。

use posenc::attention::{Mask, attend, max_abs_diff};
use posenc::print::below;
use posenc::rng::LegacyRandom;
use posenc::rotary::{PairLayout, Rotary};

// ANCHOR: values
fn main() -> posenc::Result<()> {
    let mut random = LegacyRandom::new(42);
    let mut draw = || random.normal_matrix(5, 8);
    let (q, k, v) = (draw(), draw(), draw());
    let rotary = Rotary::new(8, 10000.0, PairLayout::Adjacent)?;
    let run = |first: i64, turn_values: bool| {
        let positions: Vec<i64> = (first..first + 5).collect();
        let turn = |x: &ndarray::Array2<f64>| rotary.rotate(x.view(), &positions);
        let values = if turn_values { turn(&v)? } else { v.clone() };
        attend(
            turn(&q)?.view(),
            turn(&k)?.view(),
            values.view(),
            Mask::Causal,
        )
    };
    for (name, turn_values) in [("值不转", false), ("值也转", true)] {
        let (here, there) = (run(0, turn_values)?, run(100, turn_values)?);
        let moved = max_abs_diff(here.output.view(), there.output.view())?;
        if turn_values {
            println!("{name}：整句平移，输出最多变 {moved:.3}");
        } else {
            println!("{name}：整句平移，输出的变化{}", below(moved, 1e-12));
        }
    }
    Ok(())
}
// ANCHOR_END: values
