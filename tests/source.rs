//! 读书稿：把一页 Markdown 切成小节和块。只看，不改。

use std::fs;
use std::path::{Path, PathBuf};

/// 仓库的根目录。
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("包在根目录之下")
        .to_path_buf()
}

/// 读一个文件，路径从根目录算起。
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}：{why}"))
}

/// 手写的页（不含生成的断言清单），名字不带扩展名，按目录次序。
pub fn written_pages() -> Vec<String> {
    summary_pages(&read("src/SUMMARY.md"))
        .into_iter()
        .filter(|page| !is_generated(page))
        .collect()
}

/// 目录里的页，名字不带扩展名。
pub fn summary_pages(summary: &str) -> Vec<String> {
    let mut pages = Vec::new();
    for line in summary.lines() {
        if let Some((_, rest)) = line.split_once("](")
            && let Some((path, _)) = rest.split_once(".md)")
        {
            pages.push(path.to_string());
        }
    }
    pages
}

/// 断言清单的各页由程序生成。
pub fn is_generated(page: &str) -> bool {
    page == "ledger" || page.starts_with("ledger/")
}

/// 一块的种类。
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// 标题：级别与编号。
    Heading(usize, String),
    /// 段落、列表项、引文或带文字的 HTML 行。
    Text,
    /// 表格的一行。
    Row,
    /// 代码块：语言。
    Fence(String),
    /// 单独一行的包含指令。
    Include,
    /// 单行的独立公式。
    Display,
    /// 链接定义。
    LinkDef,
    /// 表格的分隔行、空白的 HTML 行。
    Other,
}

/// 一块：种类、在小节里的起止字节、行号（从一数起）。
#[derive(Debug, Clone)]
pub struct Block {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub line: usize,
}

/// 把一段文字切成块；`first_line` 是它第一行的行号。
pub fn blocks(text: &str, first_line: usize) -> Vec<Block> {
    let mut result: Vec<Block> = Vec::new();
    let mut offset = 0;
    let mut fence: Option<(String, usize, usize)> = None;
    for (number, raw) in text.split_inclusive('\n').enumerate() {
        let line = raw.trim_end_matches('\n');
        let (start, end) = (offset, offset + line.len());
        offset += raw.len();
        let line_number = first_line + number;
        if let Some((lang, from, from_line)) = &fence {
            if line == "```" {
                result.push(Block {
                    kind: Kind::Fence(lang.clone()),
                    start: *from,
                    end,
                    line: *from_line,
                });
                fence = None;
            }
            continue;
        }
        if let Some(lang) = line.strip_prefix("```") {
            fence = Some((lang.to_string(), start, line_number));
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        let kind = line_kind(line);
        result.push(Block {
            kind,
            start,
            end,
            line: line_number,
        });
    }
    if let Some((lang, from, from_line)) = fence {
        let kind = Kind::Fence(format!("{lang}（没有结束）"));
        result.push(Block {
            kind,
            start: from,
            end: text.len(),
            line: from_line,
        });
    }
    result
}

fn line_kind(line: &str) -> Kind {
    let trimmed = line.trim();
    if let Some((level, id)) = heading(line) {
        return Kind::Heading(level, id);
    }
    if trimmed.starts_with("{{#") {
        return Kind::Include;
    }
    if trimmed.starts_with("$$") && trimmed.ends_with("$$") && trimmed.len() > 4 {
        return Kind::Display;
    }
    if trimmed.starts_with('|') {
        let rule = trimmed.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        return if rule { Kind::Other } else { Kind::Row };
    }
    if is_link_def(trimmed) {
        return Kind::LinkDef;
    }
    Kind::Text
}

/// 断言的链接定义 `[01]: …`。
pub fn is_link_def(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.len() > 5
        && bytes[0] == b'['
        && bytes[1].is_ascii_digit()
        && bytes[2].is_ascii_digit()
        && line[3..].starts_with("]: ")
}

/// 标题的级别与编号；没有编号时编号为空。
pub fn heading(line: &str) -> Option<(usize, String)> {
    let level = line.bytes().take_while(|&b| b == b'#').count();
    if level == 0 || level > 6 || !line[level..].starts_with(' ') {
        return None;
    }
    let id = line
        .rsplit_once("{#")
        .and_then(|(_, rest)| rest.strip_suffix('}'))
        .unwrap_or("")
        .to_string();
    Some((level, id))
}

/// 标题的文字，不带井号和编号。
pub fn heading_title(line: &str) -> &str {
    let text = line.trim_start_matches('#').trim();
    text.split(" {#").next().unwrap_or(text).trim()
}

/// 一个小节：从一个标题到下一个标题。
#[derive(Debug, Clone)]
pub struct Section {
    /// 编号，没有标题时为空。
    pub id: String,
    /// 标题文字。
    pub title: String,
    /// 从最外层到自己的标题文字。
    pub path: Vec<String>,
    /// 全文，标题行在内。
    pub text: String,
    /// 第一行的行号。
    pub line: usize,
    /// 在页里的起始字节。
    pub start: usize,
}

impl Section {
    /// 自己或祖先的标题以 `word` 开头。
    pub fn under(&self, word: &str) -> bool {
        self.path.iter().any(|title| title.starts_with(word))
    }
}

/// 把一页切成小节。代码块里的井号不算标题。
pub fn sections(text: &str) -> Vec<Section> {
    let mut result: Vec<Section> = Vec::new();
    let mut stack: Vec<(usize, String)> = Vec::new();
    let mut current = Section {
        id: String::new(),
        title: String::new(),
        path: Vec::new(),
        text: String::new(),
        line: 1,
        start: 0,
    };
    let mut in_fence = false;
    let mut offset = 0;
    for (number, raw) in text.split_inclusive('\n').enumerate() {
        let line = raw.trim_end_matches('\n');
        if line.starts_with("```") {
            in_fence = !in_fence;
        }
        if !in_fence && let Some((level, id)) = heading(line) {
            if !current.text.trim().is_empty() {
                result.push(current);
            }
            let title = heading_title(line).to_string();
            stack.retain(|(other, _)| *other < level);
            stack.push((level, title.clone()));
            current = Section {
                id,
                title,
                path: stack.iter().map(|(_, title)| title.clone()).collect(),
                text: String::new(),
                line: number + 1,
                start: offset,
            };
        }
        current.text.push_str(raw);
        offset += raw.len();
    }
    if !current.text.trim().is_empty() {
        result.push(current);
    }
    result
}

/// 代码块的内容（不含首尾两行）。
pub fn fence_body<'a>(text: &'a str, block: &Block) -> &'a str {
    let whole = &text[block.start..block.end];
    let inner = whole.split_once('\n').map_or("", |(_, rest)| rest);
    inner.strip_suffix("```").unwrap_or(inner)
}

/// `src/bin` 里全部程序的名字。
pub fn programs() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(root().join("listings/src/bin"))
        .expect("listings/src/bin")
        .map(|entry| entry.expect("目录项").path())
        .map(|path| {
            path.file_stem()
                .expect("文件名")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

/// 一个目录下所有 `.rs` 文件（递归），按路径排序。
pub fn rust_files(dir: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![root().join(dir)];
    while let Some(dir) = todo.pop() {
        for entry in
            fs::read_dir(&dir).unwrap_or_else(|why| panic!("{}：{why}", dir.display()))
        {
            let path = entry.expect("目录项").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn sections_and_blocks_are_found() {
    let text = "# 甲 {#a}\n\n一。\n\n```rs\n# 不是标题\n```\n\n## 乙 {#a-b}\n\n| 表 | 二 |\n|---|---|\n| 三 | 四 |\n$$x$$\n";
    let found = sections(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[1].path, ["甲", "乙"]);
    assert_eq!(&text[found[1].start..found[1].start + 6], "## 乙");
    let kinds: Vec<Kind> = blocks(&found[1].text, 1)
        .into_iter()
        .map(|b| b.kind)
        .collect();
    assert_eq!(kinds.len(), 5);
    assert_eq!(kinds[1], Kind::Row);
    assert_eq!(kinds[4], Kind::Display);
}
