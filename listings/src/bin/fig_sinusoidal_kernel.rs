//! 插图：核不是一路下降。

use ndarray::Array1;
use posenc::frequency::frequencies;
use posenc::sinusoidal::kernel;
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE, Plot};

const STEPS: usize = 160;

fn main() -> Result<(), posenc::Error> {
    let mut canvas = Canvas::new(
        "fig_sinusoidal_kernel",
        "核总的往下走，可是一路有回升",
        "横轴是偏移，纵轴是核除以它在零处的值。宽度一百二十八和五百一十二两条曲线都从一开始下降，\
         前四十步降得快，之后带着波浪慢慢往下；变大的每一步用粗线标出。",
        360,
        286,
    );
    let plot = Plot {
        area: (38.0, 34.0, 306.0, 202.0),
        x: (0.0, STEPS as f64),
        y: (0.25, 1.0),
    };
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (40.0, "40"),
            (80.0, "80"),
            (120.0, "120"),
            (160.0, "160"),
        ],
        &[(0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1.0, "1")],
        "偏移 Δ（位置）",
        "g(Δ) ÷ g(0)",
    );
    for (k, width) in [512, 128].into_iter().enumerate() {
        let theta = frequencies(width, 10000.0)?;
        let heights = Array1::from_shape_fn(STEPS + 1, |offset| {
            kernel(theta.view(), offset as i64) / (width / 2) as f64
        });
        let points: Vec<(f64, f64)> = heights
            .iter()
            .enumerate()
            .map(|(offset, &height)| plot.at(offset as f64, height))
            .collect();
        let style = format!(
            "stroke=\"{}\" stroke-width=\"1.3\" stroke-dasharray=\"{}\"",
            PALETTE[k], DASHES[k]
        );
        canvas.polyline(&points, &style);
        for offset in 0..STEPS {
            if heights[offset + 1] > heights[offset] {
                let thick = format!("stroke=\"{}\" stroke-width=\"3.6\"", PALETTE[k]);
                canvas.line(points[offset], points[offset + 1], &thick);
            }
        }
        let y = 48.0 + 18.0 * k as f64;
        canvas.line((226.0, y - 4.0), (256.0, y - 4.0), &style);
        canvas.text((262.0, y), 11.0, Anchor::Start, &format!("d = {width}"));
    }
    canvas.line(
        (226.0, 80.0),
        (256.0, 80.0),
        "stroke=\"currentColor\" stroke-width=\"3.6\"",
    );
    canvas.text((262.0, 84.0), 11.0, Anchor::Start, "变大的一步");
    print!("{}", canvas.finish());
    Ok(())
}
