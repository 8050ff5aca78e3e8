//! 自测页：每一问恰有一项对，其余各项原样抄自勘误页，各自链到那一条和对的说法；
//! 对的那项不能靠长短猜出来。

use crate::bless::ready;
use crate::source::{heading_title, read, sections};
use posenc::print::display_width;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// 一个选项：标签、文字、答案。
#[derive(Debug, PartialEq)]
struct Choice {
    label: String,
    words: String,
    answer: String,
}

/// 一问里的各项。
fn choices(section: &str) -> Vec<Choice> {
    static ITEM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?m)^<details><summary>(.)：([^<\n]+)</summary>\n\n([^\n]+)\n\n</details>$",
        )
        .expect("正则")
    });
    ITEM.captures_iter(section)
        .map(|item| Choice {
            label: item[1].into(),
            words: item[2].into(),
            answer: item[3].into(),
        })
        .collect()
}

/// 勘误页的各条：编号与引号里的话。
fn wrong_sentences(errata: &str) -> BTreeMap<String, String> {
    sections(errata)
        .into_iter()
        .filter_map(|section| {
            let title = heading_title(section.text.lines().next()?).to_string();
            let words = title.strip_prefix('“')?.strip_suffix('”')?;
            Some((section.id, words.to_string()))
        })
        .collect()
}

/// 这一行是不是一个选项，而且原样抄自勘误页；抄来的错话不守用词的规矩。
pub fn quotes_errata(line: &str) -> bool {
    static WRONG: LazyLock<Vec<String>> = LazyLock::new(|| {
        wrong_sentences(&read("src/errata.md"))
            .into_values()
            .map(|words| format!("：{words}</summary>"))
            .collect()
    });
    line.starts_with("<details><summary>")
        && WRONG.iter().any(|words| line.ends_with(words.as_str()))
}

/// 答案里的链接：页与小节。
fn links(answer: &str) -> Vec<&str> {
    answer
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

/// 自测页的毛病，以及有几问。
fn check(selftest: &str, errata: &str) -> (usize, Vec<String>) {
    let known = wrong_sentences(errata);
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    let mut places = BTreeSet::new();
    let mut longest = Vec::new();
    let mut count = 0;
    for section in sections(selftest) {
        let mut fault =
            |what: String| faults.push(format!("“{}”：{what}", section.title));
        let found = choices(&section.text);
        if found.len() != section.text.matches("<details").count() {
            fault("有一项写得不合格式".into());
        }
        if found.is_empty() {
            if section.text.contains('？') {
                fault("问了，没有选项".into());
            }
            continue;
        }
        count += 1;
        let question = section.text.lines().nth(2).unwrap_or("");
        if !question.ends_with('？') {
            fault("没有问".into());
        }
        let labels: Vec<&str> = found.iter().map(|one| one.label.as_str()).collect();
        let order = ["甲", "乙", "丙", "丁"];
        if labels.len() < 3 || order.get(..labels.len()) != Some(&labels[..]) {
            fault(format!("选项是 {labels:?}"));
        }
        let mut right = Vec::new();
        for (place, one) in found.iter().enumerate() {
            let targets = links(&one.answer);
            let elsewhere = targets.iter().any(|to| !to.starts_with("errata.md"));
            if !elsewhere {
                fault(format!("{} 没有链到对的说法", one.label));
            }
            if one.answer.starts_with("**对**。") {
                right.push(place);
                if known.values().any(|words| *words == one.words) {
                    fault(format!("{} 是勘误页的错话，却说它对", one.label));
                }
            } else if one.answer.starts_with("**不对**。") {
                let id = known.iter().find(|(_, words)| **words == one.words);
                let Some((id, _)) = id else {
                    fault(format!("{} 不是勘误页的原话：{}", one.label, one.words));
                    continue;
                };
                if targets.first() != Some(&format!("errata.md#{id}").as_str()) {
                    fault(format!("{} 没有先链到 {id}", one.label));
                }
                if !used.insert(id) {
                    fault(format!("{id} 已经用过"));
                }
            } else {
                fault(format!("{} 没有说对不对", one.label));
            }
        }
        if let [place] = right[..] {
            places.insert(place);
            let mut widths: Vec<usize> =
                found.iter().map(|one| display_width(&one.words)).collect();
            let width = widths.swap_remove(place);
            if widths.iter().all(|&other| other < width) {
                longest.push(section.title.clone());
            }
        } else {
            fault(format!("对的有 {} 项", right.len()));
        }
    }
    if places.len() < 3 {
        faults.push(format!("对的那项只在 {} 个位置上", places.len()));
    }
    if longest.len() * 3 > count {
        faults.push(format!("{count} 问里对的那项最长的太多：{longest:?}"));
    }
    (count, faults)
}

#[test]
fn every_question_has_one_right_answer() {
    ready();
    let (count, faults) = check(&read("src/selftest.md"), &read("src/errata.md"));
    assert_eq!(faults, [""; 0]);
    println!("自测：{count} 问");
    assert!((12..=16).contains(&count), "有 {count} 问");
}

const ERRATA: &str = "# 勘误 {#errata}\n\n### “一” {#errata-a}\n\n文。\n\n### “二” {#errata-b}\n\n文。\n";

/// 一问：对的一项放在 `place`，两项错的用给定的两条。
fn question(place: usize, wrong: [(&str, &str); 2]) -> String {
    let mut answers: Vec<(String, String)> = wrong
        .iter()
        .map(|(id, words)| {
            let answer =
                format!("**不对**。[错](errata.md#errata-{id})，[对](a.md#a)。");
            ((*words).to_string(), answer)
        })
        .collect();
    answers.insert(place, ("三".into(), "**对**。[看](a.md#a)。".into()));
    let mut text = format!("## 问 {{#selftest-{place}}}\n\n哪一句？\n\n");
    for (label, (words, answer)) in ["甲", "乙", "丙"].iter().zip(&answers) {
        text.push_str(&format!(
            "<details><summary>{label}：{words}</summary>\n\n{answer}\n\n</details>\n\n"
        ));
    }
    text
}

#[test]
fn a_broken_question_is_refused() {
    let good = question(1, [("a", "一"), ("b", "二")]);
    let faults = |text: &str| check(text, ERRATA).1;
    // 只有一问，对的只在一个位置上：除此之外没有毛病。
    assert_eq!(faults(&good), ["对的那项只在 1 个位置上"]);
    for (from, to, hint) in [
        ("**对**。", "**不对**。", "不是勘误页的原话"),
        ("**不对**。", "**对**。", "对的有 3 项"),
        ("**不对**。", "", "没有说对不对"),
        ("乙：三", "乙：一", "却说它对"),
        ("甲：一", "甲：一二", "不是勘误页的原话：一二"),
        ("乙：三", "乙：三三", "1 问里对的那项最长的太多"),
        ("甲：", "丁：", "选项是"),
        ("errata-a", "errata-b", "没有先链到 errata-a"),
        ("，[对](a.md#a)", "", "没有链到对的说法"),
        ("[看](a.md#a)", "看", "没有链到对的说法"),
        ("哪一句？", "哪一句。", "没有问"),
        ("</summary>\n\n", "</summary>\n", "不合格式"),
    ] {
        let found = faults(&good.replace(from, to));
        assert!(
            found.iter().any(|fault| fault.contains(hint)),
            "{from} 改成 {to}，没有报告“{hint}”：{found:?}"
        );
    }
    let twice = good.clone() + &question(0, [("a", "一"), ("b", "二")]);
    assert!(
        faults(&twice)
            .iter()
            .any(|fault| fault.contains("已经用过"))
    );
    let two = good.split("<details><summary>丙").next().expect("前两项");
    assert!(faults(two).iter().any(|fault| fault.contains("选项是")));
    assert!(quotes_errata(
        "<details><summary>甲：自注意力对排列不变</summary>"
    ));
    for other in [
        "<details><summary>甲：自注意力对排列不变的</summary>",
        "甲：自注意力对排列不变</summary>",
    ] {
        assert!(!quotes_errata(other), "{other}");
    }
    let none = "## 问 {#selftest-x}\n\n哪一句？\n";
    assert!(faults(none).iter().any(|fault| fault.contains("没有选项")));
}
