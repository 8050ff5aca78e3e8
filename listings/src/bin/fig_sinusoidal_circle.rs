//! 插图：一对就是圆上的一个点，平移就是转同样的角。

use posenc::svg::{Anchor, Canvas, DASHES, PALETTE};

const CENTER: (f64, f64) = (180.0, 146.0);
const RADIUS: f64 = 104.0;
const THETA: f64 = 0.6;

/// 位置 `n` 的点：横轴余弦，纵轴正弦。
fn point(n: f64, radius: f64) -> (f64, f64) {
    let (sin, cos) = (n * THETA).sin_cos();
    (CENTER.0 + radius * cos, CENTER.1 - radius * sin)
}

fn main() {
    let mut canvas = Canvas::new(
        "fig_sinusoidal_circle",
        "从任何位置出发，平移同样的步数都转同样的角",
        "一个单位圆，横轴是余弦，纵轴是正弦，位置零到九是圆上等角排开的点。一条弧从位置一转到位置四，\
         另一条弧从位置五转到位置八，两条弧的张角相同。",
        360,
        292,
    );
    let thin = "stroke=\"currentColor\" stroke-width=\"0.8\" opacity=\"0.6\"";
    canvas.line((60.0, CENTER.1), (300.0, CENTER.1), thin);
    canvas.line((CENTER.0, 28.0), (CENTER.0, 264.0), thin);
    canvas.circle(
        CENTER,
        RADIUS,
        "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1\"",
    );
    for (k, from) in [1.0, 5.0].into_iter().enumerate() {
        let color = PALETTE[k];
        let dash = format!("stroke=\"{color}\" stroke-dasharray=\"{}\"", DASHES[k]);
        for n in [from, from + 3.0] {
            let style = format!("{dash} stroke-width=\"1.5\"");
            canvas.line(CENTER, point(n, RADIUS), &style);
        }
        let radius = 52.0 + 14.0 * k as f64;
        let arc: Vec<(f64, f64)> = (0..=16)
            .map(|step| point(from + 3.0 * f64::from(step) / 16.0, radius))
            .collect();
        canvas.polyline(&arc, &format!("{dash} stroke-width=\"2\""));
        canvas.arrow(arc[15], arc[16], color);
        let label = point(from + 0.9, radius + 14.0);
        canvas.text((label.0, label.1 + 4.0), 12.0, Anchor::Middle, "Δθ");
    }
    for n in 0..10 {
        let n = f64::from(n);
        canvas.circle(point(n, RADIUS), 3.5, "fill=\"currentColor\"");
        let label = point(n, RADIUS + 15.0);
        // 位置零在横轴上，字让到轴的上面。
        let down = if n == 0.0 { -5.0 } else { 4.0 };
        canvas.text(
            (label.0, label.1 + down),
            11.0,
            Anchor::Middle,
            &format!("{n}"),
        );
    }
    canvas.text((304.0, CENTER.1 + 16.0), 12.0, Anchor::Start, "cos");
    canvas.text((CENTER.0 + 8.0, 22.0), 12.0, Anchor::Start, "sin");
    print!("{}", canvas.finish());
}
