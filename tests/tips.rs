//! 单词的提示：`src/glossary-data.js` 由 BLESS 从单词汇总生成，`theme/tips.js` 读它。

use crate::bless::ready;
use crate::source::{read, root, written_pages};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// 数据文件。
pub const FILE: &str = "src/glossary-data.js";

/// 只在作者加了链接的地方提示的单词：单个的字，和另有寻常意思的词。
const ONLY_LINKED: [&str; 17] = [
    "头", "键", "值", "对", "核", "权重", "参数", "距离", "不变", "视图", "清单",
    "断言", "填充", "嵌入", "宽度", "置换", "表长",
];

/// 一个单词：编号、中文、英文、意思。
#[derive(Debug, PartialEq)]
struct Word {
    id: String,
    name: String,
    english: String,
    meaning: String,
}

/// 单词汇总里的各条。
fn words(glossary: &str) -> Vec<Word> {
    static ITEM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^- <a id="glossary-([a-z-]+)"></a>\*\*([^*]+)\*\* （([A-Za-z -]+)(?:，\$[^$]+\$)?）：([^\[\n]+)\[定义\]\([^)]+\)$"#)
            .expect("正则")
    });
    ITEM.captures_iter(glossary)
        .map(|item| Word {
            id: item[1].into(),
            name: item[2].into(),
            english: item[3].into(),
            meaning: item[4].into(),
        })
        .collect()
}

/// 数据文件的全文；单词汇总里有读不懂的一条就不写。
pub fn data(glossary: &str) -> Result<String, String> {
    let words = words(glossary);
    let items = glossary.lines().filter(|line| line.starts_with("- "));
    let count = items.count();
    if words.len() != count || count == 0 {
        return Err(format!("单词有 {count} 条，读懂 {} 条", words.len()));
    }
    let mut text = String::from(
        "// 由 BLESS 从 src/glossary.md 生成：编号、中文、英文、意思、没有链接时要不要提示。\nwindow.glossaryWords = [\n",
    );
    for word in &words {
        let Word {
            id,
            name,
            english,
            meaning,
        } = word;
        for part in [name, english, meaning] {
            if part.contains(['"', '\\', '$', '`', '*', '<']) {
                return Err(format!("{id}：“{part}”里有记号"));
            }
        }
        let anywhere = u8::from(!ONLY_LINKED.contains(&name.as_str()));
        text.push_str(&format!(
            "  [\"{id}\", \"{name}\", \"{english}\", \"{meaning}\", {anywhere}],\n"
        ));
    }
    text.push_str("];\n");
    Ok(text)
}

/// 单词与各页的链接：每个编号、每个词只有一条；正文里每个链接指的单词都在。
fn faults(glossary: &str, pages: &[(String, String)]) -> Vec<String> {
    let words = words(glossary);
    let mut faults = Vec::new();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for word in &words {
        if let Some(other) = names.insert(&word.name, &word.id) {
            faults.push(format!("{} 与 {other} 是同一个词", word.id));
        }
        if word.meaning.chars().count() > 60 || !word.meaning.ends_with('。') {
            faults.push(format!("{} 的意思不是短短一句", word.id));
        }
    }
    for name in ONLY_LINKED {
        if !names.contains_key(name) {
            faults.push(format!("“{name}”不在单词汇总里"));
        }
    }
    for word in &words {
        let short = word.name.chars().count() == 1;
        if short && !ONLY_LINKED.contains(&word.name.as_str()) {
            faults.push(format!("“{}”只有一个字，到处都是", word.name));
        }
        let link = format!("](glossary.md#glossary-{})", word.id);
        if !pages.iter().any(|(_, text)| text.contains(&link)) {
            faults.push(format!("没有一页链接到 {}", word.id));
        }
    }
    for (page, text) in pages {
        for rest in text.split("(glossary.md#glossary-").skip(1) {
            let id = rest.split(')').next().unwrap_or("");
            if !words.iter().any(|word| word.id == id) {
                faults.push(format!("{page} 链接到没有的单词 {id}"));
            }
        }
    }
    faults
}

#[test]
fn the_data_is_that_of_the_glossary() {
    ready();
    let wanted = data(&read("src/glossary.md")).expect("单词汇总读得懂");
    assert!(
        read(FILE) == wanted,
        "{FILE} 过时了，请运行 BLESS=1 cargo test --test book"
    );
    println!("单词：{}", wanted.lines().count() - 3);
}

#[test]
fn every_word_is_linked_where_it_is_defined() {
    let book = ready();
    let glossary = read("src/glossary.md");
    assert_eq!(faults(&glossary, &book.pages), [""; 0]);
}

#[test]
fn scripts_taken_by_need_are_in_the_book() {
    ready();
    let tips = read("theme/tips.js");
    let mut count = 0;
    for rest in tips.split("load('").skip(1) {
        let name = rest.split('\'').next().unwrap_or("");
        assert!(root().join("src").join(name).is_file(), "{name}");
        count += 1;
    }
    assert_eq!(count, 2);
    let figures: Vec<&str> = tips
        .split("#fig_")
        .skip(1)
        .filter_map(|rest| {
            rest.split(|c: char| !c.is_ascii_lowercase() && c != '_')
                .next()
        })
        .collect();
    let play = read("src/play.js");
    assert_eq!(play.matches("panelFor('fig_").count(), figures.len());
    for figure in figures {
        assert!(
            play.contains(&format!("panelFor('fig_{figure}'")),
            "{figure}"
        );
        let used = written_pages().iter().any(|page| {
            read(&format!("src/{page}.md"))
                .contains(&format!("<figure id=\"fig_{figure}\">"))
        });
        assert!(used, "没有图 fig_{figure}");
    }
    // 三张图的脚本一共不到 20 KB。
    assert!(play.len() < 20_000, "{}", play.len());
}

#[test]
fn a_broken_glossary_is_refused() {
    let line = |id: &str, name: &str, meaning: &str| {
        format!(
            "- <a id=\"glossary-{id}\"></a>**{name}** （token，$x$）：{meaning}[定义](a.md#a)\n"
        )
    };
    let good = line("a", "词元", "一块文字。");
    let made = data(&good).expect("读得懂");
    assert!(
        made.contains("[\"a\", \"词元\", \"token\", \"一块文字。\", 1],"),
        "{made}"
    );
    assert!(
        data(&line("a", "对", "两列。"))
            .expect("读得懂")
            .contains(", 0],")
    );
    for bad in [
        String::new(),
        good.replace("[定义](a.md#a)", ""),
        good.replace("**", ""),
        good.replace("glossary-a", "a"),
        good.replace("一块", "一`块`"),
        good.replace("一块", "一\\块"),
        good.clone() + "- 读不懂的一条\n",
    ] {
        assert!(data(&bad).is_err(), "{bad}");
    }
    let linked = |text: &str| vec![("p".to_string(), text.to_string())];
    let told = |glossary: &str, text: &str, hint: &str| {
        let found = faults(glossary, &linked(text));
        assert!(
            found.iter().any(|fault| fault.contains(hint)),
            "{hint}：{found:?}"
        );
    };
    let a = "[词元](glossary.md#glossary-a)";
    assert!(
        !faults(&good, &linked(a))
            .iter()
            .any(|fault| fault.contains("词元"))
    );
    told(&good, "", "没有一页链接到 a");
    told(&good, "[词](glossary.md#glossary-b)", "没有的单词 b");
    told(
        &(good.clone() + &line("b", "词元", "又一次。")),
        a,
        "同一个词",
    );
    told(&line("a", "词元", "没有句号"), a, "短短一句");
    told(&line("a", "词", "一块文字。"), a, "只有一个字");
    told(&good, a, "“头”不在单词汇总里");
}
