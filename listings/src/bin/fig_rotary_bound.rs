//! 插图：Su 2021 的上界、柯西的上界与真实的分数。

use posenc::Error;
use posenc::rotary::{PairLayout, dot};
use posenc::rotary_score::{abel_bound, relative_score, seeded_query_key};
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE, Plot};

fn main() -> Result<(), Error> {
    let (queries, keys) = seeded_query_key(42, 1, 128);
    let (q, k) = (&queries.row(0) * 2.0, &keys.row(0) * 2.0);
    let mut bound = Vec::new();
    let mut score = Vec::new();
    for offset in 0..=256 {
        bound.push(abel_bound(q.view(), k.view(), offset, 10000.0)?);
        score.push(relative_score(
            q.view(),
            k.view(),
            offset,
            10000.0,
            PairLayout::Adjacent,
        )?);
    }
    let lengths = (dot(q.view(), q.view())? * dot(k.view(), k.view())?).sqrt();
    let mut canvas = Canvas::new(
        "fig_rotary_bound",
        "上界在下降，分数不跟着走",
        "横轴是偏移，从 0 到 256；纵轴是对数刻度。最上面的曲线是论文的上界，波动着下降，从一万多降到几千；中间的水平线是两个长度之积，一百多，比论文的上界低得多；最下面的曲线是同一对查询和键的分数的绝对值，在 40 以下起伏，看不出下降。",
        360,
        290,
    );
    let plot = Plot {
        area: (46.0, 42.0, 300.0, 184.0),
        x: (0.0, 256.0),
        y: (-1.0, 4.5),
    };
    canvas.text(
        (180.0, 14.0),
        13.0,
        Anchor::Middle,
        "上界在下降，分数不跟着走",
    );
    plot.axes(
        &mut canvas,
        &[
            (0.0, "0"),
            (64.0, "64"),
            (128.0, "128"),
            (192.0, "192"),
            (256.0, "256"),
        ],
        &[
            (-1.0, "0.1"),
            (0.0, "1"),
            (1.0, "10"),
            (2.0, "100"),
            (3.0, "1000"),
            (4.0, "10000"),
        ],
        "偏移（位置）",
        "绝对值（对数刻度）",
    );
    let curves = [
        ("论文的上界", bound),
        ("两个长度之积", vec![lengths; 257]),
        ("分数的绝对值", score),
    ];
    for (number, (name, values)) in curves.iter().enumerate() {
        let style = format!(
            "stroke=\"{}\" stroke-width=\"1.4\" stroke-dasharray=\"{}\"",
            PALETTE[number], DASHES[number]
        );
        let step = if number == 1 { 256 } else { 2 };
        let points: Vec<(f64, f64)> = values
            .iter()
            .enumerate()
            .step_by(step)
            .map(|(offset, value)| {
                plot.at(offset as f64, value.abs().log10().max(-1.0))
            })
            .collect();
        canvas.polyline(&points, &style);
        let x = [4.0, 114.0, 236.0][number];
        canvas.line((x, 280.0), (x + 18.0, 280.0), &style);
        canvas.text((x + 22.0, 284.0), 11.0, Anchor::Start, name);
    }
    print!("{}", canvas.finish());
    Ok(())
}
