//! 讲稿的八十二条说法各有着落；术语表完整，两头有链接；中英文成对；参考文献的编号与年份相合。

use crate::source::{is_generated, read, root, sections, summary_pages};
use regex::Regex;
use std::sync::LazyLock;

/// 讲稿说法的判定。
const VERDICTS: [&str; 4] = ["对", "不准确", "错", "没有证据"];

/// 一页里全部的编号：标题的和标签的。
fn anchors(text: &str) -> Vec<String> {
    static IDS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"\{#([a-z0-9-]+)\}|\bid="([A-Za-z0-9_-]+)""#).expect("正则")
    });
    IDS.captures_iter(text)
        .filter_map(|found| found.get(1).or(found.get(2)))
        .map(|id| id.as_str().to_string())
        .collect()
}

/// 说法一览表的检查；`page` 给出一页的全文。
fn check_claims(
    csv: &str,
    total: usize,
    page: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<csv::StringRecord> =
        reader.records().filter_map(Result::ok).collect();
    if rows.len() != total {
        faults.push(format!("有 {} 行，应当是 {total} 行", rows.len()));
    }
    for (i, row) in rows.iter().enumerate() {
        let [number, verdict, name, anchor] =
            std::array::from_fn(|k| row.get(k).unwrap_or(""));
        if number != (i + 1).to_string() {
            faults.push(format!("第 {} 行的编号是 {number}", i + 1));
        }
        if !VERDICTS.contains(&verdict) {
            faults.push(format!("{number}：判定“{verdict}”不在 {VERDICTS:?} 里"));
        }
        match page(name) {
            None => faults.push(format!("{number}：没有 {name} 这一页")),
            Some(text) if !anchors(&text).iter().any(|id| id == anchor) => {
                faults.push(format!("{number}：{name} 里没有 {anchor}"));
            }
            Some(_) => {}
        }
    }
    faults
}

/// 术语表的一条：编号、中文、英文、定义处。
#[derive(Debug, PartialEq)]
struct Term {
    id: String,
    chinese: String,
    english: String,
    page: String,
    anchor: String,
}

/// 一行 `- <a id="glossary-…"></a>**词元** （token，$n$）：……[定义](page.md#anchor)`。
fn term(line: &str) -> Option<Term> {
    static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^- <a id="(glossary-[a-z0-9-]+)"></a>\*\*([^*]+)\*\* （([A-Za-z][^，）]*)(?:，[^）]*)?）：(.+)。\[定义\]\(([a-z]+)\.md#([a-z0-9-]+)\)$"#).expect("正则")
    });
    let found = ENTRY.captures(line)?;
    (found[4].chars().count() >= 8).then(|| Term {
        id: found[1].into(),
        chinese: found[2].into(),
        english: found[3].into(),
        page: found[5].into(),
        anchor: found[6].into(),
    })
}

/// 术语表的检查：格式、不重复、定义处存在且链回来、别处用到。
fn check_glossary(glossary: &str, pages: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen: Vec<Term> = Vec::new();
    for line in glossary.lines().filter(|line| line.starts_with("- ")) {
        let Some(term) = term(line) else {
            faults.push(format!("格式不对：{line}"));
            continue;
        };
        if seen.iter().any(|other| {
            other.id == term.id
                || other.chinese == term.chinese
                || other.english == term.english
        }) {
            faults.push(format!("{} 重复", term.chinese));
        }
        match pages.iter().find(|(page, _)| *page == term.page) {
            None => faults.push(format!("{}：没有 {} 这一页", term.chinese, term.page)),
            Some((_, text)) => {
                if !anchors(text).contains(&term.anchor) {
                    faults.push(format!(
                        "{}：{} 里没有 {}",
                        term.chinese, term.page, term.anchor
                    ));
                }
                if !text.contains(&format!("(glossary.md#{})", term.id)) {
                    faults.push(format!(
                        "{}：{} 没有链接到术语表",
                        term.chinese, term.page
                    ));
                }
                let place = sections(text)
                    .into_iter()
                    .find(|section| section.id == term.anchor)
                    .map_or_else(|| text.clone(), |section| section.text);
                if !place.contains(&term.chinese) {
                    faults.push(format!(
                        "{}：{} 里没有这个词",
                        term.chinese, term.anchor
                    ));
                }
            }
        }
        seen.push(term);
    }
    faults
}

/// “中文（英文）”成对：英文是术语表里的，前面就要是它的中文。
fn check_pairs(text: &str, terms: &[Term]) -> Vec<String> {
    static PAIR: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"([\u{4e00}-\u{9fff}]+)\**(?:\]\(glossary\.md#[a-z-]+\))?（([A-Za-z][A-Za-z -]*)[），]")
            .expect("正则")
    });
    let rows = text.lines().filter(|line| !line.starts_with('|'));
    rows.flat_map(|line| PAIR.captures_iter(line))
        .filter(|found| {
            terms.iter().any(|term| {
                term.english.eq_ignore_ascii_case(&found[2])
                    && !found[1].ends_with(&term.chinese)
            })
        })
        .map(|found| format!("“{}”与“{}”不是一对", &found[1], &found[2]))
        .collect()
}

/// 参考文献：文字里的 arXiv 编号与链接相同，编号的年份就是写着的年份。
fn check_years(text: &str) -> Vec<String> {
    static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(\d{4}) 年，\[arXiv:((\d\d)\d\d\.\d{5}v\d)\]\(https://arxiv\.org/abs/([^)]*)\)")
            .expect("正则")
    });
    let mut faults = Vec::new();
    for line in text.lines().filter(|line| line.contains("id=\"ref-")) {
        match ENTRY.captures(line) {
            Some(found) if found[2] != found[4] => {
                faults.push(format!("{} 的链接是 {}", &found[2], &found[4]));
            }
            Some(found) if found[1] != format!("20{}", &found[3]) => {
                faults.push(format!("{} 写成了 {} 年", &found[2], &found[1]));
            }
            None if !line.contains("没有 arXiv 编号") => {
                faults.push(format!("格式不对：{line}"));
            }
            _ => {}
        }
    }
    faults
}

fn all_pages() -> Vec<(String, String)> {
    summary_pages(&read("src/SUMMARY.md"))
        .into_iter()
        .filter(|page| !is_generated(page))
        .map(|page| (page.clone(), read(&format!("src/{page}.md"))))
        .collect()
}

#[test]
fn every_claim_of_the_lesson_has_its_place() {
    let pages = all_pages();
    let page = |name: &str| {
        pages
            .iter()
            .find(|(page, _)| page == name)
            .map(|(_, text)| text.clone())
    };
    let faults = check_claims(&read("tests/lesson_claims.csv"), 82, page);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_glossary_is_complete_and_linked() {
    let glossary = read("src/glossary.md");
    let faults = check_glossary(&glossary, &all_pages());
    assert!(
        faults.is_empty(),
        "{} 处\n{}",
        faults.len(),
        faults.join("\n")
    );
    let terms = glossary.lines().filter(|line| term(line).is_some()).count();
    assert!(terms >= 60, "术语只有 {terms} 条");
    assert!(root().join("src/glossary.md").exists());
}

#[test]
fn chinese_and_english_go_together() {
    let glossary = read("src/glossary.md");
    let terms: Vec<Term> = glossary.lines().filter_map(term).collect();
    for (page, text) in all_pages() {
        let faults = check_pairs(&text, &terms);
        assert!(faults.is_empty(), "src/{page}.md\n{}", faults.join("\n"));
    }
    for good in [
        "这叫等变（equivariant）",
        "[**等变**](glossary.md#x)（equivariant）",
    ] {
        assert!(check_pairs(good, &terms).is_empty(), "{good}");
        let bad = good.replace("等变", "不变");
        assert_eq!(check_pairs(&bad, &terms).len(), 1, "{bad}");
    }
}

#[test]
fn references_agree_with_their_numbers() {
    let references = read("src/references.md");
    assert_eq!(check_years(&references), [] as [&str; 0]);
    let entries = references.matches("id=\"ref-").count();
    assert!(entries > 30, "只有 {entries} 条");
    for (from, to) in [
        ("[arXiv:1706.03762v7]", "[arXiv:1706.03726v7]"),
        ("2021 年，[arXiv:2104", "2020 年，[arXiv:2104"),
        ("2021 年，[arXiv:2104", "2021 年[arXiv:2104"),
    ] {
        assert_eq!(references.matches(from).count(), 1, "{from}");
        assert_eq!(check_years(&references.replace(from, to)).len(), 1, "{to}");
    }
}

#[test]
fn broken_tables_are_refused() {
    let page =
        |name: &str| (name == "a").then(|| "# 甲 {#a}\n<a id=\"a-x\"></a>".to_string());
    assert!(
        check_claims("claim,verdict,page,anchor\n1,对,a,a-x\n2,错,a,a\n", 2, page)
            .is_empty()
    );
    for bad in [
        "1,对,a,a-y\n2,错,a,a\n",
        "1,对,b,a\n2,错,a,a\n",
        "1,好,a,a\n2,错,a,a\n",
        "1,对,a,a\n",
        "2,对,a,a\n1,错,a,a\n",
    ] {
        assert!(
            !check_claims(&format!("claim,verdict,page,anchor\n{bad}"), 2, page)
                .is_empty(),
            "{bad}"
        );
    }
    let good = "- <a id=\"glossary-token\"></a>**词元** （token，$n$）：模型读到的最小的单位。[定义](a.md#a-x)";
    let pages = vec![(
        "a".to_string(),
        "# 甲 {#a}\n<a id=\"a-x\"></a>[词元](glossary.md#glossary-token)".to_string(),
    )];
    assert_eq!(check_glossary(good, &pages), Vec::<String>::new());
    for bad in [
        good.replace("a.md", "b.md"),
        good.replace("#a-x", "#a-y"),
        good.replace("glossary-token", "glossary-other"),
        good.replace("词元", "词汇"),
        good.replace("（token，$n$）", ""),
        format!("{good}\n{good}"),
    ] {
        assert!(!check_glossary(&bad, &pages).is_empty(), "{bad}");
    }
}
