//! 一页的毛病。

use serde_json::json;

use crate::chrome::{Chrome, Event};

/// 打开一页，列出它的毛病：控制台的错误、失败的请求、书外的请求、版面。
///
/// `inside` 是书内地址共有的前一段。
pub fn faults(chrome: &Chrome, url: &str, inside: &str, width: u32) -> Vec<String> {
    let events = chrome.open(url, width);
    let mut faults = requests(&events, inside);
    let layout = chrome.run(include_str!("page.js"), vec![json!(width)]);
    let layout: Vec<String> = serde_json::from_value(layout).expect("一列文字");
    faults.extend(layout);
    faults
}

/// 从发生的事里挑出毛病；一个请求都没有也是毛病。
pub fn requests(events: &[Event], inside: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = false;
    for event in events {
        match event {
            Event::Request(url) if url.starts_with(inside) => seen = true,
            Event::Request(url) if url.starts_with("data:") => {}
            Event::Request(url) => faults.push(format!("书外：{url}")),
            Event::Failed(what, why) => faults.push(format!("请求：{what} {why}")),
            Event::Console(text) => faults.push(format!("控制台：{text}")),
        }
    }
    if !seen {
        faults.push("请求：一个也没有看到".into());
    }
    faults
}

/// 眼前这一页在五种主题下对比不够的地方，以及看过几处文字与线。
pub fn contrast(chrome: &Chrome) -> (u64, Vec<String>) {
    let found = chrome.run(include_str!("contrast.js"), Vec::new());
    serde_json::from_value(found).expect("数目与一列文字")
}

/// 眼前这一页排字上的毛病：代码的格子、行长、行距、断行。
pub fn type_faults(chrome: &Chrome) -> Vec<String> {
    let found = chrome.run(include_str!("type.js"), Vec::new());
    serde_json::from_value(found).expect("一列文字")
}

/// A4 纸去掉页边，单位像素。
const PAPER: u32 = 718;

/// 把一页印在 A4 纸上会丢掉什么。
pub fn print_faults(chrome: &Chrome, url: &str) -> Vec<String> {
    let media = |name: &str| {
        chrome.cdp("Emulation.setEmulatedMedia", json!({ "media": name }));
    };
    media("print");
    chrome.open(url, PAPER);
    let found = chrome.run(include_str!("print.js"), Vec::new());
    media("");
    serde_json::from_value(found).expect("一列文字")
}
