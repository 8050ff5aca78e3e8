//! 插图：概念关系图谱，每个方框是一个链接。

use posenc::svg::{Anchor, Canvas, PALETTE};

/// 一个方框：所在的列与行、文字、链接。
struct Node(usize, usize, &'static str, &'static str);

const WIDTH: f64 = 104.0;
const HEIGHT: f64 = 28.0;

/// 三列七行的格子里，方框左上角的坐标。
fn corner(column: usize, row: usize) -> (f64, f64) {
    (6.0 + 118.0 * column as f64, 8.0 + 66.0 * row as f64)
}

fn main() {
    let nodes = [
        Node(1, 0, "自注意力", "why.html"),
        Node(1, 1, "看不见次序", "why.html#why-proof"),
        Node(0, 2, "因果掩码", "why.html#why-mask"),
        Node(1, 2, "加一个向量", "why.html#why-use"),
        Node(2, 2, "改分数", "map.html#map-later"),
        Node(0, 3, "正弦表", "sinusoidal.html#sinusoidal-what"),
        Node(1, 3, "可学习的表", "learned.html#learned-what"),
        Node(2, 3, "Shaw", "references.html#ref-shaw2018"),
        Node(0, 4, "平移矩阵", "sinusoidal.html#sinusoidal-shift"),
        Node(1, 4, "照抄与缩放", "learned.html#learned-pitfalls-longer"),
        Node(2, 4, "Transformer-XL", "references.html#ref-dai2019"),
        Node(0, 5, "只看偏移", "sinusoidal.html#sinusoidal-kernel"),
        Node(2, 5, "T5、ALiBi", "map.html#map-later"),
        Node(1, 6, "RoPE", "rotary.html#rotary-relative"),
        Node(0, 7, "重点答疑", "faq.html"),
        Node(1, 7, "常见说法勘误", "errata.html"),
        Node(2, 7, "单词汇总", "glossary.html"),
    ];
    let mut canvas = Canvas::new(
        "fig_map_concepts",
        "从自注意力看不见次序出发，一条路走到 RoPE",
        "自注意力看不见次序，由此分出三条路：因果掩码、加一个向量、改分数。加一个向量分成正弦表和可学习的表；正弦表引出平移矩阵和只看偏移，再到 RoPE；可学习的表引出照抄与缩放。改分数引出 Shaw、Transformer-XL、T5、ALiBi，也通向 RoPE。",
        360,
        506,
    );
    let arrows = [
        ((1, 0), (1, 1), "一"),
        ((1, 1), (0, 2), "二"),
        ((1, 1), (1, 2), "三"),
        ((1, 1), (2, 2), "四"),
        ((1, 2), (0, 3), "五"),
        ((1, 2), (1, 3), "六"),
        ((1, 3), (1, 4), "七"),
        ((0, 3), (0, 4), "八"),
        ((0, 4), (0, 5), "九"),
        ((0, 5), (1, 6), "十"),
        ((2, 2), (2, 3), "十一"),
    ];
    for ((from_column, from_row), (to_column, to_row), label) in arrows {
        let (x, y) = corner(from_column, from_row);
        let from = (x + WIDTH / 2.0, y + HEIGHT);
        let (x, y) = corner(to_column, to_row);
        let to = (x + WIDTH / 2.0, y);
        canvas.arrow(from, to, PALETTE[0]);
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let side = if to_column < from_column { -6.0 } else { 6.0 };
        let anchor = if to_column < from_column {
            Anchor::End
        } else {
            Anchor::Start
        };
        canvas.text((middle.0 + side, middle.1), 11.0, anchor, label);
    }
    let plain = "stroke=\"currentColor\" stroke-width=\"1\" stroke-dasharray=\"2 3\"";
    for row in [3, 4] {
        let (x, y) = corner(2, row);
        let (_, below) = corner(2, row + 1);
        let middle = x + WIDTH / 2.0;
        canvas.line((middle, y + HEIGHT), (middle, below), plain);
    }
    // 十二：从“改分数”的右边绕到 RoPE。
    let (x, y) = corner(2, 2);
    let (rope_x, rope_y) = corner(1, 6);
    let (edge, level) = (x + WIDTH + 6.0, rope_y + HEIGHT / 2.0);
    let style = format!("stroke=\"{}\" stroke-width=\"1.5\"", PALETTE[0]);
    let start = (x + WIDTH, y + HEIGHT / 2.0);
    canvas.polyline(&[start, (edge, start.1), (edge, level)], &style);
    canvas.arrow((edge, level), (rope_x + WIDTH, level), PALETTE[0]);
    canvas.text((edge - 40.0, level - 6.0), 11.0, Anchor::Middle, "十二");
    for Node(column, row, text, link) in nodes {
        let (x, y) = corner(column, row);
        canvas.raw(&format!("<a href=\"{link}\">"));
        let style = "rx=\"5\" fill=\"none\" pointer-events=\"all\" stroke=\"currentColor\" stroke-width=\"1\"";
        canvas.rect((x, y), (WIDTH, HEIGHT), style);
        canvas.text((x + WIDTH / 2.0, y + 18.5), 12.0, Anchor::Middle, text);
        canvas.raw("</a>");
    }
    // 里面有链接，不是一张不可分的图。
    print!(
        "{}",
        canvas.finish().replace("role=\"img\"", "role=\"group\"")
    );
}
