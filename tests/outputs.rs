//! 输出与图：书上的终端记录重放一遍逐字比较，图等于画它的程序的输出，每个程序都有用。

use crate::source::{Kind, blocks, fence_body, heading, programs, read};
use std::collections::HashMap;

const COMMAND: &str = "$ cargo run -q --bin ";

/// 终端记录的程序名。
pub fn program_of(body: &str) -> Option<&str> {
    let first = body.lines().next()?;
    let name = first.strip_prefix(COMMAND)?;
    (!name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
        .then_some(name)
}

/// 把一页里的终端记录换成程序现在的输出。
pub fn with_outputs(text: &str, outputs: &HashMap<String, String>) -> String {
    let mut result = String::new();
    let mut done = 0;
    for block in blocks(text, 1) {
        let body = fence_body(text, &block);
        if block.kind == Kind::Fence("console".into())
            && let Some(name) = program_of(body)
            && let Some(output) = outputs.get(name)
        {
            result.push_str(&text[done..block.start]);
            result.push_str(&format!("```console\n{COMMAND}{name}\n{output}```"));
            done = block.end;
        }
    }
    result.push_str(&text[done..]);
    result
}

/// 一页的检查：终端记录与输出相同，图的文件被包含，程序存在。返回用到的程序。
pub fn check_page(
    text: &str,
    outputs: &HashMap<String, String>,
) -> (Vec<String>, Vec<String>) {
    let (mut faults, mut used) = (Vec::new(), Vec::new());
    for block in blocks(text, 1) {
        if block.kind == Kind::Fence("console".into()) {
            let body = fence_body(text, &block);
            let Some(name) = program_of(body) else {
                faults.push(format!(
                    "第 {} 行：终端记录的第一行不是“{COMMAND}名字”",
                    block.line
                ));
                continue;
            };
            used.push(name.to_string());
            let shown = body.split_once('\n').map_or("", |(_, rest)| rest);
            match outputs.get(name) {
                None => faults.push(format!("第 {} 行：没有程序 {name}", block.line)),
                Some(output) if output.trim().is_empty() => {
                    faults.push(format!("{name} 没有输出"))
                }
                Some(output) if output != shown => {
                    let line =
                        output.lines().zip(shown.lines()).position(|(a, b)| a != b);
                    faults.push(format!(
                        "第 {} 行：{name} 的输出变了（第 {:?} 行起）",
                        block.line,
                        line.map(|n| n + 1)
                    ));
                }
                Some(_) => {}
            }
        }
    }
    for line in text.lines() {
        if let Some(rest) = line.trim().strip_prefix("{{#include figures/") {
            match rest.strip_suffix(".svg}}") {
                Some(name) => used.push(name.to_string()),
                None => faults.push(format!("图的包含写错了：{line}")),
            }
        }
    }
    (faults, used)
}

/// 程序的用处：每个恰好在一页的一处出现。
pub fn check_use(programs: &[String], used: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    for name in programs
        .iter()
        .filter(|name| !matches!(name.as_str(), "claims" | "golden"))
    {
        match used.iter().filter(|other| *other == name).count() {
            1 => {}
            n => faults.push(format!("程序 {name} 在书里出现 {n} 次，应当恰好一次")),
        }
    }
    faults
}

/// 图的检查：没有空行，有标题和说明，编号以图名开头，没有脚本和外部引用。
pub fn check_figure(name: &str, svg: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if svg.lines().any(|line| line.trim().is_empty()) {
        faults.push(format!("{name}：有空行"));
    }
    for tag in ["title", "desc"] {
        let start = svg.find(&format!("<{tag} id=\"{name}_{tag}\">"));
        let text = start
            .and_then(|at| svg[at..].split_once('>'))
            .and_then(|(_, rest)| rest.split_once("</"));
        if text.is_none_or(|(text, _)| text.trim().chars().count() < 4) {
            faults.push(format!("{name}：没有 {tag}"));
        }
    }
    for part in svg.split(" id=\"").skip(1) {
        if !part.starts_with(&format!("{name}_")) {
            faults.push(format!(
                "{name}：编号 {} 没有以图名开头",
                part.split('"').next().unwrap_or("")
            ));
        }
    }
    if svg.contains("<script")
        || svg.contains("url(http")
        || svg.contains(" href=\"http")
    {
        faults.push(format!("{name}：引用了外部的东西"));
    }
    if svg.len() > 60_000 {
        faults.push(format!("{name}：太大，{} 字节", svg.len()));
    }
    faults
}

#[test]
fn shown_outputs_are_what_the_programs_print() {
    let book = crate::bless::ready();
    let (mut faults, mut used) = (Vec::new(), Vec::new());
    for (page, text) in &book.pages {
        let (bad, names) = check_page(text, &book.outputs);
        faults.extend(
            bad.into_iter()
                .map(|fault| format!("src/{page}.md {fault}")),
        );
        used.extend(names);
    }
    faults.extend(check_use(&programs(), &used));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn figures_are_what_the_programs_draw() {
    let book = crate::bless::ready();
    let mut count = 0;
    for (name, output) in book
        .outputs
        .iter()
        .filter(|(name, _)| name.starts_with("fig_"))
    {
        let file = read(&format!("src/figures/{name}.svg"));
        assert!(
            file == *output,
            "src/figures/{name}.svg 过时了，请运行 BLESS=1 cargo test --test book"
        );
        let faults = check_figure(name, output);
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        count += 1;
    }
    assert!(count >= 5, "图太少：{count}");
    let files = std::fs::read_dir(crate::source::root().join("src/figures"))
        .expect("图的目录")
        .count();
    assert_eq!(files, count, "src/figures 里有没人画的图");
}

#[test]
fn wrong_outputs_are_refused() {
    let outputs = HashMap::from([("x".to_string(), "1 2\n".to_string())]);
    let page = |body: &str| format!("# 甲 {{#a}}\n\n```console\n{body}```\n");
    let good = page("$ cargo run -q --bin x\n1 2\n");
    assert!(check_page(&good, &outputs).0.is_empty());
    for bad in [
        "$ cargo run -q --bin x\n1 3\n",
        "$ cargo run -q --bin y\n1 2\n",
        "$ cargo run x\n1 2\n",
        "$ cargo run -q --bin x\n",
    ] {
        assert!(!check_page(&page(bad), &outputs).0.is_empty(), "{bad}");
    }
    assert_eq!(
        with_outputs(&page("$ cargo run -q --bin x\n旧\n"), &outputs),
        good
    );
    let names = ["x".to_string(), "claims".to_string()];
    assert_eq!(check_use(&names, &[]).len(), 1);
    assert_eq!(check_use(&names, &["x".into(), "x".into()]).len(), 1);
    assert!(check_use(&names, &["x".into()]).is_empty());
    assert!(heading("## 甲 {#a}").is_some());
}

#[test]
fn wrong_figures_are_refused() {
    let good = "<svg id=\"fig_a_svg\">\n<title id=\"fig_a_title\">一幅图画</title>\n<desc id=\"fig_a_desc\">很长的说明</desc>\n</svg>\n";
    assert!(check_figure("fig_a", good).is_empty());
    for bad in [
        good.replace("一幅图画", ""),
        good.replace("fig_a_desc", "fig_b_desc"),
        good.replace("<title", "\n<title"),
        good.replace("</svg>", "<script></script></svg>"),
        good.replace("<desc", "<g id=\"b\"/><desc"),
    ] {
        assert!(!check_figure("fig_a", &bad).is_empty(), "{bad}");
    }
}
