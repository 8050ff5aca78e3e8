//! 数字的检查：正文里的每个阿拉伯数字都要落实，三种途径见 README。

use crate::formulas;
use crate::ledger::Claims;
use crate::source::{Kind, Section, blocks, fence_body, read, sections};
use crate::tex;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// 一个数怎样落实。
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// 断言：句子里的记号。
    Mark,
    /// 同一小节里程序的输出。
    Output,
    /// `EQ_` 公式的一部分。
    Formula,
    /// 独立公式：逐字等于 `EQ_` 公式。
    Display,
}

/// 一个已经落实的数：在小节里的字节范围和途径。
#[derive(Debug, Clone)]
pub struct Settled {
    pub range: Range<usize>,
    pub way: Way,
}

/// 一条断言覆盖的文字和数。
#[derive(Debug, Clone)]
pub struct Cover {
    pub id: String,
    pub quote: String,
    pub with_table: bool,
    pub tokens: Vec<Range<usize>>,
}

/// 一个小节的检查结果。
#[derive(Debug, Default)]
pub struct Report {
    pub faults: Vec<String>,
    pub settled: Vec<Settled>,
    pub covers: Vec<Cover>,
}

/// 检查一页需要的东西：页名和全部断言。
pub struct Context<'a> {
    pub page: &'a str,
    pub claims: &'a Claims,
}

/// 遮住不算数字的部分之后的一块文字，与原文等长。
#[derive(Debug)]
pub struct Masked {
    /// 字节与原文对齐；遮住的部分是空格，公式整个遮住。
    pub prose: String,
    /// 行内公式的内容。
    pub formulas: Vec<Range<usize>>,
    /// 断言的记号：位置与两位编号。
    pub marks: Vec<(usize, String)>,
}

/// 名字表 `tests/names.txt` 与参考文献的“姓 年”，拼成一个正则。
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let mut names: Vec<String> = read("tests/names.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(regex::escape)
        .collect();
    static KEY: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"id="ref-([a-z]+)(\d{4})""#).expect("正则"));
    for key in KEY.captures_iter(&read("src/references.md")) {
        names.push(format!("(?i:{}) ?{}", &key[1], &key[2]));
    }
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    Regex::new(&format!(r"(?:{})", names.join("|"))).expect("名字表")
});

static REMOVED: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"</?[A-Za-z][^>]*>",
        r"\]\([^)]*\)",
        r"\{#[^}]*\}",
        r"(?:arXiv:)?\d{4}\.\d{5}(?:v\d+)?",
        r"(?:19|20)\d\d ?年",
        r"^\s*\d+\. ",
        r"https?://[^\s）。，]+",
    ]
    .into_iter()
    .map(|pattern| Regex::new(pattern).expect("正则"))
    .collect()
});

static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\]\[(\d\d)\]").expect("正则"));
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[-−+]?\d+(?:\.\d+)?(?:[eE][-−]?\d+)?(?: ?(?:%|万|亿))?").expect("正则")
});
static IDENTIFIER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[A-Za-z_][A-Za-z0-9_]*").expect("正则"));

/// 遮住不算数字的部分。
pub fn mask(text: &str) -> Masked {
    let mut bytes = text.as_bytes().to_vec();
    let blank = |bytes: &mut Vec<u8>, range: Range<usize>| bytes[range].fill(b' ');
    let formulas = formulas::inline_ranges(text);
    for range in &formulas {
        blank(
            &mut bytes,
            range.start.saturating_sub(1)..(range.end + 1).min(text.len()),
        );
    }
    let mut start = None;
    let mut codes = Vec::new();
    for (at, &byte) in bytes.clone().iter().enumerate() {
        if byte == b'`' {
            match start.take() {
                None => start = Some(at),
                Some(from) => codes.push(from..at + 1),
            }
        }
    }
    let step = String::from_utf8(bytes.clone()).expect("公式按整字遮住");
    for code in &codes {
        for found in IDENTIFIER.find_iter(&step[code.clone()]) {
            let from = code.start + found.start();
            let glued = from > 0 && bytes[from - 1].is_ascii_digit();
            if !glued {
                blank(&mut bytes, from..code.start + found.end());
            }
        }
    }
    let step = String::from_utf8(bytes.clone()).expect("标识符是 ASCII");
    let mut marks = Vec::new();
    for found in MARK.captures_iter(&step) {
        let whole = found.get(0).expect("整个匹配");
        marks.push((whole.start(), found[1].to_string()));
        blank(&mut bytes, whole.range());
    }
    let step = String::from_utf8(bytes.clone()).expect("记号是 ASCII");
    for pattern in REMOVED.iter() {
        for found in pattern.find_iter(&step) {
            blank(&mut bytes, found.range());
        }
    }
    let step = String::from_utf8(bytes.clone()).expect("按整字遮住");
    for found in NAMES.find_iter(&step) {
        let before = step[..found.start()].chars().next_back();
        let after = step[found.end()..].chars().next();
        let inside = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        if !inside(before) && !inside(after) {
            blank(&mut bytes, found.range());
        }
    }
    Masked {
        prose: String::from_utf8(bytes).expect("按整字遮住"),
        formulas,
        marks,
    }
}

/// 一块文字里的数：正文里的和公式里的，按位置排好；`fixed` 是由 `EQ_` 落实的。
struct Tokens {
    free: Vec<Range<usize>>,
    fixed: Vec<Range<usize>>,
    glued: Vec<String>,
}

fn tokens(text: &str, masked: &Masked) -> Tokens {
    let mut result = Tokens {
        free: prose_numbers(&masked.prose),
        fixed: vec![],
        glued: vec![],
    };
    result.free.retain(|range| {
        let before = masked.prose[..range.start].chars().next_back();
        let after = masked.prose[range.end..].chars().next();
        let letter =
            |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        if letter(before) || letter(after) {
            result.glued.push(format!(
                "{}（贴着字母，应当写进 tests/names.txt 或公式）",
                &text[range.clone()]
            ));
        }
        true
    });
    for formula in &masked.formulas {
        let verdict = formulas::classify(&text[formula.clone()]);
        let shift = |range: Range<usize>| {
            formula.start + range.start..formula.start + range.end
        };
        result.free.extend(verdict.free.into_iter().map(shift));
        let shift = |range: Range<usize>| {
            formula.start + range.start..formula.start + range.end
        };
        result.fixed.extend(verdict.fixed.into_iter().map(shift));
    }
    result.free.sort_by_key(|range| range.start);
    result
}

/// 文字里的数。贴在字母、数字或右括号之后的正负号是减号或加号，不算在内。
pub fn prose_numbers(text: &str) -> Vec<Range<usize>> {
    NUMBER
        .find_iter(text)
        .map(|found| {
            let mut start = found.start();
            let sign = found.as_str().chars().next().expect("非空");
            if !sign.is_ascii_digit() {
                let before = text[..start].chars().next_back();
                let binary = before.is_some_and(|c| {
                    c.is_ascii_alphanumeric() || matches!(c, ')' | ']' | '-' | '−')
                });
                if binary || sign == '+' {
                    start += sign.len_utf8();
                }
            }
            start..found.end()
        })
        .collect()
}

/// 一个数的统一写法：减号是 `-`，没有空格。
pub fn normal(token: &str) -> String {
    token.replace('−', "-").replace(' ', "")
}

/// 文字里全部的数，统一写法。
pub fn printed_numbers(output: &str) -> Vec<String> {
    prose_numbers(output)
        .into_iter()
        .filter(|range| {
            let before = output[..range.start].chars().next_back();
            !before.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        })
        .map(|range| normal(&output[range]))
        .collect()
}

/// 书上写的 `token` 是不是 `value` 舍入（半数取偶）到它的位数。
pub fn shows(token: &str, value: f64) -> bool {
    let token = normal(token);
    let (token, scale) = match token.chars().next_back() {
        Some('%') => (token.trim_end_matches('%'), 1e-2),
        Some('万') => (token.trim_end_matches('万'), 1e4),
        Some('亿') => (token.trim_end_matches('亿'), 1e8),
        _ => (token.as_str(), 1.0),
    };
    let (digits, exponent) = match token.split_once(['e', 'E']) {
        Some((digits, exponent)) => {
            (digits, exponent.parse::<i32>().unwrap_or(i32::MAX))
        }
        None => (token, 0),
    };
    if !value.is_finite() || exponent.abs() > 300 {
        return false;
    }
    let places = digits
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    // 除以十的负幂会多一次舍入；乘以正幂是精确的。
    let mut scaled = if exponent < 0 {
        value * 10f64.powi(-exponent)
    } else {
        value / 10f64.powi(exponent)
    };
    scaled = if scale < 1.0 {
        scaled * 100.0
    } else {
        scaled / scale
    };
    let text = format!("{scaled:.places$}");
    let zero = text
        .trim_start_matches('-')
        .chars()
        .all(|c| c == '0' || c == '.');
    let text = if zero {
        text.trim_start_matches('-').to_string()
    } else {
        text
    };
    text == digits
}

/// 这些数能不能依次在输出的数里找到。
fn in_order(wanted: &[String], printed: &[String]) -> bool {
    let mut rest = printed.iter();
    wanted.iter().all(|token| rest.any(|other| other == token))
}

/// 一个数的所有一位之差（含去掉负号）。
pub fn variants(token: &str) -> Vec<String> {
    let mut result = formulas::mutants(token);
    if let Some(rest) = token.strip_prefix('-') {
        result.push(rest.to_string());
    }
    result
}

static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("因此|所以|必须|总是|一定|不可能|只要|恰好|更好|更快|优于|衰减|外推")
        .expect("正则")
});

static NUMERALS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "[二三四五六七八九]十|十[三四五六七八九]|[一二两三四五六七八九几数][百千]|[二两三四五六七八九十百千几数]万|百分之|分之|[一二两三四五六七八九几]成[^为员]|[一二两三四五六七八九十百千万几数]倍|[½⅓¼¾²³¹⁰⁴⁵⁶⁷⁸⁹①-⑳]",
    )
    .expect("正则")
});

/// 粗体的词是正在定义的术语，不是论断。
fn is_term(sentence: &str, word: &regex::Match) -> bool {
    sentence[..word.start()].ends_with("**") && sentence[word.end()..].starts_with("**")
}

/// 检查一个小节。
pub fn check_section(section: &Section, context: &Context) -> Report {
    let text = &section.text;
    let mut report = Report::default();
    let plain = section.under("大白话");
    let exempt = plain
        || section.under("练习")
        || context.claims.proves(context.page, &section.id);
    let mut stream: Vec<Range<usize>> = Vec::new();
    let mut printed: Vec<String> = Vec::new();
    let mut has_output = false;
    let all = blocks(text, section.line);
    let mut open: Option<usize> = None; // 断言（covers 的下标），它还可以覆盖紧跟的表格
    for block in &all {
        let body = &text[block.start..block.end];
        let at =
            |range: &Range<usize>| block.start + range.start..block.start + range.end;
        let fault = |what: String| format!("第 {} 行：{what}", block.line);
        match &block.kind {
            Kind::Heading(..) => {
                let masked = mask(body);
                if !prose_numbers(&masked.prose).is_empty()
                    || !masked.formulas.is_empty()
                {
                    report
                        .faults
                        .push(fault(format!("标题里有数字或公式：{body}")));
                }
                open = None;
            }
            Kind::Fence(lang) => {
                if lang == "console" {
                    has_output = true;
                    let output = fence_body(text, block)
                        .split_once('\n')
                        .map_or("", |(_, rest)| rest);
                    printed.extend(printed_numbers(output));
                }
                open = None;
            }
            Kind::Display => {
                open = None;
                let formula = formulas::display_body(body);
                let from = block.start + body.find(formula).unwrap_or(0);
                let numbers = formulas::number_ranges(formula);
                let numbers = numbers
                    .into_iter()
                    .map(|range| from + range.start..from + range.end);
                if let Some(what) = formulas::check_display(formula) {
                    report.faults.push(fault(what));
                }
                if tex::has_letters(formula) {
                    report.settled.extend(numbers.map(|range| Settled {
                        range,
                        way: Way::Display,
                    }));
                } else {
                    stream.extend(numbers);
                }
            }
            Kind::Text | Kind::Row => {
                let masked = mask(body);
                let found = tokens(body, &masked);
                report.faults.extend(found.glued.into_iter().map(fault));
                report
                    .settled
                    .extend(found.fixed.iter().map(|range| Settled {
                        range: at(range),
                        way: Way::Formula,
                    }));
                for formula in &masked.formulas {
                    if let Some(what) = formulas::classify(&body[formula.clone()]).fault
                    {
                        report.faults.push(fault(what));
                    }
                }
                if !plain && let Some(numeral) = NUMERALS.find(&masked.prose) {
                    report
                        .faults
                        .push(fault(format!("“{}”要写成阿拉伯数字", numeral.as_str())));
                }
                let row = block.kind == Kind::Row;
                if !row {
                    open = None;
                }
                let mut pending: Vec<Range<usize>> = Vec::new();
                let mut quote_from = 0;
                let mut words: Vec<&str> = Vec::new();
                for sentence in sentences(&masked.prose, row) {
                    let inside =
                        |range: &&Range<usize>| sentence.contains(&range.start);
                    pending.extend(found.free.iter().filter(inside).map(&at));
                    words.extend(
                        WORDS
                            .find_iter(&masked.prose[sentence.clone()])
                            .filter(|word| {
                                !is_term(&masked.prose[sentence.clone()], word)
                            })
                            .map(|word| word.as_str()),
                    );
                    let marks: Vec<&String> = masked
                        .marks
                        .iter()
                        .filter(|(at, _)| sentence.contains(at))
                        .map(|(_, id)| id)
                        .collect();
                    if marks.len() > 1 {
                        report
                            .faults
                            .push(fault(format!("一句话里有 {} 个记号", marks.len())));
                    }
                    if let Some(label) = marks.first() {
                        report.covers.push(Cover {
                            id: format!("{}-{label}", context.page),
                            quote: body[quote_from..sentence.end].trim().to_string(),
                            with_table: false,
                            tokens: std::mem::take(&mut pending),
                        });
                        words.clear();
                        quote_from = sentence.end;
                        if !row {
                            open = Some(report.covers.len() - 1);
                        }
                    }
                }
                let rest = masked.prose[quote_from..].trim();
                if !rest.is_empty() || !pending.is_empty() || row {
                    match open {
                        Some(claim) if row && masked.marks.is_empty() => {
                            report.covers[claim].tokens.append(&mut pending);
                            report.covers[claim].with_table = true;
                            words.clear();
                        }
                        _ => {
                            if !row {
                                open = None;
                            }
                            stream.append(&mut pending);
                        }
                    }
                }
                if !exempt && let Some(word) = words.first() {
                    report
                        .faults
                        .push(fault(format!("有“{word}”的句子没有依据（记号或证明）")));
                }
            }
            Kind::Include | Kind::LinkDef | Kind::Other => {}
        }
    }
    settle_marks(section, context, &mut report);
    settle_outputs(section, &stream, &printed, has_output, &mut report);
    report
}

/// 句子的字节范围：到 。！？ 及其后的引号括号为止；表格的一行是一句。
fn sentences(prose: &str, row: bool) -> Vec<Range<usize>> {
    let mut result = Vec::new();
    let mut start = 0;
    if !row {
        let mut ended = false;
        for (at, c) in prose.char_indices() {
            match c {
                '。' | '！' | '？' => ended = true,
                '”' | '）' | '》' | '*' if ended => {}
                _ if ended => {
                    result.push(start..at);
                    (start, ended) = (at, false);
                }
                _ => {}
            }
        }
    }
    if start < prose.len() {
        result.push(start..prose.len());
    }
    result
}

fn settle_marks(section: &Section, context: &Context, report: &mut Report) {
    let text = &section.text;
    for cover in &report.covers {
        let shown: Vec<String> = cover
            .tokens
            .iter()
            .map(|range| normal(&text[range.clone()]))
            .collect();
        let Some(values) = context.claims.values(&cover.id) else {
            report.faults.push(format!("断言 {} 没有登记", cover.id));
            continue;
        };
        let equal = shown.len() == values.len()
            && shown
                .iter()
                .zip(values)
                .all(|(token, &value)| shows(token, value));
        if equal {
            let ways = cover.tokens.iter().map(|range| Settled {
                range: range.clone(),
                way: Way::Mark,
            });
            report.settled.extend(ways);
        } else {
            let values: Vec<String> =
                values.iter().map(|value| format!("{value}")).collect();
            report.faults.push(format!(
                "断言 {}：正文是 [{}]，程序是 [{}]（{}）",
                cover.id,
                shown.join(", "),
                values.join(", "),
                cover.quote
            ));
        }
    }
}

fn settle_outputs(
    section: &Section,
    stream: &[Range<usize>],
    printed: &[String],
    has_output: bool,
    report: &mut Report,
) {
    let shown: Vec<String> = stream
        .iter()
        .map(|range| normal(&section.text[range.clone()]))
        .collect();
    if shown.is_empty() {
        return;
    }
    let list = shown.join(", ");
    if !has_output {
        report.faults.push(format!(
            "小节“{}”没有程序，也没有记号，这些数没有落实：{list}",
            section.title
        ));
    } else if !in_order(&shown, printed) {
        let missing = (1..=shown.len())
            .find(|&n| !in_order(&shown[..n], printed))
            .unwrap_or(0);
        report.faults.push(format!(
            "小节“{}”的数没有依次出现在输出里：到“{}”为止（全部：{list}）",
            section.title,
            shown[missing - 1]
        ));
    } else {
        for (i, range) in stream.iter().enumerate() {
            let loose = variants(&shown[i]).into_iter().find(|variant| {
                let mut changed = shown.clone();
                changed[i] = variant.clone();
                in_order(&changed, printed)
            });
            match loose {
                Some(variant) => report.faults.push(format!(
                    "小节“{}”的第 {} 个数 {} 改成 {variant} 也能在输出里找到，需要记号",
                    section.title,
                    i + 1,
                    shown[i]
                )),
                None => report.settled.push(Settled {
                    range: range.clone(),
                    way: Way::Output,
                }),
            }
        }
    }
}

/// 检查一页，小节之间互不影响。
pub fn check_page(text: &str, context: &Context) -> Vec<(Section, Report)> {
    sections(text)
        .into_iter()
        .map(|section| {
            let report = check_section(&section, context);
            (section, report)
        })
        .collect()
}

#[test]
fn every_number_of_the_book_is_settled() {
    let book = crate::bless::ready();
    let mut settled = 0;
    let mut faults = Vec::new();
    for (page, text) in &book.pages {
        for (_, report) in check_page(text, &book.context(page)) {
            settled += report.settled.len();
            faults.extend(
                report
                    .faults
                    .into_iter()
                    .map(|fault| format!("src/{page}.md：{fault}")),
            );
        }
    }
    assert!(
        faults.is_empty(),
        "{} 处\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(settled > 300, "落实的数太少：{settled}");
}

#[cfg(test)]
fn faults_of(text: &str) -> Vec<String> {
    let claims = Claims::for_test(&[
        ("p-01", &[512.0, 0.05263]),
        ("p-02", &[1e-12]),
        ("p-03", &[1.0, 2.0, 0.85, -0.5]),
    ]);
    let context = Context {
        page: "p",
        claims: &claims,
    };
    check_page(text, &context)
        .into_iter()
        .flat_map(|(_, report)| report.faults)
        .collect()
}

#[test]
fn settled_numbers_are_accepted() {
    for good in [
        "# 甲 {#p}\n\n宽度是 512，差是 [0.0526][01]。\n",
        "# 甲 {#p}\n\n宽度 `d = 512`。差是 [0.053][01]。\n",
        "# 甲 {#p}\n\n误差 [小于 1e-12][02]。\n",
        "# 甲 {#p}\n\n见[下表][03]：\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n| 85% | -0.5 |\n",
        "# 甲 {#p}\n\n得到 0.25 和 −3.5。\n\n```console\n$ cargo run -q --bin x\nx0 0.25 [ -3.5]\n```\n",
        "# 甲 {#p}\n\nVaswani 2017 在 2017 年写的 arXiv:1706.03762，两列三步。\n",
        "# 大白话 {#p}\n\n走几千步，所以累。\n",
    ] {
        let faults = faults_of(good);
        assert!(faults.is_empty(), "{good}\n{faults:?}");
    }
}

#[test]
fn unsettled_numbers_are_refused() {
    for bad in [
        "# 甲 {#p}\n\n宽度是 512。\n",
        "# 甲 {#p}\n\n宽度是 513，差是 [0.0526][01]。\n",
        "# 甲 {#p}\n\n宽度是 512，差是 [-0.0526][01]。\n",
        "# 甲 {#p}\n\n宽度是 512，差是 [0.0527][01]。\n",
        "# 甲 {#p}\n\n差是 [0.0526][01]。宽度是 512。\n",
        "# 甲 {#p}\n\n差是 512 和 [0.0526][01]，还有 [1e-12][02]。\n",
        "# 甲 {#p}\n\n误差 [小于 1e-13][02]。\n",
        "# 甲 {#p}\n\n没有登记的[断言][77]。\n",
        "# 甲 {#p}\n\n见[下表][03]：\n\n| 甲 | 乙 |\n|---|---|\n| 1 | 2 |\n| 86% | -0.5 |\n",
        "# 甲 {#p}\n\n得到 0.25。\n\n```console\n$ cargo run -q --bin x\n0.26\n```\n",
        "# 甲 {#p}\n\n得到 2 和 1。\n\n```console\n$ cargo run -q --bin x\n1 2\n```\n",
        "# 甲 {#p}\n\n得到 2。\n\n```console\n$ cargo run -q --bin x\n1 2\n```\n",
        "# 甲 {#p}\n\n得到 -2.5。\n\n```console\n$ cargo run -q --bin x\n-2.5 2.5\n```\n",
        "# 甲 {#p}\n\n宽 4d。\n",
        "# 甲 3 {#p}\n\n字。\n",
        "# 甲 {#p}\n\n参数变成四倍。\n",
        "# 甲 {#p}\n\n百分之三。\n",
        "# 甲 {#p}\n\n所以它成立。\n",
        "# 甲 {#p}\n\n取 $d = 512$。\n",
        "# 甲 {#p}\n\n$$0.5 \\times 0.5 = 0.25$$\n",
    ] {
        assert!(!faults_of(bad).is_empty(), "{bad}");
    }
}

#[test]
fn rounding_is_half_to_even_on_the_full_value() {
    assert!(shows("0.12", 0.125) && !shows("0.13", 0.125) && shows("0.38", 0.375));
    assert!(
        shows("20.4%", 0.2042)
            && shows("315万", 3_145_728.0)
            && shows("3.1 万", 31_000.0)
    );
    assert!(
        shows("6.03e-5", 6.0288e-5) && shows("−0.5", -0.5) && shows("0.000", -1e-9)
    );
    assert!(!shows("-0.5", 0.5) && !shows("0.5", f64::NAN) && !shows("1", 2.0));
}
