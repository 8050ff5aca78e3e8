//! 插图：一对快的和一对慢的。

use ndarray::Array1;
use posenc::frequency::frequencies;
use posenc::sinusoidal::{ColumnLayout, rows_at};
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE, Plot};

fn main() -> Result<(), posenc::Error> {
    let mut canvas = Canvas::new(
        "fig_sinusoidal_curves",
        "同一张表里的快对和慢对",
        "上图：第零对，正弦和余弦每走六个多位置就重复一次。下图：第二对，走六十三个位置才重复一次。\
         两图里余弦都比正弦早四分之一圈。",
        360,
        340,
    );
    let theta = frequencies(16, 10000.0)?;
    let positions = Array1::linspace(0.0, 64.0, 257);
    let rows = rows_at(positions.view(), theta.view(), ColumnLayout::Interleaved)?;
    for (pair, top) in [(0, 34.0), (2, 192.0)] {
        let plot = Plot {
            area: (34.0, top, 312.0, 106.0),
            x: (0.0, 64.0),
            y: (-1.1, 1.1),
        };
        let name = if pair == 0 { "" } else { "位置 n" };
        plot.axes(
            &mut canvas,
            &[
                (0.0, "0"),
                (16.0, "16"),
                (32.0, "32"),
                (48.0, "48"),
                (64.0, "64"),
            ],
            &[(-1.0, "-1"), (0.0, "0"), (1.0, "1")],
            name,
            &format!("第 {pair} 对"),
        );
        for (phase, label) in [(0, "sin"), (1, "cos")] {
            let points: Vec<(f64, f64)> = positions
                .iter()
                .enumerate()
                .map(|(n, &x)| plot.at(x, rows[[n, 2 * pair + phase]]))
                .collect();
            canvas.polyline(&points, &stroke(phase));
            let x = 236.0 + 60.0 * phase as f64;
            canvas.line((x, top - 12.0), (x + 24.0, top - 12.0), &stroke(phase));
            canvas.text((x + 28.0, top - 8.0), 11.0, Anchor::Start, label);
        }
        for n in (0..=64).step_by(1) {
            let at = plot.at(n as f64, rows[[4 * n, 2 * pair]]);
            canvas.circle(at, 1.6, &format!("fill=\"{}\"", PALETTE[0]));
        }
    }
    print!("{}", canvas.finish());
    Ok(())
}

fn stroke(phase: usize) -> String {
    format!(
        "stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"{}\"",
        PALETTE[phase], DASHES[phase]
    )
}
