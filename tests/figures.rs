//! 图的样子：坐标轴有名字，一张图里的曲线不只靠颜色区分。

use crate::source::root;
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// 图里的一处文字。
#[derive(Debug)]
struct Label {
    x: f64,
    y: f64,
    anchor: String,
    text: String,
}

impl Label {
    fn is_number(&self) -> bool {
        let plain = self.text.trim_start_matches(['-', '−', '+']);
        let digits = plain.replace(['.', '/', '万'], "");
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit())
    }
}

fn labels(svg: &str) -> Vec<Label> {
    static TEXT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            "<text x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*text-anchor=\"([a-z]*)\"[^>]*>([^<]*)</text>",
        )
        .expect("正则")
    });
    let found = TEXT.captures_iter(svg).map(|found| Label {
        x: found[1].parse().expect("横坐标"),
        y: found[2].parse().expect("纵坐标"),
        anchor: found[3].to_string(),
        text: found[4].to_string(),
    });
    found.collect()
}

/// 刻度：同一条横线或竖线上的三个以上的数；交出这条线的坐标。
fn ticks(labels: &[Label], anchor: &str, place: fn(&Label) -> f64) -> Vec<f64> {
    let mut lines: BTreeMap<i64, usize> = BTreeMap::new();
    for label in labels
        .iter()
        .filter(|x| x.is_number() && x.anchor == anchor)
    {
        *lines
            .entry((place(label) * 10.0).round() as i64)
            .or_default() += 1;
    }
    let long = lines.into_iter().filter(|(_, count)| *count >= 3);
    long.map(|(at, _)| at as f64 / 10.0).collect()
}

/// 一张图里没有名字的轴。横轴的名字在最下一排刻度之下，纵轴的在刻度之上。
fn unnamed(svg: &str) -> Vec<&'static str> {
    let labels = labels(svg);
    let named = |test: &dyn Fn(&Label) -> bool| {
        labels.iter().any(|label| !label.is_number() && test(label))
    };
    let mut faults = Vec::new();
    let rows = ticks(&labels, "middle", |label| label.y);
    if let Some(last) = rows.last()
        && !named(&|label| label.y > *last && label.y < last + 45.0)
    {
        faults.push("横轴没有名字");
    }
    for column in ticks(&labels, "end", |label| label.x) {
        let on = labels.iter().filter(|x| x.is_number() && x.x == column);
        let top = on.map(|x| x.y).fold(f64::INFINITY, f64::min);
        if !named(&|label| label.y < top + 10.0 && label.x < column + 60.0) {
            faults.push("纵轴没有名字");
        }
    }
    faults
}

/// 一张图里颜色不同、线型却相同的折线。
fn only_by_colour(svg: &str) -> Vec<String> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("<polyline[^>]*>").expect("正则"));
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("(stroke|stroke-dasharray)=\"([^\"]*)\"").expect("正则")
    });
    let mut dashes: BTreeMap<String, String> = BTreeMap::new();
    let mut faults = Vec::new();
    for line in LINE.find_iter(svg) {
        let (mut colour, mut dash) = (String::new(), String::new());
        for part in PART.captures_iter(line.as_str()) {
            match &part[1] {
                "stroke" => colour = part[2].to_string(),
                _ => dash = part[2].to_string(),
            }
        }
        let other = dashes.entry(dash).or_insert_with(|| colour.clone());
        if *other != colour {
            faults.push(format!("{other} 与 {colour} 线型相同"));
        }
    }
    faults.dedup();
    faults
}

#[test]
fn axes_are_named_and_curves_differ_by_more_than_colour() {
    let folder = root().join("src/figures");
    let (mut faults, mut axes, mut curves) = (Vec::new(), 0, 0);
    for entry in std::fs::read_dir(folder).expect("图的目录").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let svg = std::fs::read_to_string(entry.path()).expect("图可读");
        let labels = labels(&svg);
        axes += usize::from(!ticks(&labels, "middle", |label| label.y).is_empty());
        curves += svg.matches("<polyline").count();
        faults.extend(unnamed(&svg).iter().map(|x| format!("{name}：{x}")));
        faults.extend(only_by_colour(&svg).iter().map(|x| format!("{name}：{x}")));
    }
    println!("有刻度的图 {axes}，折线 {curves}");
    assert_eq!(faults, [""; 0]);
    assert!(axes >= 7 && curves >= 10, "{axes} {curves}");
}

#[test]
fn a_nameless_axis_and_equal_curves_are_noticed() {
    let text = |x: f64, y: f64, anchor: &str, text: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"11\" text-anchor=\"{anchor}\" fill=\"currentColor\">{text}</text>\n"
        )
    };
    let row: String = (0..4)
        .map(|i| text(40.0 + 90.0 * f64::from(i), 200.0, "middle", &i.to_string()))
        .collect();
    let column: String = (0..3)
        .map(|i| text(30.0, 40.0 + 50.0 * f64::from(i), "end", &format!("-0.{i}")))
        .collect();
    let across = text(190.0, 216.0, "middle", "位置");
    let up = text(38.0, 24.0, "start", "分数");
    assert_eq!(unnamed(&format!("{row}{column}{across}{up}")), [""; 0]);
    assert_eq!(unnamed(&format!("{row}{column}{across}")), ["纵轴没有名字"]);
    assert_eq!(unnamed(&format!("{row}{column}{up}")), ["横轴没有名字"]);
    let line = |colour: &str, dash: &str| {
        format!(
            "<polyline points=\"0,0 1,1\" fill=\"none\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\"/>"
        )
    };
    let pair = |a: &str, b: &str| line("#111", a) + &line("#222", b);
    assert_eq!(only_by_colour(&pair("", "6 3")), [""; 0]);
    assert_eq!(only_by_colour(&pair("6 3", "6 3")).len(), 1);
    assert_eq!(only_by_colour(&line("#111", "").repeat(2)), [""; 0]);
}
