//! 建好的书用的 `Content-Security-Policy`。
//!
//! 脚本只许来自书里，再加 mdBook 写在页里的那几段（按内容的 SHA-256）；样式只许来自书里的
//! 文件；样式属性要放行，因为公式的每个零件用它定位；其余一概不许。

use std::collections::BTreeSet;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

/// 建好的书在 `dir` 里，给出整条策略（不含头的名字）。
///
/// # Errors
///
/// 没有网页；读不到某一页；某一页的正文里有脚本，或哪里有样式元素、写成属性的脚本：
/// 那不是 mdBook 写的，不替它放行。
pub fn policy(dir: &Path) -> Result<String, String> {
    let mut hashes = BTreeSet::new();
    let pages = pages(dir)?;
    if pages.is_empty() {
        return Err(format!("{} 里没有网页", dir.display()));
    }
    for page in pages {
        let text = std::fs::read_to_string(&page)
            .map_err(|e| format!("{}：{e}", page.display()))?;
        let scripts = inline(&text).map_err(|e| format!("{}：{e}", page.display()))?;
        hashes.extend(scripts.into_iter().map(hash));
    }
    let hashes: String = hashes
        .iter()
        .map(|hash| format!(" 'sha256-{hash}'"))
        .collect();
    Ok(format!(
        "default-src 'none'; script-src 'self'{hashes}; style-src 'self'; \
         style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; frame-src 'self'; base-uri 'self'; form-action 'none'"
    ))
}

fn pages(dir: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let mut found = Vec::new();
    let mut todo = vec![dir.to_path_buf()];
    while let Some(dir) = todo.pop() {
        let entries =
            std::fs::read_dir(&dir).map_err(|e| format!("{}：{e}", dir.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|x| x == "html") {
                found.push(path);
            }
        }
    }
    Ok(found)
}

fn hash(script: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(script))
}

/// 一页里写在页内的脚本，原文。
fn inline(page: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let mut main = false;
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            let end = comment.find("-->").ok_or("注释没有完")?;
            rest = &comment[end..];
            continue;
        }
        let end = tag_end(rest).ok_or("标签没有完")?;
        let (tag, after) = rest.split_at(end);
        rest = after;
        let name = tag[1..]
            .split(|c: char| c.is_whitespace() || c == '>')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        match name.as_str() {
            "main" => main = true,
            "/main" => main = false,
            "style" => return Err("有样式元素".into()),
            "script" => {
                let end = rest.find("</script").ok_or("脚本没有完")?;
                let script = &rest[..end];
                rest = &rest[end..];
                if main {
                    return Err(format!("正文里有脚本：{tag}"));
                }
                if !attributes(tag).iter().any(|name| name == "src") {
                    found.push(script);
                }
            }
            _ => {
                if let Some(name) = attributes(tag).iter().find(|x| x.starts_with("on"))
                {
                    return Err(format!("有写成属性的脚本：{name}"));
                }
            }
        }
    }
    Ok(found)
}

/// 标签的长度，连同两头的尖括号；引号里的尖括号不算。
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '>' => return Some(at + 1),
            None => {}
        }
    }
    None
}

/// 标签里各属性的名字，小写。
fn attributes(tag: &str) -> Vec<String> {
    let mut outside = String::new();
    let mut quote = None;
    for c in tag.trim_matches(['<', '>', '/']).chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None => outside.push(c),
        }
    }
    outside
        .split_whitespace()
        .skip(1)
        .filter_map(|word| word.split('=').next())
        .map(str::to_ascii_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_are_found_and_the_rest_is_refused() {
        let page = "<!doctype html><!-- <script>no()</script> --><script>a < b</script>\
            <script src=\"x.js\"></script><p title='<script>'>1 &lt; 2</p>\
            <script async>src()</script>";
        assert_eq!(inline(page), Ok(vec!["a < b", "src()"]));
        for bad in [
            "<main><script>x()</script></main>",
            "<main><script src=x.js></script></main>",
            "<style>p{}</style>",
            "<a href=x onclick=\"y()\">",
            "<script>x()",
        ] {
            assert!(inline(bad).is_err(), "{bad}");
        }
        assert_eq!(inline("<main></main><a data-on=x>"), Ok(vec![]));
    }

    #[test]
    fn the_hash_is_the_one_of_the_standard() {
        // CSP Level 3 里的例子：alert('Hello, world.');
        assert_eq!(
            hash("alert('Hello, world.');"),
            "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }
}
