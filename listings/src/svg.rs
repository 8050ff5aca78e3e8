//! 书中插图用的小画布：线、折线、方块、圆、文字和坐标轴，打印成一段没有空行的 SVG。
//!
//! 单位是画布上的像素，宽约 360；文字和线用 `currentColor`，随主题变色。

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
