//! 无障碍：axe-core 在每一页、五种主题、两种宽度上，打开搜索、主题、帮助时，一处毛病也没有。
//!
//! 只有 `toc.html` 不看：它是没有脚本时的边框，从来不单独给人看。

use browser::access::{Rules, STATES, State, THEMES, enter, install, violations};
use browser::chrome::{Chrome, WIDTHS};
use browser::site::Site;

// 两种宽度各用一个浏览器，同时看。

#[test]
fn axe_finds_nothing_on_the_desktop() {
    nothing_is_found(WIDTHS[0]);
}

#[test]
fn axe_finds_nothing_on_the_phone() {
    nothing_is_found(WIDTHS[1]);
}

fn nothing_is_found(width: u32) {
    let chrome = Chrome::start();
    install(&chrome);
    let site = Site::book();
    let mut found = Vec::new();
    let (mut runs, mut used) = (0, 0);
    for page in site.html().iter().filter(|page| *page != "toc.html") {
        chrome.open(&site.url(page), width);
        for state in STATES {
            enter(&chrome, state);
            for (i, theme) in THEMES.iter().enumerate() {
                // 主题只改颜色：别的规则看一种主题就够。
                // 打印页是各页合在一起，颜色各页看过，一次看完全书太慢。
                let whole = page == "print.html" && state == State::Plain;
                let rules = match i {
                    0 if whole => Rules::Rest,
                    0 => Rules::All,
                    _ if whole => continue,
                    _ => Rules::Color,
                };
                let (count, faults) = violations(&chrome, theme, state, rules);
                assert!(count > if i == 0 { 15 } else { 0 }, "{page}：{count} 条");
                runs += 1;
                used += count;
                let place = format!("{page}，宽 {width}，{state:?}，{theme}");
                found.extend(faults.iter().map(|x| format!("{place}：{x}")));
            }
        }
    }
    println!("宽 {width}：axe-core 看了 {runs} 个画面，用上规则 {used} 次");
    assert_eq!(found, Vec::<String>::new());
    assert!(runs > 20 * 4 * 5, "画面只有 {runs} 个");
}

const PAGE: &str = "<!doctype html><html lang=zh class=light><title>页</title>\
    <link rel=icon href=data:,><body style='background:#fff;color:#000'>\
    <main><h1>题</h1><p>字</p>%</main>";

#[test]
fn what_axe_finds_is_seen() {
    let chrome = Chrome::start();
    install(&chrome);
    for (body, rule) in [
        ("", ""),
        ("<img src=data:,>", "image-alt"),
        ("<p style='color:#999'>淡字</p>", "color-contrast"),
        ("<button></button>", "button-name"),
        ("<input>", "label"),
        (
            "<p aria-label=名 aria-expanded=true>字</p>",
            "aria-allowed-attr",
        ),
        ("</main><p>外面</p><main hidden>", "region"),
        ("<h4>跳级</h4>", "heading-order"),
    ] {
        let text = PAGE.replace('%', body);
        let site = Site::pages(&[("a.html", &text)]);
        chrome.open(&site.url("a.html"), 1200);
        let (_, found) = violations(&chrome, "light", State::Plain, Rules::All);
        if rule.is_empty() {
            assert_eq!(found, Vec::<String>::new());
        } else {
            assert!(
                found.iter().any(|x| x.starts_with(rule)),
                "{body}：{found:?}"
            );
        }
    }
}
