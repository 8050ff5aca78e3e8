//! 插图：一对分量里的旋转。查询和键各转各的，一起挪动时夹角不变。

use posenc::svg::{Anchor, Canvas, PALETTE};

const THETA: f64 = 0.4;
const Q: (f64, f64) = (62.0, 0.10);
const K: (f64, f64) = (50.0, 0.75);

fn point(center: (f64, f64), radius: f64, angle: f64) -> (f64, f64) {
    (
        center.0 + radius * angle.cos(),
        center.1 - radius * angle.sin(),
    )
}

fn arc(canvas: &mut Canvas, center: (f64, f64), radius: f64, from: f64, to: f64) {
    let points: Vec<(f64, f64)> = (0..=20)
        .map(|step| point(center, radius, from + (to - from) * f64::from(step) / 20.0))
        .collect();
    canvas.polyline(&points, "stroke=\"currentColor\" stroke-width=\"1\"");
}

fn panel(canvas: &mut Canvas, center: (f64, f64), m: i32, n: i32) {
    let axis = "stroke=\"currentColor\" stroke-width=\"0.6\" opacity=\"0.6\"";
    canvas.line(
        (center.0 - 74.0, center.1),
        (center.0 + 74.0, center.1),
        axis,
    );
    canvas.line(
        (center.0, center.1 - 74.0),
        (center.0, center.1 + 74.0),
        axis,
    );
    for ((length, angle), position, color, name) in
        [(Q, m, PALETTE[0], "q"), (K, n, PALETTE[1], "k")]
    {
        let ghost = point(center, length, angle);
        canvas.line(
            center,
            ghost,
            &format!(
                "stroke=\"{color}\" stroke-width=\"1.2\" stroke-dasharray=\"3 3\""
            ),
        );
        let turned = angle + f64::from(position) * THETA;
        canvas.arrow(center, point(center, length, turned), color);
        let at = point(center, length + 11.0, turned);
        canvas.text((at.0, at.1 + 4.0), 12.0, Anchor::Middle, name);
    }
    let from = Q.1 + f64::from(m) * THETA;
    let to = K.1 + f64::from(n) * THETA;
    arc(canvas, center, 24.0, from, to);
    canvas.text(
        (center.0, center.1 + 94.0),
        12.0,
        Anchor::Middle,
        &format!("q 在 {m}，k 在 {n}"),
    );
}

fn main() {
    let mut canvas = Canvas::new(
        "fig_rotary_turn",
        "各转各的，夹角只看偏移",
        "两幅小图，虚线是转之前的查询 q 与键 k，实线箭头是转之后。左图 q 在位置 1、k 在位置 3；右图两者都往后挪 4 步。箭头的方向全变了，q 到 k 的夹角（圆弧）和两根箭头的长度没有变。",
        360,
        222,
    );
    canvas.text(
        (180.0, 16.0),
        13.0,
        Anchor::Middle,
        "各转各的，夹角只看偏移",
    );
    panel(&mut canvas, (92.0, 112.0), 1, 3);
    panel(&mut canvas, (268.0, 112.0), 5, 7);
    print!("{}", canvas.finish());
}
