//! 公式的检查：独立公式与代码里的 `EQ_` 常量逐字相同；行内公式是一个记号、
//! “记号 = 数”、没有字母的算式，或者某条 `EQ_` 公式的一段。

use crate::source::{
    Block, Kind, blocks, read, root, rust_files, sections, written_pages,
};
use crate::tex;
use regex::Regex;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, Mutex};

/// 一条写在代码里的公式。
#[derive(Debug, Clone)]
pub struct Equation {
    pub name: String,
    pub tex: String,
    pub toks: Vec<String>,
}

/// 代码里全部的 `pub const EQ_…: &str = r"…";`。
pub fn equations_in(source: &str) -> Vec<Equation> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r##"pub const (EQ_[A-Z0-9_]+): &str =\s*r#*"([^"]*)"#*;"##)
            .expect("正则")
    });
    PATTERN
        .captures_iter(source)
        .map(|found| Equation {
            name: found[1].to_string(),
            tex: found[2].to_string(),
            toks: tex::texts(&found[2]),
        })
        .collect()
}

/// 库里全部的公式。
pub static EQUATIONS: LazyLock<Vec<Equation>> = LazyLock::new(|| {
    rust_files("listings/src")
        .iter()
        .flat_map(|path| equations_in(&std::fs::read_to_string(path).expect("源文件")))
        .collect()
});

/// 一个行内公式的判定。
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inline {
    /// 不合规则的原因。
    pub fault: Option<String>,
    /// 要像正文的数字一样落实的数（公式内的字节范围）。
    pub free: Vec<Range<usize>>,
    /// 由 `EQ_` 公式落实的数。
    pub fixed: Vec<Range<usize>>,
}

/// 判定一个行内公式。结果按公式文字缓存。
pub fn classify(formula: &str) -> Inline {
    static CACHE: LazyLock<Mutex<HashMap<String, Inline>>> =
        LazyLock::new(Default::default);
    if let Some(found) = CACHE.lock().expect("缓存").get(formula) {
        return found.clone();
    }
    let result = judge(formula, &EQUATIONS);
    CACHE
        .lock()
        .expect("缓存")
        .insert(formula.to_string(), result.clone());
    result
}

fn judge(formula: &str, equations: &[Equation]) -> Inline {
    let toks = tex::tokenize(formula);
    let texts: Vec<String> = toks.iter().map(|tok| tok.text.clone()).collect();
    let numbers = number_ranges(formula);
    if !tex::has_letters(formula) {
        let fault = tex::check_numeric(formula).err();
        return Inline {
            fault,
            free: numbers,
            fixed: vec![],
        };
    }
    if symbol(&texts) == Some(texts.len()) {
        return Inline::default();
    }
    if let Some(used) = symbol(&texts)
        && let Some(relation) = texts.get(used)
        && matches!(
            relation.as_str(),
            "=" | "\\approx" | "<" | ">" | "\\le" | "\\ge"
        )
    {
        let rest = &formula[toks[used].end..];
        if !rest.trim().is_empty() && !tex::has_letters(rest) {
            return Inline {
                fault: tex::check_numeric(rest).err(),
                free: numbers,
                fixed: vec![],
            };
        }
    }
    let piece =
        |texts: &[String]| equations.iter().any(|eq| tex::contains(&eq.toks, texts));
    if !piece(&texts) {
        let fault = Some(format!("行内公式 ${formula}$ 不是任何 EQ_ 公式的一段"));
        return Inline {
            fault,
            free: numbers,
            fixed: vec![],
        };
    }
    let mut result = Inline::default();
    for range in numbers {
        let index = toks
            .iter()
            .position(|tok| tok.end == range.end)
            .expect("数是记号");
        let ambiguous = mutants(&texts[index]).into_iter().any(|mutant| {
            let mut changed = texts.clone();
            changed[index] = mutant;
            piece(&changed)
        });
        if ambiguous {
            result.free.push(range)
        } else {
            result.fixed.push(range)
        }
    }
    result
}

/// 一个数的每一位换成另外九个数字。
pub fn mutants(number: &str) -> Vec<String> {
    let mut result = Vec::new();
    for (at, old) in number.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        for new in ('0'..='9').filter(|&new| new != old) {
            let mut changed = number.to_string();
            changed.replace_range(at..at + 1, &new.to_string());
            result.push(changed);
        }
    }
    result
}

/// 公式里的数：紧挨着的负号（不是减号）算在内。
pub fn number_ranges(formula: &str) -> Vec<Range<usize>> {
    let toks = tex::tokenize(formula);
    let mut result = Vec::new();
    for (i, tok) in toks.iter().enumerate() {
        if !tok.text.as_bytes()[0].is_ascii_digit() {
            continue;
        }
        let mut start = tok.start;
        if i > 0
            && matches!(toks[i - 1].text.as_str(), "-" | "−")
            && toks[i - 1].end == start
        {
            let unary = i == 1
                || matches!(
                    toks[i - 2].text.as_str(),
                    "=" | "("
                        | "{"
                        | "["
                        | ","
                        | "\\approx"
                        | "\\times"
                        | "\\cdot"
                        | "<"
                        | ">"
                        | "+"
                        | "\\le"
                        | "\\ge"
                        | "/"
                        | "&"
                );
            if unary {
                start = toks[i - 1].start;
            }
        }
        result.push(start..tok.end);
    }
    result
}

/// 开头的一个记号占几个 TeX 记号：字母或命令，带没有数字的上下标，可以包在竖线里。
fn symbol(toks: &[String]) -> Option<usize> {
    const NOT_SYMBOLS: [&str; 14] = [
        "\\sin", "\\cos", "\\frac", "\\sum", "\\sqrt", "\\ln", "\\exp", "\\times",
        "\\cdot", "\\top", "\\approx", "\\le", "\\ge", "\\max",
    ];
    const STYLES: [&str; 8] = [
        "\\mathbf",
        "\\mathbb",
        "\\mathrm",
        "\\mathcal",
        "\\boldsymbol",
        "\\operatorname",
        "\\hat",
        "\\bar",
    ];
    let first = toks.first()?;
    if matches!(first.as_str(), "\\lvert" | "\\lVert") {
        let inner = symbol(&toks[1..])?;
        let close = toks.get(1 + inner)?;
        return matches!(close.as_str(), "\\rvert" | "\\rVert").then_some(inner + 2);
    }
    let mut at = 0;
    if STYLES.contains(&first.as_str()) {
        at += 1;
        at += group(&toks[at..])?;
    } else if first.starts_with('\\')
        && first.len() > 2
        && !NOT_SYMBOLS.contains(&first.as_str())
        || first.chars().all(char::is_alphabetic)
    {
        at += 1;
    } else {
        return None;
    }
    while let Some(mark) = toks.get(at) {
        match mark.as_str() {
            "'" => at += 1,
            "_" | "^" => at += 1 + group(&toks[at + 1..])?,
            _ => break,
        }
    }
    Some(at)
}

/// 一个记号或一组花括号，里面没有数字。
fn group(toks: &[String]) -> Option<usize> {
    if toks.first()? != "{" {
        return (!toks[0].as_bytes()[0].is_ascii_digit()).then_some(1);
    }
    let mut depth = 0;
    for (i, tok) in toks.iter().enumerate() {
        match tok.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ if tok.as_bytes()[0].is_ascii_digit() => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

/// 独立公式的检查：有字母的逐字等于一条 `EQ_`，没有字母的等式成立。
pub fn check_display(formula: &str) -> Option<String> {
    if !tex::has_letters(formula) {
        return tex::check_numeric(formula).err();
    }
    (!EQUATIONS.iter().any(|eq| eq.tex == formula))
        .then(|| format!("独立公式在代码里没有同样的 EQ_ 常量：{formula}"))
}

/// 独立公式的内容，去掉引文的前缀和两边的 `$$`。
pub fn display_body(line: &str) -> &str {
    let line = line.trim().trim_start_matches("> ").trim();
    line.strip_prefix("$$")
        .and_then(|rest| rest.strip_suffix("$$"))
        .unwrap_or(line)
        .trim()
}

/// 公式源码的写法（MathML 让 TeX 再过一遍 Markdown，这些写法会坏）。
pub fn check_source(formula: &str) -> Vec<String> {
    static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        [
            (r"[}\)\]|]_[^ ]", "`}` `)` `]` 之后的下划线后面要有空格"),
            (r"\*", "星号写成 \\ast"),
            (r"~|\\tilde", "不用 ~ 和 \\tilde"),
            (r"\|", "竖线写成 \\lvert \\rvert \\lVert \\rVert"),
            (r"\]\(", "`]` 和 `(` 之间要有空格"),
            (r"(?:^|[^\\])%", "百分号写成 \\%"),
            (r"\n", "公式写在一行里"),
        ]
        .into_iter()
        .map(|(pattern, rule)| (Regex::new(pattern).expect("正则"), rule))
        .collect()
    });
    RULES
        .iter()
        .filter(|(pattern, _)| pattern.is_match(formula))
        .map(|(_, rule)| format!("公式 {formula}：{rule}"))
        .collect()
}

/// 一行里的行内公式（`$` 之间）的字节范围，不看代码段，`\$` 不算。
pub fn inline_ranges(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let (mut result, mut open, mut in_code, mut at) = (Vec::new(), None, false, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if open.is_none() => at += 1,
            b'`' if open.is_none() => in_code = !in_code,
            b'$' if !in_code => match open.take() {
                None => open = Some(at + 1),
                Some(start) => result.push(start..at),
            },
            _ => {}
        }
        at += 1;
    }
    result
}

/// 一页的公式检查。
pub fn check_page(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for section in sections(text) {
        for block in blocks(&section.text, section.line) {
            let body = &section.text[block.start..block.end];
            let Block { line, .. } = block;
            let found: Vec<String> = match block.kind {
                Kind::Display => {
                    let formula = display_body(body);
                    check_display(formula)
                        .into_iter()
                        .chain(check_source(formula))
                        .collect()
                }
                Kind::Text | Kind::Row | Kind::Heading(..) => inline_ranges(body)
                    .into_iter()
                    .flat_map(|range| {
                        let formula = &body[range];
                        classify(formula)
                            .fault
                            .into_iter()
                            .chain(check_source(formula))
                    })
                    .chain(
                        (body.matches("$$").count() > 0)
                            .then(|| "独立公式要单独占一行".to_string()),
                    )
                    .collect(),
                _ => vec![],
            };
            faults.extend(
                found
                    .into_iter()
                    .map(|fault| format!("第 {line} 行：{fault}")),
            );
        }
    }
    faults
}

#[test]
fn every_formula_of_the_book_is_in_the_code() {
    crate::bless::ready();
    let mut displays = 0;
    for page in written_pages() {
        let text = read(&format!("src/{page}.md"));
        let faults = check_page(&text);
        assert!(faults.is_empty(), "src/{page}.md\n{}", faults.join("\n"));
        displays += text
            .lines()
            .filter(|line| line.trim().starts_with("$$"))
            .count();
    }
    assert!(displays >= 10, "独立公式太少：{displays}");
}

#[test]
fn every_equation_is_shown_and_named_once() {
    let pages: String = written_pages()
        .iter()
        .map(|page| read(&format!("src/{page}.md")))
        .collect();
    let mut faults = Vec::new();
    for (i, equation) in EQUATIONS.iter().enumerate() {
        if !pages.contains(&format!("$${}$$", equation.tex)) {
            faults.push(format!("{} 没有在书中出现", equation.name));
        }
        if EQUATIONS[..i]
            .iter()
            .any(|other| other.tex == equation.tex || other.name == equation.name)
        {
            faults.push(format!("{} 重复", equation.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(!EQUATIONS.is_empty() && root().exists());
}

#[test]
fn wrong_formulas_are_refused() {
    let equations = equations_in(
        "pub const EQ_A: &str = r\"p_{n,2i} = \\sin(n\\,\\theta_i)\";\npub const EQ_B: &str =\n    r\"\\theta_0 + \\theta_1 + n-m\";",
    );
    assert_eq!(equations.len(), 2);
    let fault = |formula: &str| judge(formula, &equations).fault.is_some();
    for good in [
        r"\theta_i",
        r"d_h",
        r"\mathbf q_m",
        r"d = 512",
        r"p_{n,2i}",
        r"\sin(n \theta_i)",
        r"n-m",
        r"\lvert\Delta\rvert",
        r"2 \times 3 = 6",
    ] {
        assert!(!fault(good), "{good}");
    }
    for bad in [
        r"n+m",
        r"p_{n,3i}",
        r"\theta_2",
        r"\cos(n \theta_i)",
        r"2 \times 3 = 7",
        r"x+y",
        r"d = e",
    ] {
        assert!(fault(bad), "{bad}");
    }
    assert_eq!(judge(r"p_{n,2i}", &equations).fixed, vec![5..6]);
    assert_eq!(
        judge(r"\theta_0", &equations).free,
        vec![7..8],
        "有近邻的数要另外落实"
    );
    assert_eq!(judge(r"d = -0.5", &equations).free, vec![4..8]);
    for bad in [
        r"\mathbf{q}_m",
        r"a*b",
        r"\tilde x",
        r"|x|",
        r"[a](b)",
        "50%",
        "a~b",
    ] {
        assert!(!check_source(bad).is_empty(), "{bad}");
    }
    assert!(check_source(r"50\%").is_empty());
    let fault = check_page("# 甲 {#a}\n\n$$\\nonsense$$\n\n字 $$x$$ 字\n");
    assert_eq!(fault.len(), 2, "{fault:?}");
}
