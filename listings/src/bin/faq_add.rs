//! 答疑：相加就是权重绑定的拼接；真的拼接要多少权重。

use posenc::attention::max_abs_diff;
use posenc::mixing::{above, beside, layer_weights};
use posenc::print::below;
use posenc::rng::LegacyRandom;

// ANCHOR: add
fn main() -> Result<(), posenc::Error> {
    let mut random = LegacyRandom::new(42);
    let mut draw = |rows| random.normal_matrix(rows, 64);
    let (x, p, w) = (draw(10), draw(10), draw(64));
    let added = (&x + &p).dot(&w);
    let tied = beside(x.view(), p.view())?.dot(&above(w.view(), w.view())?);
    let error = max_abs_diff(added.view(), tied.view())?;
    println!("相加与绑定的拼接相差 {}", below(error, 1e-12));
    for width in [512, 1024] {
        println!(
            "宽 {width} 的一层：{} 个权重",
            layer_weights(width, 4 * width)?
        );
    }
    let (width, position_width) = (512, 512);
    println!("把 {position_width} 列投影回来：{}", width * position_width);
    Ok(())
}
// ANCHOR_END: add
