//! 文字的规矩：写法、术语、代码块、标题、讲解的次序。

use crate::source::{
    Kind, blocks, fence_body, heading, heading_title, read, root, sections,
};
use regex::Regex;
use std::sync::LazyLock;

/// 讲一个方法的页，每页都有完整的讲解次序。
pub const TOPICS: [&str; 4] = ["why", "sinusoidal", "learned", "rotary"];

/// 讲解的次序：标题以这些词开头，依次出现。
const SHAPE: [&str; 10] = [
    "先看",
    "是什么",
    "大白话",
    "手算",
    "为什么",
    "动手",
    "什么用",
    "哪些坑",
    "练习",
    "小结卡",
];

/// 小结卡的五行。
const CARD: [&str; 5] = ["一句话", "公式", "形状", "何时会错", "下一页"];

/// 练习的四种。
const EXERCISES: [&str; 4] = ["回忆", "手算", "改代码", "证明"];

static REFUSED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (r"值得注意的是|综上所述|让我们|不难发现|众所周知|总而言之|事实上|毋庸置疑|需要指出的是", "空话"),
        (r"令牌|掩膜|排列不变|困惑程度|KV 缓存|词向量", "用术语表里的词：词元、掩码、等变或不变、困惑度、键值缓存、嵌入"),
        (r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]", "不用英文标题的提示框"),
        (r#"[\u{4e00}-\u{9fff}]"|"[\u{4e00}-\u{9fff}]"#, "引号用 “”"),
        (r"[\u{4e00}-\u{9fff}][,;:?!](?:\s|[\u{4e00}-\u{9fff}]|$)", "中文后面用中文标点"),
        (r"[\u{1F300}-\u{1FAFF}\u{2600}-\u{27BF}]", "不用表情符号"),
        (r"\t| $", "没有制表符，行尾没有空格"),
        (r"\d-\d", "范围写成 0…511 或 0 到 511"),
        (r"^    \S", "没有缩进的代码"),
        (r"^~~~", "代码块用三个反引号"),
    ]
    .into_iter()
    .map(|(pattern, rule)| (Regex::new(pattern).expect("正则"), rule))
    .collect()
});

/// 代码块的语言。
const LANGUAGES: [&str; 7] = ["rs", "rust", "console", "python", "text", "sh", "toml"];

/// 一页的写法检查。
pub fn check_page(page: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut previous: Option<(usize, Kind)> = None;
    for block in blocks(text, 1) {
        let body = &text[block.start..block.end];
        let mut fault =
            |what: String| faults.push(format!("第 {} 行：{what}", block.line));
        match &block.kind {
            Kind::Heading(_, id) => {
                if id.is_empty() || !(id == page || id.starts_with(&format!("{page}-")))
                {
                    fault(format!("标题的编号要以页名开头：{body}"));
                }
                if !id
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
                {
                    fault(format!("编号只用小写字母、数字和连字符：{id}"));
                }
                if ids.contains(id) {
                    fault(format!("编号重复：{id}"));
                }
                ids.push(id.clone());
            }
            Kind::Fence(lang) => {
                if !LANGUAGES.contains(&lang.as_str()) {
                    fault(format!("代码块的语言“{lang}”不在 {LANGUAGES:?} 里"));
                }
                let inner = fence_body(text, &block);
                if lang == "rs"
                    && let Err(what) = included_item(page, inner)
                {
                    fault(what);
                }
                if lang == "python" && inner.lines().count() != 1 {
                    fault("NumPy 代码从 listings/numpy 包含".into());
                }
                if lang == "rust"
                    && (!inner.contains("assert")
                        || inner.lines().any(|l| l.starts_with("# ")))
                {
                    fault("rust 代码块要有断言，没有隐藏行".into());
                }
            }
            Kind::Text if crate::selftest::quotes_errata(body) => {}
            Kind::Text | Kind::Row => {
                let bare = without_code(body);
                for (pattern, rule) in REFUSED.iter() {
                    let target =
                        if rule.starts_with("没有") || rule.starts_with("代码块") {
                            body
                        } else {
                            bare.as_str()
                        };
                    if let Some(found) = pattern.find(target) {
                        fault(format!("“{}”：{rule}", found.as_str()));
                    }
                }
                if block.kind == Kind::Text {
                    for what in check_bold(body) {
                        fault(what);
                    }
                    let joined = previous.as_ref().is_some_and(|(line, kind)| {
                        *line + 1 == block.line && *kind == Kind::Text
                    });
                    let item = |body: &str| {
                        let body = body.trim_start();
                        body.starts_with("- ")
                            || body.starts_with('<')
                            || body.starts_with('>')
                            || body.split_once(". ").is_some_and(|(n, _)| {
                                n.bytes().all(|b| b.is_ascii_digit())
                            })
                    };
                    if joined && !item(body) {
                        fault("一段写在一行里，段与段之间空一行".into());
                    }
                }
            }
            Kind::Display if body.contains("\n") => fault("独立公式写在一行里".into()),
            _ => {}
        }
        previous = Some((block.line + body.lines().count() - 1, block.kind));
    }
    if heading(text.lines().next().unwrap_or(""))
        .is_none_or(|(level, id)| level != 1 || id != page)
    {
        faults.push(format!("第 1 行应当是 # 标题 {{#{page}}}"));
    }
    faults
}

/// 去掉行内代码和链接目标，长度不必保持。
fn without_code(text: &str) -> String {
    static CODE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"`[^`]*`|\]\([^)]*\)|\]\[\d\d\]|\$[^$]*\$|</?[A-Za-z][^>]*>|(?:arXiv:)?\d{4}\.\d{5}").expect("正则")
    });
    CODE.replace_all(text, " ").trim_end().to_string()
}

/// 粗体的内侧是标点、代码或公式时，外侧要是空白、标点或行的两端。
fn check_bold(line: &str) -> Vec<String> {
    static BOLD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\*\*([^*]+)\*\*").expect("正则"));
    let soft = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut faults = Vec::new();
    for found in BOLD.captures_iter(line) {
        let (whole, inner) = (found.get(0).expect("整个匹配"), &found[1]);
        let (before, after) = (
            line[..whole.start()].chars().next_back(),
            line[whole.end()..].chars().next(),
        );
        let opens = soft(inner.chars().next()) && !soft(before);
        let closes = soft(inner.chars().next_back()) && !soft(after);
        if opens || closes {
            faults.push(format!("粗体会印出星号：{}", whole.as_str()));
        }
    }
    faults
}

/// `rs` 代码块：恰好一条包含指令，锚点存在，包住完整的条目，长短合适。
fn included_item(page: &str, inner: &str) -> Result<(), String> {
    static INCLUDE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^\{\{#include ((?:\.\./)+listings/[a-z0-9_/]+\.rs):([a-z0-9_]+)\}\}\n$",
        )
        .expect("正则")
    });
    let found = INCLUDE
        .captures(inner)
        .ok_or("rs 代码块里只能有一条带锚点的包含指令")?;
    let path = root()
        .join("src")
        .join(page)
        .with_file_name("")
        .join(&found[1]);
    let source = std::fs::read_to_string(&path)
        .map_err(|_| format!("没有文件 {}", &found[1]))?;
    check_item(&anchored(&source, &found[2])?)
}

/// 锚点之间的代码。
fn anchored(source: &str, anchor: &str) -> Result<String, String> {
    let marker = |line: &str, word: &str| line.trim() == format!("// {word}: {anchor}");
    let mut inside = None;
    for line in source.lines() {
        if marker(line, "ANCHOR") {
            inside = Some(String::new());
        } else if marker(line, "ANCHOR_END") {
            return inside.ok_or(format!("锚点 {anchor} 没有开头"));
        } else if let Some(text) = &mut inside
            && !line.trim().starts_with("// ANCHOR")
        {
            text.push_str(line);
            text.push('\n');
        }
    }
    Err(format!("没有锚点 {anchor}"))
}

/// 一段代码由完整的条目组成：从行首开始，括号配平，最多五十行。
fn check_item(code: &str) -> Result<(), String> {
    let lines: Vec<&str> = code
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Err("锚点之间是空的".into());
    };
    let starts = [
        "///", "//", "#[", "pub ", "fn ", "struct ", "enum ", "impl", "const ",
        "trait ", "use ", "static ",
    ];
    if !starts.iter().any(|start| first.starts_with(start)) {
        return Err(format!("清单不是从完整的条目开始：{first}"));
    }
    if !(last.starts_with('}') || !last.starts_with(' ') && last.ends_with(';')) {
        return Err(format!("清单不是以完整的条目结束：{last}"));
    }
    let mut depth = 0_i32;
    for line in &lines {
        let code = line.split("//").next().unwrap_or("");
        depth += code.matches(['{', '(']).count() as i32
            - code.matches(['}', ')']).count() as i32;
    }
    if depth != 0 {
        return Err("清单的括号不配平".into());
    }
    if lines.len() > 50 {
        return Err(format!("清单太长：{} 行", lines.len()));
    }
    Ok(())
}

/// 讲一个方法的页：讲解的次序、练习的种类、小结卡、公式、清单、图、输出。
pub fn check_shape(page: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let sections = sections(text);
    let titles: Vec<&str> = sections
        .iter()
        .filter(|s| s.path.len() == 2)
        .map(|s| s.title.as_str())
        .collect();
    let mut rest = titles.iter();
    for word in SHAPE {
        if !rest.any(|title| title.starts_with(word)) {
            faults.push(format!("{page}：缺少“{word}”，或次序不对"));
        }
    }
    let inside = |word: &'static str| sections.iter().filter(move |s| s.under(word));
    for kind in EXERCISES {
        let found = inside("练习").find(|s| s.path.len() > 2 && s.title.contains(kind));
        match found {
            None => faults.push(format!("{page}：缺少练习“{kind}”")),
            Some(section)
                if !section.text.contains("<details><summary>答案</summary>") =>
            {
                faults.push(format!("{page}：练习“{}”没有折叠的答案", section.title));
            }
            Some(_) => {}
        }
    }
    let card: String = inside("小结卡").map(|s| s.text.as_str()).collect();
    for line in CARD {
        if !card.contains(&format!("| {line} |")) {
            faults.push(format!("{page}：小结卡缺少“{line}”"));
        }
    }
    if !inside("手算").any(|s| s.text.contains("```console")) {
        faults.push(format!("{page}：手算没有程序的输出"));
    }
    for (what, mark) in [
        ("公式", "\n$$"),
        ("清单", "\n```rs"),
        ("图", "{{#include figures/"),
        ("输出", "\n```console"),
        ("NumPy 对照", "\n```python"),
    ] {
        if !text.contains(mark) {
            faults.push(format!("{page}：没有{what}"));
        }
    }
    faults
}

#[test]
fn the_text_keeps_the_rules() {
    let book = crate::bless::ready();
    let mut faults = Vec::new();
    for (page, text) in &book.pages {
        faults.extend(
            check_page(page, text)
                .into_iter()
                .map(|fault| format!("src/{page}.md {fault}")),
        );
        if TOPICS.contains(&page.as_str()) {
            faults.extend(check_shape(page, text));
        }
    }
    assert!(
        faults.is_empty(),
        "{} 处\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(
        TOPICS
            .iter()
            .all(|topic| book.pages.iter().any(|(page, _)| page == topic))
    );
}

#[test]
fn the_summary_has_no_formula() {
    assert!(!read("src/SUMMARY.md").contains('$'));
}

/// 每个锚点在书里恰好展示一次：引错了一段，原来那一段就没有人引了。
fn check_anchors(sources: &[(String, String)], pages: &str) -> Vec<String> {
    static ANCHOR: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"// ANCHOR: (\w+)").expect("正则"));
    let mut faults = Vec::new();
    for (path, code) in sources {
        for found in ANCHOR.captures_iter(code) {
            let shown = format!("{{{{#include ../{path}:{}}}}}", &found[1]);
            let uses = pages.matches(&shown).count();
            if uses != 1 {
                faults.push(format!("{path}:{} 在书里出现 {uses} 次", &found[1]));
            }
        }
    }
    faults
}

#[test]
fn every_listing_is_shown_once() {
    let book = crate::bless::ready();
    let all: String = book.pages.iter().map(|(_, text)| text.as_str()).collect();
    let mut sources = Vec::new();
    for folder in ["listings/src", "listings/src/bin"] {
        for entry in std::fs::read_dir(root().join(folder)).expect(folder) {
            let path = entry.expect("目录项").path();
            if path.extension().is_some_and(|kind| kind == "rs") {
                let name = path.file_name().expect("文件名").to_string_lossy();
                let path = format!("{folder}/{name}");
                let code = read(&path);
                sources.push((path, code));
            }
        }
    }
    let faults = check_anchors(&sources, &all);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let shown = "{{#include ../listings/src/rotary.rs:rotate_vector}}";
    assert_eq!(all.matches(shown).count(), 1);
    let wrong = "{{#include ../listings/src/rotary.rs:layouts}}";
    assert_eq!(check_anchors(&sources, &all.replace(shown, wrong)).len(), 2);
}

#[test]
fn numpy_twins_are_short_and_used() {
    let book = crate::bless::ready();
    let all: String = book.pages.iter().map(|(_, text)| text.as_str()).collect();
    let mut count = 0;
    for entry in
        std::fs::read_dir(root().join("listings/numpy")).expect("listings/numpy")
    {
        let path = entry.expect("目录项").path();
        let name = path
            .file_name()
            .expect("文件名")
            .to_string_lossy()
            .into_owned();
        let lines = std::fs::read_to_string(&path)
            .expect("文件")
            .lines()
            .count();
        assert!(lines <= 10, "{name} 有 {lines} 行，最多十行");
        let uses = all
            .matches(&format!("{{{{#include ../listings/numpy/{name}}}}}"))
            .count();
        assert_eq!(uses, 1, "{name} 在书里出现 {uses} 次");
        count += 1;
    }
    assert!(count >= 4, "NumPy 对照太少：{count}");
}

#[test]
fn broken_text_is_refused() {
    let page = |body: &str| format!("# 甲 {{#a}}\n\n{body}\n");
    for good in [
        "前面**强调**后面。",
        "“**强调**”后。",
        "**强调**，后。",
        "- 一\n- 二",
        "前 **（强调）** 后。",
        "`a,b` 和 $a,b$。",
    ] {
        let faults = check_page("a", &page(good));
        assert!(faults.is_empty(), "{good}：{faults:?}");
    }
    for bad in [
        "甲**旋转（RoPE）**是。",
        "这是**“重点”**内容。",
        "前**`码`**后。",
        "一。\n二。",
        "值得注意的是，甲。",
        "> [!NOTE]",
        "他说\"好\"。",
        "甲,乙。",
        "好🙂。",
        "甲。 ",
        "0-511。",
        "    缩进。",
        "```\nx\n```",
        "```c\nx\n```",
        "```rs\nfn a() {}\n```",
        "```rs\n{{#include ../listings/src/nothing.rs:a}}\n```",
        "```rs\n{{#include ../listings/src/rng.rs:nothing}}\n```",
        "```rs\n{{#include ../listings/src/rng.rs}}\n```",
        "```rust\nlet x = 1;\n```",
        "```python\nimport numpy\nx = 1\n```",
        "## 乙",
        "## 乙 {#b-c}",
        "## 乙 {#a}",
        "令牌。",
    ] {
        assert!(!check_page("a", &page(bad)).is_empty(), "{bad}");
    }
    assert!(!check_page("a", "甲。\n").is_empty());
    assert!(check_item("/// 文。\nfn a() {\n    b();\n}\n").is_ok());
    for bad in ["    b();\n", "fn a() {\n    b();\n", "fn a() {\n", ""] {
        assert!(check_item(bad).is_err(), "{bad}");
    }
    assert!(heading_title("## 甲 {#a}") == "甲");
}

#[test]
fn a_page_without_the_shape_is_refused() {
    let faults = check_shape("x", "# 甲 {#x}\n\n## 先看 {#x-look}\n\n字。\n");
    assert_eq!(faults.len(), 9 + 4 + 5 + 1 + 5, "{faults:?}");
}
