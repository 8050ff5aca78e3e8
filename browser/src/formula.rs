//! 公式的每个零件，与官方样式比较。

use serde::Deserialize;
use serde_json::{Value, json};

use crate::chrome::Chrome;
use crate::site::OFFICIAL;

/// 页面里用的函数。
const PARTS: &str = include_str!("parts.js");

/// 差到多少像素算错。
pub const LIMIT: f64 = 0.5;

/// 一个零件。
#[derive(Debug, Clone, Deserialize)]
pub struct Part {
    /// 页面里的第几条公式。
    pub formula: usize,
    /// 字、线、图、框。
    pub kind: String,
    /// 文字与字体，或线的样子。
    pub label: String,
    /// 左、上、宽、高，再是相对公式的左、上，单位像素。
    pub numbers: [f64; 6],
}

/// 一页的比较结果。
#[derive(Debug, Default, Clone)]
pub struct Comparison {
    /// 比较了几条公式。
    pub formulas: usize,
    /// 比较了几个零件。
    pub parts: usize,
    /// 最大的差别，像素。
    pub worst: f64,
    /// 超出限度之处。
    pub wrong: Vec<String>,
}

impl Comparison {
    /// 并入另一页的结果。
    pub fn add(&mut self, other: Self) {
        self.formulas += other.formulas;
        self.parts += other.parts;
        self.worst = self.worst.max(other.worst);
        self.wrong.extend(other.wrong);
    }
}

fn parts(value: Value) -> Vec<Part> {
    serde_json::from_value(value).expect("零件可读")
}

/// 量眼前这一页，换成官方样式再量，两相比较。页面此后留着官方样式。
pub fn compare(chrome: &Chrome) -> Comparison {
    let script = |rest: &str| format!("{PARTS}\n{rest}");
    let ours = parts(chrome.run(
        &script("plainEnds(); await settle(); return parts();"),
        vec![],
    ));
    let theirs = parts(chrome.run(
        &script("await official(arguments[0]); return parts();"),
        vec![json!(OFFICIAL)],
    ));
    difference(&ours, &theirs)
}

/// 两份零件的差别。
pub fn difference(ours: &[Part], theirs: &[Part]) -> Comparison {
    let mut result = Comparison {
        formulas: theirs.last().map_or(0, |part| part.formula + 1),
        parts: theirs.len(),
        ..Comparison::default()
    };
    if ours.len() != theirs.len() {
        let counts = format!("零件的数目 {} 与 {}", ours.len(), theirs.len());
        result.wrong.push(counts);
    }
    for (a, b) in ours.iter().zip(theirs) {
        let name = format!("公式 {} 的{}“{}”", a.formula + 1, a.kind, a.label);
        if (&a.kind, &a.label) != (&b.kind, &b.label) {
            result.wrong.push(format!("{name}，官方是“{}”", b.label));
        }
        let pairs = a.numbers.iter().zip(&b.numbers);
        let worst = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        result.worst = result.worst.max(worst);
        if worst > LIMIT {
            let found =
                format!("{name}差 {worst:.2}：{:?}，官方 {:?}", a.numbers, b.numbers);
            result.wrong.push(found);
        }
    }
    result
}

/// 逐条删去样式表里的规则、声明与 `:is(…)` 里的选项，报出删了也没有零件变动的。
pub fn idle(chrome: &Chrome) -> Vec<String> {
    let script = format!("{PARTS}\n{}", include_str!("idle.js"));
    let found = chrome.run(&script, vec![json!(LIMIT)]);
    serde_json::from_value(found).expect("一列文字")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, left: f64) -> Part {
        Part {
            formula: 0,
            kind: "字".into(),
            label: label.into(),
            numbers: [left, 0.0, 5.0, 9.0, left, 0.0],
        }
    }

    #[test]
    fn a_moved_a_changed_and_a_missing_part_are_reported() {
        let right = [part("x", 1.0), part("y", 6.0)];
        let wrong = |ours: &[Part]| difference(ours, &right).wrong.len();
        assert_eq!(wrong(&right), 0);
        assert_eq!(wrong(&[part("x", 1.0), part("y", 6.5)]), 0);
        assert_eq!(wrong(&[part("x", 1.0), part("y", 6.6)]), 1);
        assert_eq!(wrong(&[part("x", 1.0), part("y 粗", 6.0)]), 1);
        assert_eq!(wrong(&right[..1]), 1);
        assert_eq!(difference(&right, &right).parts, 2);
        assert_eq!(difference(&right, &right).formulas, 1);
    }
}
