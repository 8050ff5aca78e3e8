//! 公式的样式与官方样式比较，每个零件差不到半个像素。

use browser::chrome::{Chrome, WIDTHS};
use browser::formula::{Comparison, compare, idle};
use browser::site::{Site, official, root};

fn compare_pages(chrome: &Chrome, site: &Site, pages: &[String]) -> Comparison {
    official();
    let mut total = Comparison::default();
    for width in WIDTHS {
        for page in pages {
            chrome.open(&site.url(page), width);
            let mut found = compare(chrome);
            for wrong in &mut found.wrong {
                *wrong = format!("{page}，宽 {width}：{wrong}");
            }
            total.add(found);
        }
    }
    total
}

#[test]
fn every_part_of_the_book_is_where_the_official_sheet_puts_it() {
    let site = Site::book();
    let chrome = Chrome::start();
    // 打印页是各页合在一起，首页是导读的副本。
    let mut pages = site.html();
    pages.retain(|page| page != "print.html" && page != "index.html");
    let total = compare_pages(&chrome, &site, &pages);
    println!(
        "书：{} 页两种宽度，公式 {}，零件 {}，最大差别 {:.3} 像素",
        pages.len(),
        total.formulas,
        total.parts,
        total.worst
    );
    assert_eq!(total.wrong, Vec::<String>::new());
    assert!(total.formulas > 0, "书里有公式");
}

#[test]
fn every_part_of_the_sample_is_where_the_official_sheet_puts_it() {
    let site = Site::sample();
    let chrome = Chrome::start();
    let total = compare_pages(&chrome, &site, &["sample.html".into()]);
    println!(
        "样页：两种宽度，公式 {}，零件 {}，最大差别 {:.3} 像素",
        total.formulas, total.parts, total.worst
    );
    assert_eq!(total.wrong, Vec::<String>::new());
    assert!(total.formulas >= 2 * 60, "样页有足够多的公式");
}

#[test]
fn the_sample_notices_every_rule_of_the_sheet() {
    let site = Site::sample();
    let chrome = Chrome::start();
    let mut lists = WIDTHS.map(|width| {
        chrome.open(&site.url("sample.html"), width);
        idle(&chrome)
    });
    let narrow = lists[1].clone();
    lists[0].retain(|item| narrow.contains(item));
    // 表行外面没有表时浏览器自会补一个；写明是为了不靠它补。
    lists[0].retain(|item| !item.starts_with(".katex .vlist-t {"));
    assert_eq!(lists[0], Vec::<String>::new());
}

#[test]
fn the_sample_uses_every_class_of_the_sheet_and_of_the_list() {
    let site = Site::sample();
    let chrome = Chrome::start();
    chrome.open(&site.url("sample.html"), 1200);
    let used = chrome.run(
        "return [...new Set([...document.querySelectorAll('.katex-html *')]\
         .flatMap(e => [...e.classList]))];",
        Vec::new(),
    );
    let used: Vec<String> = serde_json::from_value(used).expect("一列文字");
    let list = std::fs::read_to_string(root().join("tests/katex_classes.txt"));
    let list = list.expect("名单可读");
    let unused: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(' ').next())
        .filter(|class| !used.iter().any(|x| x == class))
        .collect();
    assert_eq!(unused, [""; 0], "名单里的类，样页里没有");
}
