//! 断言清单：每个记号有登记，每条登记被用到，清单页与程序的输出一致。

use crate::bless::Book;
use crate::numbers::{Cover, check_page};
use crate::source::{is_link_def, read, root};
use regex::Regex;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::LazyLock;

/// 程序 `claims` 的一行。
#[derive(Debug, Clone, Default)]
pub struct Entry {
    pub kind: String,
    pub section: String,
    pub values: Vec<f64>,
    pub cited: Vec<Cited>,
}

/// `cited.csv` 的一行：别人测得的一个数。
#[derive(Debug, Clone, PartialEq)]
pub struct Cited {
    pub paper: String,
    pub arxiv: String,
    pub table: String,
    pub row: String,
    pub column: String,
    pub value: String,
}

/// 全部断言，按编号。
#[derive(Debug, Clone, Default)]
pub struct Claims {
    entries: BTreeMap<String, Entry>,
    proofs: HashMap<String, Vec<String>>,
}

impl Claims {
    /// 从程序的输出和引用表读出断言；重复的编号和读不懂的行是错误。
    pub fn parse(printed: &str, csv: &str) -> Result<Self, String> {
        let mut claims = Self::default();
        for line in printed.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [id, kind, section, values] = fields[..] else {
                return Err(format!("claims 的一行不合格式：{line}"));
            };
            let values = values
                .split_whitespace()
                .map(str::parse)
                .collect::<Result<Vec<f64>, _>>();
            let values = values.map_err(|why| format!("{id}：{why}"))?;
            let entry = Entry {
                kind: kind.into(),
                section: section.into(),
                values,
                cited: vec![],
            };
            if !section.is_empty() {
                let own = id.rsplit_once('-').map_or("", |(page, _)| page);
                let (page, section) = proof_place(own, section);
                claims
                    .proofs
                    .entry(page.to_string())
                    .or_default()
                    .push(section.to_string());
            }
            if claims.entries.insert(id.to_string(), entry).is_some() {
                return Err(format!("断言 {id} 登记了两次"));
            }
        }
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        for row in reader.records() {
            let row = row.map_err(|why| format!("cited.csv：{why}"))?;
            let [claim, paper, arxiv, table, line, column, value] =
                std::array::from_fn(|i| row.get(i).unwrap_or("").trim().to_string());
            if [&paper, &arxiv, &table, &value]
                .iter()
                .any(|field| field.is_empty())
            {
                return Err(format!("cited.csv：{claim} 有空格子"));
            }
            let number: f64 = value
                .parse()
                .map_err(|_| format!("cited.csv：{claim} 的 {value} 不是数"))?;
            let entry = claims.entries.entry(claim.clone()).or_default();
            if !entry.kind.is_empty() && entry.kind != "引" {
                return Err(format!("断言 {claim} 既在程序里又在 cited.csv 里"));
            }
            entry.kind = "引".to_string();
            entry.values.push(number);
            entry.cited.push(Cited {
                paper,
                arxiv,
                table,
                row: line,
                column,
                value,
            });
        }
        Ok(claims)
    }

    /// 测试用的几条断言。
    pub fn for_test(entries: &[(&str, &[f64])]) -> Self {
        let entry = |values: &[f64]| Entry {
            kind: "算".into(),
            values: values.to_vec(),
            ..Entry::default()
        };
        Self {
            entries: entries
                .iter()
                .map(|(id, values)| (id.to_string(), entry(values)))
                .collect(),
            proofs: HashMap::new(),
        }
    }

    /// 一条断言的数值。
    pub fn values(&self, id: &str) -> Option<&[f64]> {
        self.entries.get(id).map(|entry| entry.values.as_slice())
    }

    /// 这一页的这一小节是某条“证”的证明。
    pub fn proves(&self, page: &str, section: &str) -> bool {
        self.proofs
            .get(page)
            .is_some_and(|sections| sections.iter().any(|other| other == section))
    }

    /// 一页的全部编号。
    pub fn of_page(&self, page: &str) -> Vec<String> {
        let prefix = format!("{page}-");
        let rest = |id: &&String| {
            id.strip_prefix(&prefix)
                .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        };
        self.entries.keys().filter(rest).cloned().collect()
    }
}

/// 证明所在的页与小节：`小节` 在本页，`页#小节` 在别的页。
fn proof_place<'a>(page: &'a str, section: &'a str) -> (&'a str, &'a str) {
    section.split_once('#').unwrap_or((page, section))
}

/// 一页里断言的检查：编号从一起连续，每个有登记，每条登记被用到，“误”只在勘误页。
pub fn check_marks(
    page: &str,
    covers: &[(String, Cover)],
    claims: &Claims,
) -> Vec<String> {
    let mut faults = Vec::new();
    let used: Vec<&str> = covers.iter().map(|(_, cover)| cover.id.as_str()).collect();
    for (i, id) in used.iter().enumerate() {
        let expected = format!("{page}-{:02}", i + 1);
        if *id != expected {
            faults.push(format!("第 {} 个记号是 {id}，应当是 {expected}", i + 1));
        }
    }
    for id in claims.of_page(page) {
        if !used.contains(&id.as_str()) {
            faults.push(format!("断言 {id} 登记了，正文没有用到"));
        }
        let entry = &claims.entries[&id];
        if entry.kind == "误" && page != "errata" {
            faults.push(format!("断言 {id} 是“误”，只能在勘误页"));
        }
    }
    faults
}

/// 引用的检查：每个来源在参考文献里，arXiv 号相同。
pub fn check_sources(claims: &Claims, references: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (id, entry) in &claims.entries {
        for cited in &entry.cited {
            let line = references
                .lines()
                .find(|line| line.contains(&format!("id=\"ref-{}\"", cited.paper)));
            match line {
                None => {
                    faults.push(format!("{id} 引用的 {} 不在参考文献里", cited.paper))
                }
                Some(line) if !line.contains(&cited.arxiv) => {
                    faults.push(format!(
                        "{id} 写的是 {}，参考文献里 {} 不是这个版本",
                        cited.arxiv, cited.paper
                    ));
                }
                Some(_) => {}
            }
        }
    }
    faults
}

/// 页末的链接定义。
pub fn link_definitions(page: &str, covers: &[(String, Cover)]) -> String {
    let mut text = String::new();
    for (_, cover) in covers {
        let label = cover.id.rsplit('-').next().unwrap_or("");
        let _ = writeln!(text, "[{label}]: ledger/{page}.md#{} \"依据\"", cover.id);
    }
    text
}

/// 把一页的链接定义换成新的。
pub fn with_definitions(text: &str, definitions: &str) -> String {
    let mut kept: String = text
        .lines()
        .filter(|line| !is_link_def(line))
        .map(|line| format!("{line}\n"))
        .collect();
    kept.truncate(kept.trim_end().len());
    kept.push('\n');
    if !definitions.is_empty() {
        kept.push('\n');
        kept.push_str(definitions);
    }
    kept
}

/// 一页的断言，按出现次序，带着所在小节的编号。
pub fn covers_of(book: &Book, page: &str, text: &str) -> Vec<(String, Cover)> {
    check_page(text, &book.context(page))
        .into_iter()
        .flat_map(|(section, report)| {
            report
                .covers
                .into_iter()
                .map(move |cover| (section.id.clone(), cover))
        })
        .collect()
}

/// 一个完整的数值，供清单显示：整数原样，其余最多十位有效数字。
pub fn full_value(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        return format!("{value}");
    }
    let magnitude = value.abs().log10().floor() as i32;
    if (-5..10).contains(&magnitude) {
        let places = (9 - magnitude).max(0) as usize;
        let text = format!("{value:.places$}");
        return text.trim_end_matches('0').trim_end_matches('.').to_string();
    }
    let text = format!("{value:.9e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!(
        "{}e{exponent}",
        digits.trim_end_matches('0').trim_end_matches('.')
    )
}

/// 断言在 `claims/<page>.rs` 里的源码，去掉共同的缩进。
pub fn claim_source(source: &str, id: &str) -> Option<String> {
    let pattern = Regex::new(&format!(
        r#"(?:calc|bound|proof|wrong)\(\s*"{}""#,
        regex::escape(id)
    ))
    .ok()?;
    let start = pattern.find(source)?.start();
    let mut depth = 0usize;
    let mut end = None;
    let mut in_string = false;
    let mut escaped = false;
    for (at, c) in source[start..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '(' if !in_string => depth += 1,
            ')' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    end = Some(start + at + 1);
                    break;
                }
            }
            _ => {}
        }
    }
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = &source[line_start..start];
    let lines: Vec<&str> = source[start..end?]
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line))
        .collect();
    Some(lines.join("\n"))
}

/// 引文：记号换成文字，其他链接只留文字，标签去掉。
fn quotation(quote: &str) -> String {
    static LINKS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\[([^\[\]]*)\](?:\[\d\d\]|\([^)]*\))").expect("正则")
    });
    static TAGS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"</?[A-Za-z][^>]*>").expect("正则"));
    static LEAD: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(?:[->|]|\d+\.)\s*").expect("正则"));
    let text = LINKS.replace_all(quote, "$1");
    let text = TAGS.replace_all(&text, "");
    let text = LEAD.replace(text.trim(), "").replace(" | ", "，");
    text.trim_end_matches('|').trim().to_string()
}

/// 生成一页的断言清单。
pub fn ledger_page(
    book: &Book,
    page: &str,
    title: &str,
    covers: &[(String, Cover)],
) -> String {
    let source = std::fs::read_to_string(
        root().join(format!("listings/src/bin/claims/{page}.rs")),
    )
    .unwrap_or_default();
    let mut text = format!(
        "# {title}的断言 {{#ledger-{page}}}\n\n这一页由程序生成：每条断言的原句、类别、完整的数值和依据。类别的意思见[断言清单](../ledger.md)。\n"
    );
    if covers.is_empty() {
        text.push_str("\n这一页没有断言。\n");
    }
    for (section, cover) in covers {
        let Some(entry) = book.claims.entries.get(&cover.id) else {
            continue;
        };
        let table = if cover.with_table {
            "（连同其后的表）"
        } else {
            ""
        };
        let back = if section.is_empty() { page } else { section };
        let _ = write!(
            text,
            "\n## {id} · {kind} {{#{id}}}\n\n> {quote}{table}\n\n[回到正文](../{page}.md#{back})",
            id = cover.id,
            kind = entry.kind,
            quote = quotation(&cover.quote),
        );
        if !entry.section.is_empty() {
            let (place, section) = proof_place(page, &entry.section);
            let _ = write!(text, " · [证明](../{place}.md#{section})");
        }
        text.push('\n');
        if entry.kind == "引" {
            text.push_str(
                "\n| 数值 | 出处 | 位置 | 行 | 列 |\n|---|---|---|---|---|\n",
            );
            for cited in &entry.cited {
                let _ = writeln!(
                    text,
                    "| {} | [{}](../references.md#ref-{}) arXiv:{} | {} | {} | {} |",
                    cited.value,
                    cited.paper,
                    cited.paper,
                    cited.arxiv,
                    cited.table,
                    cited.row,
                    cited.column
                );
            }
        } else {
            if !entry.values.is_empty() {
                let values: Vec<String> = entry
                    .values
                    .iter()
                    .map(|&value| format!("`{}`", full_value(value)))
                    .collect();
                let _ = write!(text, "\n完整的数值：{}\n", values.join("、"));
            }
            if let Some(source) = claim_source(&source, &cover.id) {
                let _ = write!(text, "\n```rs\n{source}\n```\n");
            }
        }
    }
    text
}

/// 生成断言清单的首页。
pub fn ledger_index(book: &Book, titles: &[(String, String)]) -> String {
    let mut text = String::from(
        "# 断言清单 {#ledger}\n\n\
         书里带点状下划线的字，是断言的记号，点开就到这份清单里它的那一条。清单由程序生成，正文、数值、源码三者有一处改变，`cargo test` 就会失败。\n\n\
         五种类别：\n\n\
         - **算** ：数值由程序算出，正文的数字是它的舍入（半数取偶）。\n\
         - **界** ：正文的数字是一个界，程序先断言测得的值不越过它。\n\
         - **证** ：书中有证明，程序再用数值检查一遍。\n\
         - **引** ：别人测得的数，写明论文、版本和表格里的位置。\n\
         - **误** ：流传的错误数值，只在勘误页出现，程序算出它是怎么来的。\n\n\
         | 页 | 算 | 界 | 证 | 引 | 误 |\n|---|---|---|---|---|---|\n",
    );
    for (page, title) in titles {
        let ids = book.claims.of_page(page);
        let count = |kind: &str| {
            ids.iter()
                .filter(|id| book.claims.entries[*id].kind == kind)
                .count()
        };
        let _ = writeln!(
            text,
            "| [{title}](ledger/{page}.md) | {} | {} | {} | {} | {} |",
            count("算"),
            count("界"),
            count("证"),
            count("引"),
            count("误")
        );
    }
    text
}

#[test]
fn every_mark_has_an_entry_and_every_entry_a_mark() {
    let book = crate::bless::ready();
    let mut faults = Vec::new();
    let mut marks = 0;
    for (page, text) in &book.pages {
        let covers = covers_of(book, page, text);
        marks += covers.len();
        faults.extend(check_marks(page, &covers, &book.claims));
        let expected = with_definitions(text, &link_definitions(page, &covers));
        if expected != *text {
            faults.push(format!("src/{page}.md 末尾的链接定义过时了，请运行 BLESS=1 cargo test --test book"));
        }
    }
    let known: Vec<String> = book
        .pages
        .iter()
        .flat_map(|(page, _)| book.claims.of_page(page))
        .collect();
    faults.extend(
        book.claims
            .entries
            .keys()
            .filter(|id| !known.contains(id))
            .map(|id| format!("断言 {id} 不属于任何一页")),
    );
    faults.extend(check_sources(&book.claims, &read("src/references.md")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(marks > 50, "记号太少：{marks}");
}

#[test]
fn proof_sections_exist() {
    let book = crate::bless::ready();
    for (page, text) in &book.pages {
        for section in book.claims.proofs.get(page).into_iter().flatten() {
            assert!(
                text.contains(&format!("{{#{section}}}")),
                "{page}：证明所在的小节 {section} 不存在"
            );
        }
    }
}

#[test]
fn ledger_pages_are_current() {
    let book = crate::bless::ready();
    for (path, expected) in crate::bless::ledger_files(book) {
        let found = read(&path);
        assert!(
            found == expected,
            "{path} 过时了，请运行 BLESS=1 cargo test --test book"
        );
    }
}

#[test]
fn wrong_ledgers_are_refused() {
    assert!(Claims::parse("a-01\t算\t\t1 2\na-01\t算\t\t1", "h\n").is_err());
    assert!(Claims::parse("a-01 算", "h\n").is_err());
    let head = "claim,paper,arxiv,table,row,column,value\n";
    assert!(
        Claims::parse("a-01\t算\t\t1", &format!("{head}a-01,x2017,1,t,r,c,1\n"))
            .is_err()
    );
    assert!(Claims::parse("", &format!("{head}a-01,x2017,,t,r,c,1\n")).is_err());
    let claims = Claims::parse(
        "a-01\t误\t\t1\na-03\t证\ta-x\t",
        &format!("{head}a-02,x2017,1706.1v7,t,r,c,1\n"),
    )
    .expect("合格");
    assert!(claims.proves("a", "a-x") && !claims.proves("a", "a-y"));
    let cover = |id: &str| {
        (
            String::new(),
            Cover {
                id: id.into(),
                quote: String::new(),
                with_table: false,
                tokens: vec![],
            },
        )
    };
    assert_eq!(
        check_marks("a", &[cover("a-01"), cover("a-02"), cover("a-03")], &claims).len(),
        1
    );
    assert_eq!(
        check_marks("a", &[cover("a-02"), cover("a-01")], &claims).len(),
        4
    );
    assert_eq!(check_sources(&claims, "").len(), 1);
    assert_eq!(
        check_sources(&claims, "<a id=\"ref-x2017\"></a> 1706.1v6").len(),
        1
    );
    assert_eq!(
        check_sources(&claims, "<a id=\"ref-x2017\"></a> 1706.1v7").len(),
        0
    );
}

#[test]
fn the_source_of_a_claim_is_found() {
    let source = "    vec![\n        calc(\"a-01\", || values![1]),\n        bound(\"a-02\", || {\n            let x = f(\")\");\n            values![x]\n        }),\n    ]\n";
    assert_eq!(
        claim_source(source, "a-01").as_deref(),
        Some("calc(\"a-01\", || values![1])")
    );
    assert_eq!(
        claim_source(source, "a-02").as_deref(),
        Some("bound(\"a-02\", || {\n    let x = f(\")\");\n    values![x]\n})")
    );
    assert_eq!(full_value(0.1 + 0.2), "0.3");
    assert_eq!(full_value(62831.853071795864), "62831.85307");
    assert_eq!(full_value(1e-12), "1e-12");
    assert_eq!(full_value(512.0), "512");
}
