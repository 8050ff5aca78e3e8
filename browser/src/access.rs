//! 用 axe-core 检查无障碍。

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::chrome::Chrome;

/// axe-core 的版本；更新时一并改 `.ci/run`。
pub const VERSION: &str = "4.14.1";

/// 五种主题。
pub const THEMES: [&str; 5] = ["light", "rust", "coal", "navy", "ayu"];

/// 一页的样子。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// 刚打开。
    Plain,
    /// 打开搜索，有结果。
    Search,
    /// 打开主题的列表。
    Themes,
    /// 打开帮助。
    Help,
}

/// 全部样子。
pub const STATES: [State; 4] =
    [State::Plain, State::Search, State::Themes, State::Help];

/// 此后打开的每一页都带着 axe-core；用环境变量 `AXE_JS` 指的那一份。
///
/// # Panics
///
/// 没有给出、读不到，或版本不是 [`VERSION`]：缺了就是失败。
pub fn install(chrome: &Chrome) {
    let path: PathBuf = std::env::var("AXE_JS")
        .unwrap_or_else(|_| {
            panic!(
                "要检查无障碍：npm install axe-core@{VERSION}，\
                 再把 AXE_JS 设为其中 axe.min.js 的路径"
            )
        })
        .into();
    let source = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("AXE_JS 指的文件 {} 读不到：{e}", path.display()));
    // 它认得 CommonJS 与 AMD，页里两样都没有。
    let source = format!("{source}\n;window.axe = axe;");
    chrome.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    );
    chrome.open("data:text/html,<title>axe</title>", 390);
    assert_eq!(
        chrome.run("return window.axe && axe.version;", Vec::new()),
        json!(VERSION),
        "axe-core 的版本"
    );
}

/// 把眼前这一页变成某个样子，先收起别的样子打开的东西。
pub fn enter(chrome: &Chrome, state: State) {
    let ready = chrome.run(include_str!("state.js"), vec![json!(format!("{state:?}"))]);
    assert_eq!(ready, json!(true), "{state:?} 打不开");
}

/// 用哪些规则。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// 全部。
    All,
    /// 只用看颜色的。
    Color,
    /// 只用不看颜色的。
    Rest,
}

/// 用 axe-core 检查眼前这一页的一种主题：用上了几条规则，一处毛病一句话。
///
/// 只有刚打开的样子看正文；打开搜索、主题、帮助，正文不变，于是先拿开，快得多。
pub fn violations(
    chrome: &Chrome,
    theme: &str,
    state: State,
    rules: Rules,
) -> (u64, Vec<String>) {
    let rules = format!("{rules:?}").to_lowercase();
    let args = vec![json!(theme), json!(rules), json!(state != State::Plain)];
    let found: Value = chrome.run(include_str!("access.js"), args);
    serde_json::from_value(found).expect("数目与一列文字")
}
