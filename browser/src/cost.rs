//! 一页的代价：请求、字节，以及最大的一块画面何时出现。

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::chrome::Chrome;

/// 一个请求取回的东西。
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// 地址。
    pub url: String,
    /// DevTools 给它的种类：`Document`、`Script`、`Font` 等。
    pub kind: String,
    /// 线路上的字节，含回答的头。
    pub bytes: u64,
}

/// 冷的缓存，以给定宽度打开一页并滚到底，取回了些什么。
pub fn loads(chrome: &Chrome, url: &str, width: u32) -> Vec<Load> {
    chrome.cdp("Network.clearBrowserCache", json!({}));
    chrome.visit(url, width);
    chrome.run(
        "scrollTo(0, document.documentElement.scrollHeight);\
         await document.fonts.ready;\
         await new Promise(r => setTimeout(r, 100));",
        Vec::new(),
    );
    collect(&chrome.messages())
}

/// 上次询问以来取回的东西。
pub fn more(chrome: &Chrome) -> Vec<Load> {
    collect(&chrome.messages())
}

fn collect(messages: &[Value]) -> Vec<Load> {
    let text = |v: &Value| v.as_str().unwrap_or("?").to_owned();
    let mut order = Vec::new();
    let mut found: BTreeMap<String, Load> = BTreeMap::new();
    for message in messages {
        let params = &message["params"];
        let id = text(&params["requestId"]);
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                let url = text(&params["request"]["url"]);
                if url.starts_with("about:") || url.starts_with("data:") {
                    continue;
                }
                let load = Load {
                    url,
                    kind: text(&params["type"]),
                    bytes: 0,
                };
                if found.insert(id.clone(), load).is_none() {
                    order.push(id);
                }
            }
            Some("Network.loadingFinished") => {
                if let Some(load) = found.get_mut(&id) {
                    // 是整数，以浮点数给出。
                    let bytes = params["encodedDataLength"].as_f64().unwrap_or(0.0);
                    load.bytes = bytes.round().abs() as u64;
                }
            }
            _ => {}
        }
    }
    order.iter().filter_map(|id| found.remove(id)).collect()
}

/// 一页的账。
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bill {
    /// 全部字节。
    pub total: u64,
    /// 脚本的字节。
    pub script: u64,
    /// 字体的字节。
    pub fonts: u64,
    /// 网页自己的字节。
    pub page: u64,
    /// 请求数。
    pub requests: usize,
    /// 取了哪些字体，文件名。
    pub faces: Vec<String>,
    /// 书外的地址。
    pub outside: Vec<String>,
    /// 没有取到字节的地址。
    pub empty: Vec<String>,
}

/// 算账；`origin` 是书里地址共有的前一段。
pub fn bill(loads: &[Load], origin: &str) -> Bill {
    let mut bill = Bill {
        requests: loads.len(),
        ..Bill::default()
    };
    for load in loads {
        bill.total += load.bytes;
        if !load.url.starts_with(origin) {
            bill.outside.push(load.url.clone());
        }
        if load.bytes == 0 {
            bill.empty.push(load.url.clone());
        }
        match load.kind.as_str() {
            "Script" => bill.script += load.bytes,
            "Document" => bill.page += load.bytes,
            "Font" => {
                bill.fonts += load.bytes;
                let name = load.url.rsplit('/').next().unwrap_or_default();
                bill.faces.push(name.to_owned());
            }
            _ => {}
        }
    }
    bill
}

/// 网络的快慢。
#[derive(Debug, Clone, Copy)]
pub struct Network {
    /// 一个来回，毫秒。
    pub latency: f64,
    /// 每秒的字节。
    pub rate: f64,
}

/// 手机上常用来试的一档：来回 150 毫秒，每秒 1.6 兆比特。
pub const PHONE: Network = Network {
    latency: 150.0,
    rate: 200_000.0,
};

/// 在给定的网络上以手机的宽度打开一页，最大的一块画面何时出现，毫秒。
///
/// # Panics
///
/// 浏览器没有报出来时。
pub fn largest_paint(chrome: &Chrome, url: &str, network: Option<Network>) -> f64 {
    let conditions = network.map_or(
        json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 }),
        |n| {
            json!({
                "offline": false, "latency": n.latency,
                "downloadThroughput": n.rate, "uploadThroughput": n.rate,
            })
        },
    );
    chrome.cdp("Network.clearBrowserCache", json!({}));
    chrome.cdp("Network.emulateNetworkConditions", conditions);
    chrome.visit(url, 390);
    let found = chrome.run(
        "return await new Promise((done) => {\
           let last = 0;\
           new PerformanceObserver((list) => {\
             for (const entry of list.getEntries()) last = entry.startTime;\
           }).observe({ type: 'largest-contentful-paint', buffered: true });\
           setTimeout(() => done(last), 300);\
         });",
        Vec::new(),
    );
    chrome.messages();
    let time = found.as_f64().unwrap_or(0.0);
    assert!(time > 0.0, "{url}：浏览器没有报出最大的一块画面");
    time
}

/// 中间的一个；偶数个时是中间两个的平均。
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[half]
    } else {
        f64::midpoint(sorted[half - 1], sorted[half])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_adds_up() {
        let event =
            |method: &str, params: Value| json!({ "method": method, "params": params });
        let sent = |id: &str, url: &str, kind: &str| {
            let params =
                json!({ "requestId": id, "type": kind, "request": { "url": url } });
            event("Network.requestWillBeSent", params)
        };
        let done = |id: &str, bytes: f64| {
            let params = json!({ "requestId": id, "encodedDataLength": bytes });
            event("Network.loadingFinished", params)
        };
        let loads = collect(&[
            sent("1", "http://book/a.html", "Document"),
            sent("2", "http://book/a.js", "Script"),
            sent("3", "http://book/f/a.woff2", "Font"),
            sent("4", "http://other/b.js", "Script"),
            sent("5", "data:,", "Image"),
            done("1", 100.0),
            done("2", 20.0),
            done("3", 3.0),
        ]);
        let bill = bill(&loads, "http://book/");
        assert_eq!((bill.total, bill.page), (123, 100));
        assert_eq!((bill.script, bill.fonts, bill.requests), (20, 3, 4));
        assert_eq!(bill.faces, ["a.woff2"]);
        assert_eq!(bill.outside, ["http://other/b.js"]);
        assert_eq!(bill.empty, ["http://other/b.js"]);
    }

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
