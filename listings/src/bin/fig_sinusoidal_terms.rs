//! 插图：偏移固定为五，位置项在单位矩阵和随机矩阵下的样子。

use ndarray::{Array2, s};
use posenc::additive::position_scores;
use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE, Plot};

const SHOWN: usize = 240;

fn main() -> Result<(), posenc::Error> {
    let mut canvas = Canvas::new(
        "fig_sinusoidal_terms",
        "同一个偏移：单位矩阵下是一条平线，随机矩阵下随位置起伏",
        "横轴是查询的位置，纵轴是位置对位置的分数，偏移都是五。单位矩阵的分数是一条水平线，\
         随机矩阵的分数在零上下来回摆动。",
        360,
        260,
    );
    let rows = SHOWN + 6;
    let table = sinusoidal_table(rows, 64, 10000.0, ColumnLayout::Interleaved)?;
    let random = LegacyRandom::new(42).normal_matrix(64, 64) / 8.0;
    let plot = Plot {
        area: (38.0, 34.0, 306.0, 176.0),
        x: (0.0, SHOWN as f64),
        y: (-12.0, 26.0),
    };
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (60.0, "60"),
            (120.0, "120"),
            (180.0, "180"),
            (240.0, "240"),
        ],
        &[(-10.0, "-10"), (0.0, "0"), (10.0, "10"), (20.0, "20")],
        "查询的位置 m",
        "分数",
    );
    let (queries, keys) = (
        table.slice(s![..=SHOWN, ..]),
        table.slice(s![5..SHOWN + 6, ..]),
    );
    let labels = ["W = I", "随机 W"];
    for (k, w) in [Array2::eye(64), random].iter().enumerate() {
        let scores = position_scores(queries, w.view(), keys)?;
        let points: Vec<(f64, f64)> = scores
            .iter()
            .enumerate()
            .map(|(n, &score)| plot.at(n as f64, score))
            .collect();
        let width = if k == 0 { 2.4 } else { 1.2 };
        let (color, dash) = (PALETTE[k], DASHES[1 - k]);
        let style = format!(
            "stroke=\"{color}\" stroke-width=\"{width}\" stroke-dasharray=\"{dash}\""
        );
        if k == 0 {
            canvas.line(points[0], points[SHOWN], &style);
        } else {
            canvas.polyline(&points, &style);
        }
        let at = plot.at(SHOWN as f64, [18.5, 13.5][k]);
        canvas.line((at.0 - 82.0, at.1 - 4.0), (at.0 - 54.0, at.1 - 4.0), &style);
        canvas.text((at.0 - 48.0, at.1), 11.0, Anchor::Start, labels[k]);
    }
    print!("{}", canvas.finish());
    Ok(())
}
