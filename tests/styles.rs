//! 公式里出现的每个 KaTeX 类，要么在 `theme/katex.css` 里有样式，
//! 要么记在 `tests/katex_classes.txt` 里，说明为什么不需要。

use crate::page::{FORMULA, Page, site};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const CSS: &str = include_str!("../theme/katex.css");
const PLAIN: &str = include_str!("katex_classes.txt");

/// 一页的公式里用到的类；给朗读软件的 MathML 看不见，它里面的不算。
fn used(page: &Page) -> BTreeSet<String> {
    let mut classes = BTreeSet::new();
    let mut index = 0;
    while let Some(node) = page.nodes.get(index) {
        if node.within(FORMULA) || node.has_class("katex-display") {
            classes.extend(node.classes().map(str::to_owned));
        }
        let unseen = node.has_class("katex-mathml");
        index = if unseen { node.end } else { index + 1 };
    }
    classes
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
fn unstyled_classes(page: &Page, css: &str, plain: &str) -> Vec<String> {
    let known = &styled(css) | &listed(plain);
    used(page).difference(&known).cloned().collect()
}

#[test]
fn every_class_of_every_formula_is_settled() {
    let mut seen = BTreeSet::new();
    let mut faults = Vec::new();
    for page in &site().pages {
        seen.extend(used(page));
        let missing = unstyled_classes(page, CSS, PLAIN);
        faults.extend(
            missing
                .iter()
                .map(|class| format!("{}：{class}", page.path)),
        );
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
        let html = format!(
            "<p class=outside><span class=katex><span class=katex-html>\
             <span class='mfrac {class}'>x</span></span></span>"
        );
        Page::parse("a.html", &html)
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
