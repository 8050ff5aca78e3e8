//! 每一页：断网也完整，不报错，手机上不左右滚动，MathML 不露面，字排得好。

use browser::chrome::{Chrome, WIDTHS};
use browser::page::{contrast, faults, print_faults, type_faults};
use browser::site::Site;

#[test]
fn every_page_is_whole_offline_well_set_and_fits_the_phone() {
    let chrome = Chrome::start();
    let book = Site::book();
    let sample = Site::sample();
    let mut found = Vec::new();
    let mut count = 0;
    // toc.html 只当没有脚本时的边框用，单独打开会去找图标。
    let pages = book.html().into_iter().filter(|page| page != "toc.html");
    let pages = pages.map(|page| (&book, page));
    for (site, page) in pages.chain([(&sample, "sample.html".to_owned())]) {
        for width in WIDTHS {
            let mut wrong = faults(&chrome, &site.url(&page), &site.origin(), width);
            // 样页里有故意写得太宽的行内公式。
            wrong.retain(|x| page != "sample.html" || !x.starts_with("页宽"));
            // 打印页是各页合在一起，样页里有故意写短的一行。
            if page != "print.html" && page != "sample.html" {
                wrong.extend(type_faults(&chrome));
            }
            found.extend(wrong.iter().map(|x| format!("{page}，宽 {width}：{x}")));
            count += 1;
        }
    }
    println!("看过的页（两种宽度各算一次）：{count}");
    assert_eq!(found, Vec::<String>::new());
    assert!(count >= 2 * 20, "书有足够多的页");
}

#[test]
fn every_page_opens_from_the_disk() {
    let chrome = Chrome::start();
    let site = Site::book();
    let inside = format!("file://{}/", site.dir().display());
    let mut found = Vec::new();
    // 404 页里的地址从网站的根算起，只在网站上有用。
    for page in site.html().iter().filter(|page| *page != "404.html") {
        let wrong = faults(&chrome, &format!("{inside}{page}"), &inside, 390);
        found.extend(wrong.iter().map(|x| format!("{page}：{x}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

const CLEAN: &str = "<!doctype html><html lang=zh><link rel=icon href=data:,>\
    <meta name=viewport content='width=device-width, initial-scale=1'>\
    <body style='margin:0'><div class=content><main><p>正文</p>%</main></div>";

const MATH: &str = "<span class=katex><span class=katex-mathml \
    style='position:absolute;width:1px;height:1px;overflow:hidden'>\
    <math><mi>x</mi></math></span><span class=katex-html>x</span></span>";

/// 有毛病的页、要认出的毛病的开头；每页只有这一处毛病。
const BROKEN: [(&str, &str); 11] = [
    ("<script>console.error('坏')</script>", "控制台"),
    ("<script>throw new Error('坏')</script>", "控制台"),
    ("<link rel=stylesheet href=none.css>", "请求"),
    ("<img alt='' src=http://example.com/a.png>", "书外"),
    (
        "<script>fetch('https://example.org/').catch(() => {})</script>",
        "书外",
    ),
    (
        "<script>new WebSocket('ws://example.org/')</script>",
        "书外",
    ),
    ("<div style='width:500px;height:9px'></div>", "页宽"),
    (
        "<style>body{overflow-x:hidden}</style><div style='width:500px'>宽</div>",
        "页宽",
    ),
    (
        "<div style='overflow:hidden'><span class=katex-display \
         style='display:block;overflow:hidden'><div style='width:900px'>x</div></span></div>",
        "公式",
    ),
    (
        "<span class=katex><span class=katex-html>x</span></span>",
        "MathML",
    ),
    (
        "<span class=katex><span class=katex-mathml><math><mi>x</mi></math></span></span>",
        "MathML",
    ),
];

#[test]
fn each_fault_is_seen() {
    let chrome = Chrome::start();
    let page = |body: &str| CLEAN.replace('%', body);
    let good = page(MATH);
    let site = Site::pages(&[("good.html", &good)]);
    let none = faults(&chrome, &site.url("good.html"), &site.origin(), 390);
    assert_eq!(none, Vec::<String>::new(), "没有毛病的页");
    for (body, kind) in BROKEN {
        let text = page(body);
        let site = Site::pages(&[("bad.html", &text)]);
        let found = faults(&chrome, &site.url("bad.html"), &site.origin(), 390);
        assert!(
            found.iter().any(|x| x.starts_with(kind)),
            "{body}\n{found:?}"
        );
    }
}

#[test]
fn text_and_lines_stand_out_on_every_theme() {
    let chrome = Chrome::start();
    let site = Site::book();
    let mut found = Vec::new();
    let mut total = 0;
    for page in site.html() {
        if page == "print.html" || page == "toc.html" {
            continue; // 前者是各页的合并，后者见上
        }
        chrome.open(&site.url(&page), 1200);
        let (count, faults) = contrast(&chrome);
        assert!(count > 0, "{page} 里没有文字");
        total += count;
        found.extend(faults.iter().map(|x| format!("{page}：{x}")));
    }
    println!("五种主题，看过的文字与线：{total}");
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn poor_contrast_is_seen() {
    let chrome = Chrome::start();
    for body in [
        "<p style='color:#888'>灰字</p>",
        "<p style='background:#555;color:#222'>黑底</p>",
        "<p style='opacity:.4'>淡字</p>",
        "<figure id=f><svg><line x2=9 y2=9 stroke='#bbb'></svg></figure>",
        "<figure id=f><svg><text y=9 fill='#999'>字</text></svg></figure>",
    ] {
        let text = CLEAN.replace('%', body);
        let site = Site::pages(&[("bad.html", &text)]);
        chrome.open(&site.url("bad.html"), 1200);
        assert!(!contrast(&chrome).1.is_empty(), "{body}");
    }
    let site = Site::pages(&[("good.html", &CLEAN.replace('%', ""))]);
    chrome.open(&site.url("good.html"), 1200);
    assert_eq!(contrast(&chrome).1, Vec::<String>::new());
}

#[test]
fn poor_setting_is_seen() {
    let chrome = Chrome::start();
    let text = "字".repeat(60);
    for (body, kind) in [
        (
            "<pre><code style='font-family:serif'>字</code></pre>",
            "代码",
        ),
        (&format!("<p style='font-size:9px'>{text}</p>"), "字"),
        (
            &format!("<p style='width:1100px;font-size:18px;line-height:2'>{text}</p>"),
            "行长",
        ),
        ("<p style='line-height:1.2'>字</p>", "行距"),
        (
            "<p style='width:12em'>字字字字字字字字小于 1e-12</p>",
            "断行",
        ),
    ] {
        let text = CLEAN.replace('%', body);
        let site = Site::pages(&[("bad.html", &text)]);
        chrome.open(&site.url("bad.html"), 1200);
        let found = type_faults(&chrome);
        assert!(
            found.iter().any(|x| x.starts_with(kind)),
            "{body}：{found:?}"
        );
    }
}

#[test]
fn the_paper_loses_nothing() {
    let chrome = Chrome::start();
    let book = Site::book();
    let sample = Site::sample();
    let pages = book.html().into_iter().map(|page| (&book, page));
    let mut found = Vec::new();
    for (site, page) in pages.chain([(&sample, "sample.html".to_owned())]) {
        let faults = print_faults(&chrome, &site.url(&page));
        found.extend(faults.iter().map(|x| format!("{page}：{x}")));
    }
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn what_the_paper_loses_is_seen() {
    let chrome = Chrome::start();
    for (body, kind) in [
        ("<details><summary>问</summary><p>答</p></details>", "答案"),
        (
            "<div class=table-wrapper style='overflow:auto'>\
             <table style='width:900px'></table></div>",
            "切掉",
        ),
        (
            "<pre><code style='background:linear-gradient(red,blue)'>x</code></pre>",
            "底色",
        ),
    ] {
        let text = CLEAN.replace('%', body);
        let site = Site::pages(&[("bad.html", &text)]);
        let found = print_faults(&chrome, &site.url("bad.html"));
        assert!(found.iter().any(|x| x.starts_with(kind)), "{body}");
    }
}
