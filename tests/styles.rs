//! 公式里出现的每个 KaTeX 类，要么在 `theme/katex.css` 里有样式，
//! 要么记在 `tests/katex_classes.txt` 里，说明为什么不需要。

use crate::rendered::book;
use regex::Regex;
use scraper::{Html, Selector};
use std::collections::BTreeSet;
use std::sync::LazyLock;

const CSS: &str = include_str!("../theme/katex.css");
const PLAIN: &str = include_str!("katex_classes.txt");

/// 一页的公式里用到的类。
fn used(html: &str) -> BTreeSet<String> {
    static PARTS: LazyLock<Selector> = LazyLock::new(|| {
        Selector::parse(
            ".katex-display, .katex, .katex-mathml, .katex-html, .katex-html *",
        )
        .expect("选择器")
    });
    Html::parse_document(html)
        .select(&PARTS)
        .flat_map(|element| element.value().classes().map(str::to_owned))
        .collect()
}

/// 样式表的选择器里点到的类；注释与声明不算。
fn styled(css: &str) -> BTreeSet<String> {
    static COMMENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?s)/\*.*?\*/").expect("正则"));
    static CLASS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\.([A-Za-z_][\w-]*)").expect("正则"));
    COMMENT
        .replace_all(css, "")
        .split('}')
        .filter_map(|rule| Some(rule.rsplit_once('{')?.0.to_owned()))
        .flat_map(|selector| {
            let names = CLASS.captures_iter(&selector);
            names.map(|c| c[1].to_owned()).collect::<Vec<_>>()
        })
        .collect()
}

/// 名单里的类，须有理由。
fn listed(plain: &str) -> BTreeSet<String> {
    plain
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once(' ')?.0.to_owned()))
        .collect()
}

/// 一页的公式里既没有样式、也不在名单上的类。
pub fn unstyled_classes(html: &str, css: &str, plain: &str) -> Vec<String> {
    let known = &styled(css) | &listed(plain);
    used(html).difference(&known).cloned().collect()
}

#[test]
fn every_class_of_every_formula_is_settled() {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for (path, bytes) in &book().files {
        if path.ends_with(".html") {
            let html = String::from_utf8_lossy(bytes);
            seen.extend(used(&html));
            let missing = unstyled_classes(&html, CSS, PLAIN);
            faults.extend(missing.iter().map(|class| format!("{path}：{class}")));
        }
    }
    println!("公式里的类：{}", seen.len());
    assert!(seen.contains("katex-html"), "书里没有公式");
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn the_list_and_the_sheet_do_not_overlap() {
    let both: Vec<_> = styled(CSS).intersection(&listed(PLAIN)).cloned().collect();
    assert_eq!(both, Vec::<String>::new());
    assert!(!listed(PLAIN).is_empty());
}

#[test]
fn an_unknown_class_is_refused() {
    let css = "/* .mord */ .katex { font: 1em x.mrel } .katex :is(.mfrac, .a) {}";
    let plain = "# mopen 注释\nmclose 有理由\nminner\n";
    let page = |class: &str| {
        format!(
            "<p class=outside><span class=katex><span class=katex-html>\
             <span class='mfrac {class}'>x</span></span></span>"
        )
    };
    let plain = &format!("{plain}katex-html 外框");
    assert_eq!(
        unstyled_classes(&page("mclose"), css, plain),
        [""; 0],
        "都认得"
    );
    for class in ["mord", "mrel", "mopen", "minner", "b"] {
        assert_eq!(unstyled_classes(&page(class), css, plain), [class]);
    }
}
