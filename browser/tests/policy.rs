//! 严格的 `Content-Security-Policy` 之下，每一页照常：搜索、换主题、复制、帮助、目录、能动的图。

use browser::chrome::{Chrome, Event};
use browser::policy::policy;
use browser::site::Site;
use serde_json::{Value, json};

/// 每一页先于一切运行：记下每一次违反。
const LISTEN: &str = "window.broken = [];\
    addEventListener('securitypolicyviolation', (e) => broken.push(\
      `${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile ?? ''}:${e.lineNumber} ${e.sample}`));";

/// 打开一页，把页上能做的事做一遍；交出做了几件事与违反之处。
fn exercise(chrome: &Chrome, url: &str) -> (Value, Vec<String>) {
    let mut events = chrome.open(url, 1200);
    let found = chrome.run(include_str!("policy.js"), Vec::new());
    events.extend(chrome.events());
    let broken = chrome.run("return window.broken;", Vec::new());
    let mut broken: Vec<String> = serde_json::from_value(broken).expect("一列文字");
    broken.extend(events.into_iter().filter_map(|event| match event {
        Event::Console(text) => Some(text),
        Event::Failed(what, why) => Some(format!("{what} {why}")),
        Event::Request(_) => None,
    }));
    (found, broken)
}

fn listening() -> Chrome {
    let chrome = Chrome::start();
    chrome.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": LISTEN }),
    );
    chrome
}

#[test]
fn nothing_breaks_the_policy_on_any_page() {
    let chrome = listening();
    let site = Site::book();
    let policy = policy(site.dir()).expect("策略");
    println!("{policy}");
    let hashes = policy.matches("'sha256-").count();
    // 六段脚本里只有第一段因页面的深浅而不同，打印页多一段。
    assert!(hashes <= 9, "策略里有 {hashes} 段脚本");
    assert!(policy.len() < 1000, "策略有 {} 字节", policy.len());
    site.set_policy(&policy);
    let mut found = Vec::new();
    let mut done = [0; 5];
    for page in site.html() {
        if page == "toc.html" {
            continue; // 没有脚本时的边框，只在下面的边框里看
        }
        let (counts, broken) = exercise(&chrome, &site.url(&page));
        let counts: [u64; 5] = serde_json::from_value(counts).expect("五个数");
        assert_eq!(counts[..2], [1, 5], "{page}：搜索与主题");
        for (sum, count) in done.iter_mut().zip(counts) {
            *sum += count;
        }
        found.extend(broken.iter().map(|x| format!("{page}：{x}")));
    }
    println!(
        "搜索 {} 次，换主题 {} 次，复制 {} 次，能动的图里动了 {} 次，公式 {} 条",
        done[0], done[1], done[2], done[3], done[4]
    );
    assert_eq!(found, Vec::<String>::new());
    assert!(done[2] > 20 && done[3] > 50 && done[4] > 100, "{done:?}");
}

const PAGE: &str = "<!doctype html><html lang=zh><link rel=icon href=data:,>\
    <script>document.title = '我';</script><body>";

#[test]
fn what_breaks_the_policy_is_seen() {
    let chrome = listening();
    let clean = format!("{PAGE}<p style='color:red'>字</p>");
    let site = Site::pages(&[("good.html", &clean)]);
    let policy = policy(site.dir()).expect("策略");
    for (body, directive) in [
        ("<script>document.title = '他';</script>", "script-src-elem"),
        (
            "<script src=http://example.com/a.js></script>",
            "script-src-elem",
        ),
        ("<p onclick='x()'>字</p>", "script-src-attr"),
        ("<style>p { color: red }</style>", "style-src-elem"),
        ("<img alt='' src=http://example.com/a.png>", "img-src"),
        (
            "<iframe title=框 src=http://example.com/></iframe>",
            "frame-src",
        ),
        ("<base href=http://example.com/>", "base-uri"),
        ("<script src=eval.js></script>", "script-src"),
    ] {
        let bad = format!("{PAGE}{body}");
        let site = Site::pages(&[
            ("good.html", &clean),
            ("bad.html", &bad),
            ("eval.js", "try { eval('1'); } catch { }"),
        ]);
        site.set_policy(&policy);
        for (page, wrong) in [("good.html", false), ("bad.html", true)] {
            chrome.open(&site.url(page), 1200);
            let broken = chrome.run("return window.broken;", Vec::new());
            let broken: Vec<String> = serde_json::from_value(broken).expect("一列文字");
            let seen = broken.iter().any(|x| x.starts_with(directive));
            assert_eq!(seen, wrong, "{body}：{broken:?}");
            assert_eq!(broken.is_empty(), !wrong, "{body}：{broken:?}");
        }
    }
}
