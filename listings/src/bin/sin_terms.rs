//! 加法编码的分数：四项，以及位置项在真实的 W 下的样子。

use ndarray::{Array2, s};
use posenc::additive::{bilinear, four_terms, mean_and_spread, position_scores};
use posenc::print::{below, fixed};
use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: scores
/// 打印 `p_nᵀ W p_{n+Δ}` 的平均与标准差，向后看和向前看各一行。
fn report(name: &str, table: &Array2<f64>, w: &Array2<f64>) -> posenc::Result<()> {
    let (early, late) = (table.slice(s![..1995, ..]), table.slice(s![5.., ..]));
    for (direction, queries, keys) in [("+5", early, late), ("-5", late, early)] {
        let scores = position_scores(queries, w.view(), keys)?;
        let (mean, spread) = mean_and_spread(scores.view())?;
        let (mean, spread) = (fixed(mean, 2), fixed(spread, 2));
        println!("{name:<9} {direction} mean {mean:>6} sd {spread:>5}");
    }
    Ok(())
}
// ANCHOR_END: scores

// ANCHOR: main
fn main() -> posenc::Result<()> {
    let table = sinusoidal_table(2000, 64, 10000.0, ColumnLayout::Interleaved)?;
    let mut random = LegacyRandom::new(42);
    let w = random.normal_matrix(64, 64) / 8.0;
    report("identity", &table, &Array2::eye(64))?;
    report("random W", &table, &w)?;
    println!("query  key-5  key+5");
    for n in [10, 100, 1000] {
        let (left, right) = (table.row(n - 5), table.row(n + 5));
        let left = fixed(bilinear(table.row(n), w.view(), left)?, 2);
        let right = fixed(bilinear(table.row(n), w.view(), right)?, 2);
        println!("{n:>5} {left:>6} {right:>6}");
    }
    let content = random.normal_matrix(2, 64);
    let (c, p) = (
        [content.row(0), content.row(1)],
        [table.row(3), table.row(8)],
    );
    let terms = four_terms([c[0], p[0]], w.view(), [c[1], p[1]])?;
    let whole = bilinear((&c[0] + &p[0]).view(), w.view(), (&c[1] + &p[1]).view())?;
    let error = (terms.iter().sum::<f64>() - whole).abs();
    println!("four terms - whole: {}", below(error, 1e-12));
    Ok(())
}
// ANCHOR_END: main
