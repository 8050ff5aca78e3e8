//! 书中插图用的小画布：线、折线、方块、圆、文字和坐标轴，打印成一段没有空行的 SVG。
//!
//! 单位是画布上的像素，宽约 360；文字和线用 `currentColor`，随主题变色。
//!
//! ```
//! use posenc::svg::Canvas;
//! let mut canvas = Canvas::new("fig_x", "看什么", "说明", 360, 100);
//! canvas.line((0.0, 0.0), (10.0, 5.0), "stroke=\"currentColor\"");
//! assert!(canvas.finish().contains("<line x1=\"0\" y1=\"0\" x2=\"10\" y2=\"5\""));
//! ```

use crate::print::fixed;
use std::fmt::Write;

/// 数据的颜色：在 mdBook 的五个主题上对比度都不低于 3:1，并配合线型区分。
pub const PALETTE: [&str; 4] = ["#3b82c4", "#c2622d", "#2f9167", "#9a6bc9"];

/// 与颜色配对的线型，色盲读者靠它区分。
pub const DASHES: [&str; 4] = ["", "6 3", "2 3", "8 3 2 3"];

/// 文字对齐的方式。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// 从给定点向右写。
    Start,
    /// 以给定点为中心。
    Middle,
    /// 写到给定点为止。
    End,
}

/// 一张正在画的图。
#[derive(Debug, Clone)]
pub struct Canvas {
    name: String,
    head: String,
    body: String,
}

impl Canvas {
    /// 新画布：`name` 是图的名字（所有 id 以它开头），`title` 说看什么，`desc` 写给看不见图的读者。
    pub fn new(name: &str, title: &str, desc: &str, width: u32, height: u32) -> Self {
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"{name}_svg\" class=\"figure\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{name}_title {name}_desc\">\n\
             <title id=\"{name}_title\">{}</title>\n<desc id=\"{name}_desc\">{}</desc>\n",
            escape(title),
            escape(desc)
        );
        Self {
            name: name.to_string(),
            head,
            body: String::new(),
        }
    }

    /// 一条线段。
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>",
            short(from.0),
            short(from.1),
            short(to.0),
            short(to.1)
        );
    }

    /// 一条折线。
    pub fn polyline(&mut self, points: &[(f64, f64)], style: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", short(p.0), short(p.1)))
            .collect();
        let _ = writeln!(
            self.body,
            "<polyline points=\"{}\" fill=\"none\" {style}/>",
            points.join(" ")
        );
    }

    /// 一个方块。
    pub fn rect(&mut self, corner: (f64, f64), size: (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {style}/>",
            short(corner.0),
            short(corner.1),
            short(size.0),
            short(size.1)
        );
    }

    /// 一个圆。
    pub fn circle(&mut self, center: (f64, f64), radius: f64, style: &str) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {style}/>",
            short(center.0),
            short(center.1),
            short(radius)
        );
    }

    /// 一条任意路径。
    pub fn path(&mut self, d: &str, style: &str) {
        let _ = writeln!(self.body, "<path d=\"{d}\" {style}/>");
    }

    /// 一行文字，`size` 是字号。
    pub fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>",
            short(at.0),
            short(at.1),
            short(size),
            escape(text)
        );
    }

    /// 一个箭头：线段加实心箭头尖。
    pub fn arrow(&mut self, from: (f64, f64), to: (f64, f64), color: &str) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1e-9);
        let (ux, uy) = (dx / length, dy / length);
        let neck = (to.0 - 7.0 * ux, to.1 - 7.0 * uy);
        self.line(
            from,
            neck,
            &format!("stroke=\"{color}\" stroke-width=\"1.5\""),
        );
        let d = format!(
            "M{} {}L{} {}L{} {}Z",
            short(to.0),
            short(to.1),
            short(neck.0 - 3.0 * uy),
            short(neck.1 + 3.0 * ux),
            short(neck.0 + 3.0 * uy),
            short(neck.1 - 3.0 * ux)
        );
        self.path(&d, &format!("fill=\"{color}\""));
    }

    /// 放进一段现成的标记（例如链接）。
    pub fn raw(&mut self, markup: &str) {
        let _ = writeln!(self.body, "{markup}");
    }

    /// 图的名字。
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 完整的 SVG 文字，末尾有一个换行。
    pub fn finish(self) -> String {
        format!("{}{}</svg>\n", self.head, self.body)
    }
}

/// 把数据坐标变成画布坐标的矩形绘图区；纵轴向上。
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plot {
    /// 绘图区左、上、宽、高（像素）。
    pub area: (f64, f64, f64, f64),
    /// 横轴数据范围。
    pub x: (f64, f64),
    /// 纵轴数据范围。
    pub y: (f64, f64),
}

impl Plot {
    /// 数据点在画布上的坐标。
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let (left, top, width, height) = self.area;
        (
            left + (x - self.x.0) / (self.x.1 - self.x.0) * width,
            top + height - (y - self.y.0) / (self.y.1 - self.y.0) * height,
        )
    }

    /// 画坐标轴、刻度与轴名；刻度文字由 `(值, 文字)` 给出。
    pub fn axes(
        &self,
        canvas: &mut Canvas,
        x_ticks: &[(f64, &str)],
        y_ticks: &[(f64, &str)],
        x_name: &str,
        y_name: &str,
    ) {
        let (left, top, width, height) = self.area;
        let style = "stroke=\"currentColor\" stroke-width=\"1\"";
        canvas.line((left, top + height), (left + width, top + height), style);
        canvas.line((left, top), (left, top + height), style);
        for &(value, label) in x_ticks {
            let (x, _) = self.at(value, self.y.0);
            canvas.line((x, top + height), (x, top + height + 4.0), style);
            canvas.text((x, top + height + 16.0), 11.0, Anchor::Middle, label);
        }
        for &(value, label) in y_ticks {
            let (_, y) = self.at(self.x.0, value);
            canvas.line((left - 4.0, y), (left, y), style);
            canvas.text((left - 7.0, y + 4.0), 11.0, Anchor::End, label);
        }
        canvas.text(
            (left + width / 2.0, top + height + 32.0),
            12.0,
            Anchor::Middle,
            x_name,
        );
        canvas.text((left, top - 8.0), 12.0, Anchor::Start, y_name);
    }
}

/// 一位小数，去掉多余的零：图的坐标不需要更多位，也因此不随平台变化。
fn short(value: f64) -> String {
    let text = fixed(value, 1);
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

/// 转义 XML 的三个特殊字符。
fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> Canvas {
        Canvas::new("fig_x", "题 <1>", "说明 & 2", 360, 120)
    }

    /// 画完之后的正文，不含头尾。
    fn body(draw: impl FnOnce(&mut Canvas)) -> String {
        let mut drawn = canvas();
        draw(&mut drawn);
        let head = canvas().finish();
        let head = head.strip_suffix("</svg>\n").unwrap();
        let text = drawn.finish();
        let text = text.strip_prefix(head).unwrap();
        text.strip_suffix("</svg>\n").unwrap().to_string()
    }

    #[test]
    fn head_and_tail() {
        assert_eq!(canvas().name(), "fig_x");
        assert_eq!(
            canvas().finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"fig_x_svg\" class=\"figure\" \
             viewBox=\"0 0 360 120\" role=\"img\" \
             aria-labelledby=\"fig_x_title fig_x_desc\">\n\
             <title id=\"fig_x_title\">题 &lt;1&gt;</title>\n\
             <desc id=\"fig_x_desc\">说明 &amp; 2</desc>\n</svg>\n"
        );
    }

    #[test]
    fn shapes() {
        assert_eq!(
            body(|c| c.line((1.0, 2.25), (-0.04, 4.06), "s")),
            "<line x1=\"1\" y1=\"2.2\" x2=\"0\" y2=\"4.1\" s/>\n"
        );
        assert_eq!(
            body(|c| c.polyline(&[(1.0, 2.0), (3.5, -4.0)], "s")),
            "<polyline points=\"1,2 3.5,-4\" fill=\"none\" s/>\n"
        );
        assert_eq!(
            body(|c| c.rect((1.0, 2.0), (3.0, 4.0), "s")),
            "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" s/>\n"
        );
        assert_eq!(
            body(|c| c.circle((1.0, 2.0), 3.0, "s")),
            "<circle cx=\"1\" cy=\"2\" r=\"3\" s/>\n"
        );
        assert_eq!(body(|c| c.path("M0 0", "s")), "<path d=\"M0 0\" s/>\n");
        assert_eq!(body(|c| c.raw("<g>")), "<g>\n");
    }

    #[test]
    fn text_is_escaped_and_anchored() {
        for (anchor, name) in [
            (Anchor::Start, "start"),
            (Anchor::Middle, "middle"),
            (Anchor::End, "end"),
        ] {
            assert_eq!(
                body(|c| c.text((1.0, 2.0), 11.5, anchor, "a<b>&c")),
                format!(
                    "<text x=\"1\" y=\"2\" font-size=\"11.5\" text-anchor=\"{name}\" \
                     fill=\"currentColor\">a&lt;b&gt;&amp;c</text>\n"
                )
            );
        }
    }

    #[test]
    fn arrows_point_where_they_go() {
        let arrow = |from, to| body(|c: &mut Canvas| c.arrow(from, to, "red"));
        let style = "stroke=\"red\" stroke-width=\"1.5\"";
        assert_eq!(
            arrow((10.0, 20.0), (40.0, 60.0)),
            format!(
                "<line x1=\"10\" y1=\"20\" x2=\"35.8\" y2=\"54.4\" {style}/>\n\
                 <path d=\"M40 60L33.4 56.2L38.2 52.6Z\" fill=\"red\"/>\n"
            )
        );
        assert_eq!(
            arrow((40.0, 60.0), (10.0, 60.0)),
            format!(
                "<line x1=\"40\" y1=\"60\" x2=\"17\" y2=\"60\" {style}/>\n\
                 <path d=\"M10 60L17 57L17 63Z\" fill=\"red\"/>\n"
            )
        );
        assert_eq!(
            arrow((5.0, 5.0), (5.0, 5.0)),
            format!(
                "<line x1=\"5\" y1=\"5\" x2=\"5\" y2=\"5\" {style}/>\n\
                 <path d=\"M5 5L5 5L5 5Z\" fill=\"red\"/>\n"
            )
        );
    }

    const PLOT: Plot = Plot {
        area: (40.0, 20.0, 300.0, 80.0),
        x: (10.0, 20.0),
        y: (-1.0, 1.0),
    };

    #[test]
    fn data_lands_in_the_plot() {
        assert_eq!(PLOT.at(10.0, -1.0), (40.0, 100.0));
        assert_eq!(PLOT.at(20.0, 1.0), (340.0, 20.0));
        assert_eq!(PLOT.at(12.5, 0.5), (115.0, 40.0));
    }

    #[test]
    fn axes_have_ticks_and_names() {
        let drawn = body(|c| {
            PLOT.axes(c, &[(12.0, "甲")], &[(0.5, "乙")], "横", "纵");
        });
        let style = "stroke=\"currentColor\" stroke-width=\"1\"";
        let text = |x, y, size, anchor, text| {
            format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
                 fill=\"currentColor\">{text}</text>\n"
            )
        };
        let lines = [
            format!("<line x1=\"40\" y1=\"100\" x2=\"340\" y2=\"100\" {style}/>\n"),
            format!("<line x1=\"40\" y1=\"20\" x2=\"40\" y2=\"100\" {style}/>\n"),
            format!("<line x1=\"100\" y1=\"100\" x2=\"100\" y2=\"104\" {style}/>\n"),
            text(100, 116, 11, "middle", "甲"),
            format!("<line x1=\"36\" y1=\"40\" x2=\"40\" y2=\"40\" {style}/>\n"),
            text(33, 44, 11, "end", "乙"),
            text(190, 132, 12, "middle", "横"),
            text(40, 12, 12, "start", "纵"),
        ];
        assert_eq!(drawn, lines.concat());
    }

    /// 一种颜色的线性分量，各在零到一之间。
    fn linear(color: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| {
            let byte = u8::from_str_radix(&color[at..at + 2], 16).expect("十六进制");
            let value = f64::from(byte) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        })
    }

    fn apply(matrix: [[f64; 3]; 3], x: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
    }

    /// CIE 1976 的明度与两个色度，白点 D65。
    fn lab(color: [f64; 3]) -> [f64; 3] {
        let xyz = apply(
            [
                [0.4124, 0.3576, 0.1805],
                [0.2126, 0.7152, 0.0722],
                [0.0193, 0.1192, 0.9505],
            ],
            color.map(|value| value.clamp(0.0, 1.0)),
        );
        let [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map(|t: f64| {
            if t > 0.008_856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// 三种色盲看到的颜色（Machado 2009，程度最重）。
    const BLIND: [[[f64; 3]; 3]; 3] = [
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ];

    /// 两种颜色在三种色盲眼里最小的差别。
    fn least_gap(a: &str, b: &str) -> f64 {
        let gap = |matrix| {
            let [a, b] = [a, b].map(|color| lab(apply(matrix, linear(color))));
            let squares = a.iter().zip(b).map(|(x, y)| (x - y).powi(2));
            squares.sum::<f64>().sqrt()
        };
        BLIND.map(gap).into_iter().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_two_signs_differ_for_every_eye() {
        // 热图的正负只靠颜色，差别要大；红与绿不合格，检查自己是灵的。
        assert!(least_gap(PALETTE[0], PALETTE[1]) > 60.0);
        assert!(least_gap("#c2622d", "#7d8a2e") < 30.0);
    }

    #[test]
    fn colors_and_dashes_are_paired() {
        assert_eq!(PALETTE.len(), DASHES.len());
    }
}
