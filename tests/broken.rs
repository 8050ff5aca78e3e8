//! 规则自己的检验：一本小书每页坏一处，相应的规则必须指出来；好的那页一处也不许报。

use crate::page::{Page, Site};
use crate::pages::{RULES, Rule};
use crate::rendered::{Built, build};
use crate::source::root;
use mdbook_driver::config::Config;
use mdbook_katex::cfg::get_config;
use mdbook_katex::render::process_chapter_prerender;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// 一处毛病：该指出它的规则、坏的 Markdown、报告里应有的话。`PAGE` 是页名。
const FLAWS: &[(&str, &str, &str)] = &[
    ("formulas", r"坏公式 $\frac{1}{2$ 在此。", "公式应有 1 个"),
    (
        "complaints",
        r"坏公式 $\nosuchmacro{x}$ 在此。",
        "nosuchmacro",
    ),
    ("marks", r"坏公式 $\nosuchmacro{x}$ 在此。", "残留的记号"),
    (
        "formulas",
        r"跨公式 $\mathbf{q}_m$ 与 $x_{n}$ 强调。",
        "公式里有 <em>",
    ),
    (
        "formulas",
        r"公式内 $\mathbf{q}_m + x_{n}$ 强调。",
        "公式里有 <em>",
    ),
    ("formulas", r"星号 $a*b*c$ 强调。", "公式里有 <em>"),
    ("formulas", r"波浪 $\tilde x$ 删除。", "公式里有 <del>"),
    ("formulas", r"链接 $[a](b)$ 链接。", "公式里有 <a>"),
    (
        "formulas",
        r"红色 $\htmlClass{a}{x}$ 报错。",
        "KaTeX 报错的颜色",
    ),
    (
        "formulas",
        "| 甲 | 乙 |\n|---|---|\n| $|m|$ | 丙 |",
        "公式应有 1 个",
    ),
    (
        "source",
        "一个 ` 落单。\n\n公式 $x$ 不见了。\n\n又一个 ` 落单。",
        "记号不成对",
    ),
    (
        "source",
        "`` 甲 ` 乙 ``，再有 $x$，价 $5 元。",
        "记号不成对",
    ),
    ("marks", "一个 ` 落单。", "残留的记号 \"`\""),
    ("marks", "价 $5 元。", "残留的记号 \"$\""),
    ("marks", "**“强调”**后。", "残留的记号 \"*\""),
    ("marks", "前__强调__后。", "残留的记号"),
    ("marks", "~~“删”~~后。", "残留的记号 \"~\""),
    ("marks", "宽 [256][01]。", "残留的记号 \"[256]\""),
    ("marks", "见 [01] 条。", "残留的记号 \"[01]\""),
    (
        "marks",
        "见 [甲] (a.md) 与 [乙](坏 地址.md)。",
        "残留的记号 \"](\"",
    ),
    ("marks", "{{#include no_such_file.rs}}", "残留的记号 \"{{\""),
    ("complaints", "{{#include no_such_file.rs}}", "no_such_file"),
    ("marks", "公式 \\\\(x\\\\) 不认。", "残留的记号 \"\\\\\""),
    ("marks", "表 | 没有 | 成。", "残留的记号 \"|\""),
    ("marks", "空格 &amp;nbsp; 露出。", "残留的记号 \"&nbsp;\""),
    ("marks", "##标题没有空格", "残留的记号 \"#\""),
    ("marks", "脚注[^1]没有。", "残留的记号 \"[^\""),
    ("marks", "[正文](PAGE.md \"_b\")。", "残留的记号"),
    ("gaps", "第一行\n第二行。", "汉字之间有换行"),
    ("gaps", "第一行，\n**粗**字。", "汉字之间有换行"),
    ("gaps", "- 第一行\n  `码` 与字。", "汉字之间有换行"),
    ("headings", "## 没有", "没有写明 id"),
    ("headings", "## 别页 {#other-x}", "不以页名开头"),
    ("headings", "### 跳级 {#PAGE-x}", "级别是 3"),
    ("headings", "# 又一个 {#PAGE-x}", "级别是 1"),
    ("headings", "## {#PAGE-x}", "是空的"),
    ("fences", "```\n没有语言\n```", "代码块没有语言"),
    ("fences", "段落。\n\n    缩进的代码", "代码块没有语言"),
    (
        "fences",
        "```rs\n{{#include ../code.rs:no_such_anchor}}\n```",
        "代码块是空的",
    ),
    ("fences", "```text\n没有关上", "道围栏"),
    (
        "tables",
        "| 甲 | 乙 |\n|---|---|\n| 只有一格 |",
        "一行有 1 格",
    ),
    (
        "tables",
        "| 甲 | 乙 |\n|---|---|\n| `|x|` | 丙 |",
        "一行有 4 格",
    ),
    ("tables", "| 甲 | 乙 |\n|---|---|\n| 丙 | |", "空格子"),
    (
        "tables",
        "| 甲 | 乙 |\n|---|---|\n| 丙 | 丁 |\n紧跟的一段。",
        "一行有 1 格",
    ),
    (
        "hidden",
        "```rust\n# let secret = 1;\nlet a = 2;\n```",
        "隐藏的代码行",
    ),
    (
        "hidden",
        "```rust\n# let secret = 1;\nlet a = 2;\n```",
        "搜索索引里有隐藏的行",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg id=\"fig_b_svg\"></svg></figure>",
        "不以图名开头",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg></svg></figure>",
        "没有说明",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg><title> </title></svg></figure>",
        "title 是空的",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg></svg></figure>",
        "desc 是空的",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg></svg></figure>",
        "role 不是 img",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg role=\"img\"><a href=\"why.html\">自注意力</a></svg></figure>",
        "role 不是 group",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg></svg></figure>",
        "没有 viewBox",
    ),
    (
        "figures",
        "<figure id=\"fig_a\"><svg></svg></figure>",
        "没有图 figures/fig_a.svg",
    ),
    (
        "figures",
        "<div><svg></svg></div>",
        "图不在有名字的 figure 里",
    ),
    ("elements", "类型 Vec<f64> 不见了。", "不认识的元素 <f64>"),
    (
        "elements",
        "<details>\n\n没有标题。\n\n</details>",
        "折叠块没有标题",
    ),
    (
        "elements",
        "<details><summary>答案</summary>\n没有空行。\n</details>",
        "文字不在段落里",
    ),
    ("elements", "> [!NOTE]\n> 提示。", "提示块的标题是英文"),
    ("ids", "<div id=\"PAGE\">重复。</div>", "重复"),
    ("ids", "<div id=\"clean\">别页也有。</div>", "也有"),
    ("ids", "<div id=\"\">空的。</div>", "是空的"),
    ("links", "[没有的页](nowhere.md)。", "没有的文件"),
    ("links", "[没有的节](clean.md#nowhere)。", "没有的 id"),
    ("links", "[本页没有](#nowhere)。", "没有的 id"),
    ("links", "[空的]()。", "空的链接"),
    ("links", "[空的片段](clean.md#)。", "空的链接"),
    ("links", "[](clean.md)。", "链接没有文字"),
    ("links", "[书外](../../../etc/passwd)。", "在书外"),
    ("links", "![图](nowhere.png)", "没有的文件"),
    (
        "links",
        "<div aria-labelledby=\"nowhere\">指错。</div>",
        "没有 id",
    ),
    ("links", "<div><a>没有目标。</a></div>", "链接没有目标"),
    ("outside", "![图](https://example.org/a.png)", "从书外取"),
    ("outside", "[明文](http://example.org/)。", "从书外取"),
    ("outside", "[脚本](javascript:void)。", "从书外取"),
    (
        "outside",
        "<iframe src=\"https://example.org/\"></iframe>",
        "从书外取",
    ),
    (
        "outside",
        "<div style=\"background:url(//example.org/a.png)\">图。</div>",
        "从书外取",
    ),
    ("outside", "<div onclick=\"a()\">点。</div>", "元素里有脚本"),
];

/// 好的一页：每条规则在这里都有东西可看。
const CLEAN: &str = r##"# 好页 {#clean}

行内公式 $\mathbf q_m$ 与 $\lvert m - n \rvert$，见[下一节](#clean-next)与[打印](https://example.org/)，代码 `a_b | **c**`，价 \$5。

$$\theta_i = b^{-2i/d}$$

## 下一节 {#clean-next}

| 甲 | 乙 |
|---|---|
| $\sqrt{x}$ | `a\|b` |

```rs
{{#include ../code.rs:good}}
```

```rust
assert_eq!(1 + 1, 2);
```

<figure id="fig_clean">
{{#include figures/fig_clean.svg}}
<figcaption>一个圆</figcaption>
</figure>

<details><summary>答案</summary>

**藏在**这里。

</details>
"##;

const FIGURE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" id="fig_clean_svg" viewBox="0 0 9 9" role="img" aria-labelledby="fig_clean_title fig_clean_desc">
<title id="fig_clean_title">圆</title>
<desc id="fig_clean_desc">一个圆。</desc>
<circle cx="4" cy="4" r="3"/>
</svg>
"#;

/// 改坏建好的网页：规则、文件名的开头、原文、改成、报告里应有的话。
const DAMAGE: &[(&str, &str, &str, &str, &str)] = &[
    (
        "links",
        "toc-",
        "clean.html",
        "nowhere.html",
        "目录指向没有的",
    ),
    (
        "links",
        "toc.html",
        "clean.html",
        "nowhere.html",
        "没有的文件",
    ),
    (
        "links",
        "print.html",
        "#clean-next",
        "#nowhere",
        "没有的 id",
    ),
    (
        "links",
        "second.html",
        "clean.html",
        "nowhere.html",
        "没有的文件",
    ),
    (
        "ids",
        "print.html",
        "id=\"clean-next\"",
        "id=\"clean-next-1\"",
        "打印页没有",
    ),
    (
        "formulas",
        "print.html",
        "class=\"katex-html\"",
        "class=\"other\"",
        "公式应有",
    ),
    (
        "formulas",
        "index.html",
        "class=\"katex-display\"",
        "class=\"other\"",
        "公式应有",
    ),
    (
        "formulas",
        "clean.html",
        r"\mathbf q_m</annotation>",
        r"\mathbf q</annotation>",
        "变成了",
    ),
    (
        "outside",
        "clean.html",
        "<link rel=\"stylesheet\" href=\"",
        "<link rel=\"stylesheet\" href=\"https://cdn.example/",
        "从书外取",
    ),
    (
        "outside",
        "clean.html",
        "<script src=\"",
        "<script src=\"//cdn.example/",
        "从书外取",
    ),
    (
        "styles",
        "fonts/fonts",
        "url(",
        "url(nowhere.png),url(",
        "没有的文件",
    ),
    (
        "styles",
        "fonts/fonts",
        "@font-face",
        "@import \"https://cdn.example/a.css\"; @font-face",
        "从书外取",
    ),
    (
        "search",
        "searchindex",
        "clean.html#clean-next",
        "clean.html#nowhere",
        "没有的 id",
    ),
    (
        "search",
        "searchindex",
        "clean.html",
        "index.html",
        "里没有 clean.html",
    ),
    (
        "search",
        "searchindex",
        "JSON.parse",
        "JSON.other",
        "读不出",
    ),
    (
        "titles",
        "clean.html",
        "lang=\"zh-CN\"",
        "lang=\"en\"",
        "语言是",
    ),
    ("titles", "second.html", "第二页 -", "好页 -", "重复"),
    (
        "titles",
        "clean.html",
        "<title>",
        "<title></title><title>",
        "是空的",
    ),
];

/// 建一本小书：给定的各页，加上图和代码。
fn small_book(pages: &[(String, String)]) -> Built {
    let folder = tempfile::tempdir().expect("临时目录");
    let source = folder.path().join("src");
    write(
        folder.path(),
        "code.rs",
        "// ANCHOR: good\nfn good() {}\n// ANCHOR_END: good\n",
    );
    write(&source, "figures/fig_clean.svg", FIGURE);
    let mut entries = String::from("# 目录\n\n");
    for (name, text) in pages {
        write(&source, &format!("{name}.md"), text);
        let title = match name.as_str() {
            "clean" => "好页",
            "second" => "第二页",
            name => name,
        };
        entries.push_str(&format!("- [{title}]({name}.md)\n"));
    }
    write(&source, "SUMMARY.md", &entries);
    let mut config = Config::from_disk(root().join("book.toml")).expect("book.toml");
    for key in ["additional-css", "additional-js"] {
        let none: Vec<String> = Vec::new();
        config
            .set(format!("output.html.{key}"), none)
            .expect("配置");
    }
    build(folder.path(), config).expect("建小书")
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("有目录")).expect("建目录");
    fs::write(path, text).expect("写文件");
}

fn clean_pages() -> Vec<(String, String)> {
    let second = "# 第二页 {#second}\n\n[好页](clean.md)。\n".to_string();
    vec![("clean".into(), CLEAN.into()), ("second".into(), second)]
}

/// 没有毛病的小书。
fn clean_book() -> &'static Built {
    static CLEAN: LazyLock<Built> = LazyLock::new(|| small_book(&clean_pages()));
    &CLEAN
}

fn rule(name: &str) -> Rule {
    let found = RULES.iter().find(|(rule, _)| *rule == name);
    found.unwrap_or_else(|| panic!("没有规则 {name}")).1
}

#[test]
fn the_clean_book_passes_every_rule() {
    let site = Site::new(clean_book().clone());
    for (name, rule) in RULES {
        let verdict = rule(&site);
        assert!(
            verdict.faults.is_empty(),
            "{name}：{}",
            verdict.faults.join("\n")
        );
        assert!(verdict.seen > 0, "{name} 一处也没有看");
    }
}

#[test]
fn every_flaw_is_reported_on_its_own_page() {
    let mut pages = clean_pages();
    for (number, (_, markdown, _)) in FLAWS.iter().enumerate() {
        let name = format!("flaw{number:02}");
        let text = format!("# 坏页 {{#PAGE}}\n\n{markdown}\n").replace("PAGE", &name);
        pages.push((name, text));
    }
    let mut built = small_book(&pages);
    built
        .sources
        .insert("orphan.md".into(), "# 孤页 {#orphan}\n".into());
    let site = Site::new(built);
    let mut missed = Vec::new();
    for (number, (name, markdown, hint)) in FLAWS.iter().enumerate() {
        let page = if *name == "complaints" {
            "建书".to_string()
        } else {
            format!("flaw{number:02}.html")
        };
        let faults = rule(name)(&site).faults;
        if !faults
            .iter()
            .any(|fault| fault.starts_with(&page) && fault.contains(hint))
        {
            let own: Vec<_> = faults
                .iter()
                .filter(|fault| fault.starts_with(&page))
                .collect();
            missed.push(format!("{name} 没有报告“{hint}”：{markdown}\n{own:?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
    for (name, rule) in RULES {
        let faults = rule(&site).faults;
        let false_alarm = faults.iter().find(|fault| fault.starts_with("clean.html"));
        assert_eq!(false_alarm, None, "{name}");
    }
    let orphan = rule("summary")(&site).faults;
    assert_eq!(orphan, ["orphan.md：不在目录里"]);
}

#[test]
fn every_damage_is_reported() {
    for (name, file, from, to, hint) in DAMAGE {
        let mut built = clean_book().clone();
        let files = built.files.iter_mut();
        let mut found = 0;
        for (_, bytes) in files.filter(|(path, _)| path.starts_with(file)) {
            let text = String::from_utf8_lossy(bytes).into_owned();
            found += text.matches(from).count();
            *bytes = text.replace(from, to).into_bytes();
        }
        assert!(found > 0, "{file} 里没有 {from}");
        let faults = rule(name)(&Site::new(built)).faults;
        let told = faults.iter().any(|fault| fault.contains(hint));
        assert!(
            told,
            "{name} 没有报告“{hint}”（{file}：{from}）：{faults:?}"
        );
    }
}

#[test]
fn every_rule_has_a_flaw_to_reject() {
    let flaws = FLAWS.iter().map(|flaw| flaw.0);
    let tried: Vec<&str> = flaws.chain(DAMAGE.iter().map(|damage| damage.0)).collect();
    for (name, _) in RULES {
        assert!(
            tried.contains(name) || *name == "summary",
            "{name} 没有反例"
        );
    }
}

/// 建书时同一个公式只渲染一次；插件自己渲染一章，结果应当一字不差。
#[test]
fn rendering_a_formula_once_changes_nothing() {
    let chapter = &clean_book().chapters[0];
    let config = Config::from_disk(root().join("book.toml")).expect("book.toml");
    let options = get_config(&config).expect("插件的设置");
    let (inline, display) = options.build_opts(root());
    let extra = options.build_extra_opts();
    let whole =
        process_chapter_prerender(&chapter.included, inline, display, "", &extra);
    assert!(chapter.formulas.len() > 3 && whole.contains("katex-display"));
    assert_eq!(chapter.processed, whole);
}

#[test]
fn torn_pages_are_parsed_as_a_browser_does() {
    let page = Page::parse(
        "a.html",
        "<main><p id=a>一<p id=b class='x katex'>二</main>",
    );
    assert_eq!(page.ids().collect::<Vec<_>>(), ["a", "b"]);
    let texts: Vec<&str> = page.nodes.iter().filter_map(|node| node.text()).collect();
    assert_eq!(texts, ["一", "二"]);
}
