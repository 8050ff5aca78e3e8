//! 变异：把书里每个落实了的数的每一位改一次，每个负号去掉一次，检查必须全部发现。

use crate::bless::Book;
use crate::numbers::{Way, check_section};
use crate::source::{Section, sections};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// 一个小节的结果：各途径的数，变异的总数，没被发现的变异。
#[derive(Debug, Default)]
struct Outcome {
    ways: BTreeMap<&'static str, usize>,
    tried: usize,
    missed: Vec<String>,
}

fn mutate_section(section: &Section, book: &Book, page: &str) -> Outcome {
    let context = book.context(page);
    let mut outcome = Outcome::default();
    let report = check_section(section, &context);
    for settled in &report.settled {
        let way = match settled.way {
            Way::Mark => "断言",
            Way::Output => "输出",
            Way::Formula => "公式片段",
            Way::Display => "独立公式",
        };
        *outcome.ways.entry(way).or_default() += 1;
        let token = &section.text[settled.range.clone()];
        for (at, changed) in changes(token) {
            let mut text = section.text.clone();
            text.replace_range(settled.range.clone(), &changed);
            let mutant = Section {
                text,
                ..section.clone()
            };
            outcome.tried += 1;
            if check_section(&mutant, &context).faults.is_empty() {
                outcome.missed.push(format!(
                    "src/{page}.md“{}”：{token} 改成 {changed}（第 {at} 个字符）没有被发现",
                    section.title
                ));
            }
        }
    }
    outcome
}

/// 每一位数字换一个，每个负号去掉。
fn changes(token: &str) -> Vec<(usize, String)> {
    let mut result = Vec::new();
    for (at, c) in token.char_indices() {
        let mut changed = token.to_string();
        if let Some(digit) = c.to_digit(10) {
            let other = char::from_digit((digit + 1 + at as u32 % 8) % 10, 10)
                .expect("一位数字");
            changed.replace_range(at..at + 1, &other.to_string());
        } else if matches!(c, '-' | '−') {
            changed.replace_range(at..at + c.len_utf8(), "");
        } else {
            continue;
        }
        result.push((at, changed));
    }
    result
}

#[test]
fn every_changed_digit_is_noticed() {
    let book = crate::bless::ready();
    let work: Vec<(&str, Section)> = book
        .pages
        .iter()
        .flat_map(|(page, text)| {
            sections(text)
                .into_iter()
                .map(move |section| (page.as_str(), section))
        })
        .collect();
    let queue = Mutex::new(work.iter());
    let total = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((page, section)) = queue.lock().expect("队列").next()
                    else {
                        break;
                    };
                    let outcome = mutate_section(section, book, page);
                    let mut total = total.lock().expect("合计");
                    total.tried += outcome.tried;
                    total.missed.extend(outcome.missed);
                    for (way, count) in outcome.ways {
                        *total.ways.entry(way).or_default() += count;
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("合计");
    println!(
        "落实的数：{:?}；变异 {} 个，发现 {} 个",
        total.ways,
        total.tried,
        total.tried - total.missed.len()
    );
    assert!(total.missed.is_empty(), "{}", total.missed.join("\n"));
    assert!(total.tried > 1000, "变异太少：{}", total.tried);
}

#[test]
fn digits_and_signs_are_changed() {
    let changed: Vec<String> =
        changes("-0.5").into_iter().map(|(_, text)| text).collect();
    assert_eq!(changed, ["0.5", "-2.5", "-0.9"]);
    assert_eq!(changes("1e-12").len(), 4);
}
