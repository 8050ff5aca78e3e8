//! 搜索用的文字：`src/searchtext.js`，由 BLESS 从建好的书里抄出来。
//!
//! mdBook 自己的索引里还有一份英文的倒排表，中文用不上，却占一半多；读者第一次搜索时
//! 只取文字。

use crate::{bless, rendered};
use std::collections::BTreeMap;

const FILE: &str = "src/searchtext.js";

/// 从 mdBook 的索引里抄出地址与各节的文字，一节一行。
fn search_text(files: &BTreeMap<String, Vec<u8>>) -> Result<String, String> {
    let (_, bytes) = files
        .iter()
        .find(|(path, _)| path.starts_with("searchindex"))
        .ok_or("没有搜索索引")?;
    let text = String::from_utf8_lossy(bytes);
    let json = text
        .split_once("JSON.parse('")
        .and_then(|(_, rest)| rest.rsplit_once("')"))
        .map(|(json, _)| json.replace("\\'", "'").replace("\\\\", "\\"))
        .ok_or("读不出搜索索引")?;
    let index: serde_json::Value =
        serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let urls = index["doc_urls"].as_array().ok_or("没有地址")?;
    let docs = &index["index"]["documentStore"]["docs"];
    let mut lines = String::new();
    for (at, url) in urls.iter().enumerate() {
        let doc = &docs[at.to_string()];
        let line =
            serde_json::json!([url, doc["title"], doc["breadcrumbs"], doc["body"]]);
        lines.push_str(&format!("{line},\n"));
    }
    Ok(format!("window.search.text = [\n{lines}];\n"))
}

#[test]
fn bless_the_search_text() {
    let text = search_text(&rendered::book().files).expect("索引");
    if std::env::var_os("BLESS").is_some() {
        bless::write(FILE, &text);
    }
    let written = std::fs::read_to_string(crate::source::root().join(FILE));
    let written = written.unwrap_or_default();
    let differ = written.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(
        written == text,
        "{FILE} 与书不同，运行 BLESS=1 cargo test --locked --test book；第一处：{differ:?}"
    );
    assert!(text.lines().count() > 100, "节太少");
}

#[test]
fn a_changed_sentence_changes_the_search_text() {
    let index = |body: &str| {
        let json = format!(
            "{{\"doc_urls\":[\"a.html#a\"],\"index\":{{\"documentStore\":{{\"docs\":\
             {{\"0\":{{\"id\":\"0\",\"title\":\"题\",\"breadcrumbs\":\"章\",\
             \"body\":\"{body}\"}}}}}}}}}}"
        );
        let json = json.replace('\\', "\\\\").replace('\'', "\\'");
        let file = format!(
            "window.search = Object.assign(window.search, JSON.parse('{json}'));"
        );
        search_text(&BTreeMap::from([(
            "searchindex-1.js".to_string(),
            file.into_bytes(),
        )]))
    };
    let expected =
        "window.search.text = [\n[\"a.html#a\",\"题\",\"章\",\"它's \\\\frac\"],\n];\n";
    assert_eq!(index("它's \\\\frac").as_deref(), Ok(expected));
    assert_ne!(index("它"), index("他"));
    assert!(search_text(&BTreeMap::new()).is_err());
}
