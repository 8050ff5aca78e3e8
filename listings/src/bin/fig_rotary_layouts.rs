//! 插图：八个分量怎样配成四对，两种配法。

use posenc::svg::{Anchor, Canvas, PALETTE};

const MARKS: [&str; 4] = ["○", "△", "□", "◇"];

fn row(canvas: &mut Canvas, top: f64, name: &str, pair_of: fn(usize) -> usize) {
    canvas.text((20.0, top - 30.0), 12.0, Anchor::Start, name);
    let center = |column: usize| 41.0 + 40.0 * column as f64;
    for column in 0..8 {
        let pair = pair_of(column);
        canvas.rect(
            (center(column) - 17.0, top),
            (34.0, 40.0),
            &format!(
                "fill=\"{}\" fill-opacity=\"0.18\" stroke=\"{}\" stroke-width=\"1.5\"",
                PALETTE[pair], PALETTE[pair]
            ),
        );
        let at = center(column);
        canvas.text(
            (at, top + 16.0),
            12.0,
            Anchor::Middle,
            &format!("x{column}"),
        );
        canvas.text((at, top + 33.0), 12.0, Anchor::Middle, MARKS[pair]);
    }
    for left in 0..8 {
        for right in left + 1..8 {
            if pair_of(left) == pair_of(right) {
                let rise = if right == left + 1 { 14.0 } else { 26.0 };
                let lift = rise - 4.0 * (pair_of(left) as f64 % 2.0);
                canvas.path(
                    &format!(
                        "M{} {top}Q{} {} {} {top}",
                        center(left),
                        (center(left) + center(right)) / 2.0,
                        top - lift,
                        center(right)
                    ),
                    &format!(
                        "fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"",
                        PALETTE[pair_of(left)]
                    ),
                );
            }
        }
    }
}

fn main() {
    let mut canvas = Canvas::new(
        "fig_rotary_layouts",
        "同一串分量，两种配对",
        "八个分量 x0 到 x7 配成四对，同一个符号是一对。上面一行是相邻配对：x0 与 x1、x2 与 x3、x4 与 x5、x6 与 x7。下面一行是前后对半：x0 与 x4、x1 与 x5、x2 与 x6、x3 与 x7。",
        360,
        220,
    );
    canvas.text((180.0, 16.0), 13.0, Anchor::Middle, "同一串分量，两种配对");
    row(&mut canvas, 68.0, "相邻配对", |column| column / 2);
    row(&mut canvas, 172.0, "前后对半", |column| column % 4);
    print!("{}", canvas.finish());
}
