//! 插图：波长的梯子，和训练长度画在一起。

use posenc::frequency::{frequencies, wavelengths};
use posenc::svg::{Anchor, Canvas, PALETTE, Plot};

const TRAINED: f64 = 512.0;

fn main() -> Result<(), posenc::Error> {
    let mut canvas = Canvas::new(
        "fig_sinusoidal_ladder",
        "波长的梯子：训练长度以上的横档没有转满一圈",
        "横轴是配对下标除以配对总数，纵轴是波长，按对数画。八个圆点是宽度十六的八个波长，\
         细线是宽度五百一十二的二百五十六个波长，两者落在同一条直线上。虚线是训练长度，\
         它以下的配对转满过一圈，以上的没有。实心点转满过一圈，空心点还没有；右上角的叉是到不了的端点。",
        360,
        286,
    );
    let plot = Plot {
        area: (48.0, 30.0, 290.0, 206.0),
        x: (0.0, 1.0),
        y: (0.5, 5.0),
    };
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (0.25, "1/4"),
            (0.5, "1/2"),
            (0.75, "3/4"),
            (1.0, "1"),
        ],
        &[
            (1.0, "10"),
            (2.0, "100"),
            (3.0, "1000"),
            (4.0, "1万"),
            (5.0, "10万"),
        ],
        "配对下标 i ÷ 配对总数",
        "波长 λ（位置）",
    );
    let line: Vec<(f64, f64)> = wavelengths(&frequencies(512, 10000.0)?)?
        .iter()
        .enumerate()
        .step_by(15)
        .map(|(i, lambda)| plot.at(i as f64 / 256.0, lambda.log10()))
        .collect();
    canvas.polyline(
        &line,
        &format!("stroke=\"{}\" stroke-width=\"1.5\"", PALETTE[0]),
    );
    let dashed = "stroke=\"currentColor\" stroke-width=\"1\" stroke-dasharray=\"6 3\"";
    canvas.line(
        plot.at(0.0, TRAINED.log10()),
        plot.at(1.0, TRAINED.log10()),
        dashed,
    );
    let label = plot.at(1.0, TRAINED.log10());
    canvas.text((label.0, label.1 + 15.0), 11.0, Anchor::End, "训练长度 512");
    for (i, lambda) in wavelengths(&frequencies(16, 10000.0)?)?.iter().enumerate() {
        let at = plot.at(i as f64 / 8.0, lambda.log10());
        let turned = *lambda <= TRAINED;
        let color = PALETTE[if turned { 2 } else { 1 }];
        let style = if turned {
            format!("fill=\"{color}\"")
        } else {
            format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"")
        };
        canvas.circle(at, 4.5, &style);
    }
    let end = plot.at(1.0, (std::f64::consts::TAU * 10000.0).log10());
    canvas.line(
        (end.0 - 4.0, end.1 - 4.0),
        (end.0 + 4.0, end.1 + 4.0),
        "stroke=\"currentColor\"",
    );
    canvas.line(
        (end.0 - 4.0, end.1 + 4.0),
        (end.0 + 4.0, end.1 - 4.0),
        "stroke=\"currentColor\"",
    );
    canvas.text(
        (end.0 - 10.0, end.1 - 4.0),
        11.0,
        Anchor::End,
        "到不了的端点",
    );
    let low = plot.at(0.2, 1.0);
    canvas.text((low.0, low.1), 11.0, Anchor::Start, "● 转满过一圈");
    let high = plot.at(0.06, 4.4);
    canvas.text((high.0, high.1), 11.0, Anchor::Start, "○ 还没转满");
    print!("{}", canvas.finish());
    Ok(())
}
