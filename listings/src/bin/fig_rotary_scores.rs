//! 插图：三对查询和键，分数随偏移怎么走。

use ndarray::{Array1, ArrayView1};
use posenc::Error;
use posenc::rotary::{PairLayout, dot, rotate_vector};
use posenc::rotary_score::{relative_score, seeded_query_key};
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE, Plot};

const DIM: usize = 64;

fn curve(q: ArrayView1<f64>, k: ArrayView1<f64>) -> Result<Vec<f64>, Error> {
    let scale = (dot(q, q)? * dot(k, k)?).sqrt();
    (0..=80)
        .map(|offset| {
            let score = relative_score(q, k, offset, 10000.0, PairLayout::Adjacent)?;
            Ok(score / scale)
        })
        .collect()
}

fn main() -> Result<(), Error> {
    let (queries, keys) = seeded_query_key(42, 1, DIM);
    let q = queries.row(0);
    let ones = Array1::ones(DIM);
    let peaked = rotate_vector(q, -37, 10000.0, PairLayout::Adjacent)?;
    let curves = [
        ("q = k，全是 1", curve(ones.view(), ones.view())?),
        ("为偏移 37 造的 k", curve(q, peaked.view())?),
        ("随机的 q 与 k", curve(q, keys.row(0))?),
    ];
    let mut canvas = Canvas::new(
        "fig_rotary_scores",
        "离得近不等于分数高",
        "横轴是偏移，从 0 到 80；纵轴是分数除以两个向量的长度。q = k 且分量全是 1 时，曲线从 1 起波动着下降，不是一路下降；为偏移 37 造的 k 在 37 处达到 1，两边都低；随机的 q 与 k 在 0 上下起伏，看不出近处更高。",
        360,
        286,
    );
    let plot = Plot {
        area: (46.0, 42.0, 300.0, 180.0),
        x: (0.0, 80.0),
        y: (-0.4, 1.0),
    };
    canvas.text(
        (180.0, 14.0),
        13.0,
        Anchor::Middle,
        &format!("离得近不等于分数高（头宽 {DIM}）"),
    );
    let zero = (plot.at(0.0, 0.0), plot.at(80.0, 0.0));
    canvas.line(
        zero.0,
        zero.1,
        "stroke=\"currentColor\" stroke-width=\"0.5\" opacity=\"0.6\"",
    );
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (20.0, "20"),
            (37.0, "37"),
            (60.0, "60"),
            (80.0, "80"),
        ],
        &[(-0.4, "-0.4"), (0.0, "0"), (0.5, "0.5"), (1.0, "1")],
        "偏移（位置）",
        "分数 ÷ 两个长度",
    );
    for (number, (name, values)) in curves.iter().enumerate() {
        let style = format!(
            "stroke=\"{}\" stroke-width=\"1.6\" stroke-dasharray=\"{}\"",
            PALETTE[number], DASHES[number]
        );
        let points: Vec<(f64, f64)> = values
            .iter()
            .enumerate()
            .map(|(offset, &value)| plot.at(offset as f64, value))
            .collect();
        canvas.polyline(&points, &style);
        let x = [4.0, 114.0, 244.0][number];
        canvas.line((x, 276.0), (x + 18.0, 276.0), &style);
        canvas.text((x + 22.0, 280.0), 11.0, Anchor::Start, name);
    }
    print!("{}", canvas.finish());
    Ok(())
}
