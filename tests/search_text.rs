//! 搜索用的文字：`src/searchtext.js`，由 BLESS 从建好的书里抄出来。
//!
//! mdBook 自己的索引里还有一份英文的倒排表，中文用不上，却占一半多；读者第一次搜索时
//! 只取文字。

use crate::{bless, rendered};
use std::collections::BTreeMap;

const FILE: &str = "src/searchtext.js";

/// mdBook 自己的索引，从它的脚本里读出来。
pub fn index(files: &BTreeMap<String, Vec<u8>>) -> Result<serde_json::Value, String> {
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
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

/// 从 mdBook 的索引里抄出地址与各节的文字，一节一行。
fn search_text(files: &BTreeMap<String, Vec<u8>>) -> Result<String, String> {
    let index = index(files)?;
    let urls = index["doc_urls"].as_array().ok_or("没有地址")?;
    let docs = &index["index"]["documentStore"]["docs"];
    let mut lines = String::new();
    for (at, url) in urls.iter().enumerate() {
        let doc = &docs[at.to_string()];
        let body = once(doc["body"].as_str().ok_or("索引里缺正文")?);
        let line = serde_json::json!([url, doc["title"], doc["breadcrumbs"], body]);
        lines.push_str(&format!("{line},\n"));
    }
    Ok(format!("window.search.text = [\n{lines}];\n"))
}

/// 公式在索引里有三份：MathML、TeX、看得见的字。三份一样的只留一份；空白都写成一个空格。
fn once(body: &str) -> String {
    let words = words(body);
    let mut text = String::new();
    let mut at = 0;
    while at < words.len() {
        let (keep, skip) = thrice(&words[at..]).unwrap_or((1, 1));
        for (blank, word) in &words[at..at + keep] {
            text.push_str(if *blank { " " } else { "" });
            text.push_str(word);
        }
        at += skip;
    }
    text.trim_start().to_string()
}

/// 开头的几个词若连着有三份（有字母，没有数，分词不必相同），一份有几个词，三份共有几个。
fn thrice(words: &[(bool, &str)]) -> Option<(usize, usize)> {
    // 从第 `from` 个词起，恰好连成 `text` 的有几个词。
    let spelled = |text: &str, from: usize| {
        let mut rest = text;
        words[from..]
            .iter()
            .position(|(_, word)| {
                let fits = rest.strip_prefix(word);
                rest = fits.unwrap_or("\0");
                fits.is_none() || rest.is_empty()
            })
            .filter(|_| rest.is_empty())
            .map(|last| from + last + 1)
    };
    let mut first = String::new();
    for (k, (_, word)) in words.iter().enumerate().take(30) {
        if word.contains(wide) || word.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        first.push_str(word);
        let end = spelled(&first, k + 1).and_then(|second| spelled(&first, second));
        if let Some(end) = end.filter(|_| first.contains(|c: char| c.is_alphabetic())) {
            return Some((k + 1, end));
        }
    }
    None
}

/// 汉字与中文的标点。
fn wide(c: char) -> bool {
    matches!(c, '“' | '”' | '\u{2e80}'..='\u{ffff}')
}

/// 在空白处和汉字之前断开；真值是前面有空白。
fn words(body: &str) -> Vec<(bool, &str)> {
    let mut found = Vec::new();
    for word in body.split_whitespace() {
        let (mut start, mut blank, mut last) = (0, true, None);
        for (at, c) in word.char_indices() {
            if wide(c) && last.is_some_and(|last| !wide(last)) {
                found.push((blank, &word[start..at]));
                (start, blank) = (at, false);
            }
            last = Some(c);
        }
        found.push((blank, &word[start..]));
    }
    found
}

#[test]
fn a_formula_is_kept_once() {
    assert_eq!(once("设 d d d 是宽度"), "设 d 是宽度");
    assert_eq!(once("由 q m qm q m，得"), "由 q m，得");
    assert_eq!(once("b = c b=c b = c的时候"), "b = c的时候");
    // 有数的原样留下，数的多少要算进次序；带 TeX 的也原样留下。
    assert_eq!(once("b = 10 b=10 b = 10的"), "b = 10 b=10 b = 10的");
    assert_eq!(once("1 1 1\n2"), "1 1 1 2");
    assert_eq!(once("x 2 x^{2} x 2"), "x 2 x^{2} x 2");
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
