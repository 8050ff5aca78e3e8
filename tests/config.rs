//! 配置、版本与布局：`book.toml` 里写错的键没有人提醒，钉住的版本会悄悄松开。

use crate::source::{read, root, written_pages};
use mdbook_driver::config::{Config, HtmlConfig};
use mdbook_katex::cfg::{KatexConfig, get_config};
use regex::Regex;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::str::FromStr;

/// 公式插件的设置：取不到就悄悄全用默认值，多余的键也不说一声，所以逐项比较。
fn check_katex(config: &Config) -> Vec<String> {
    let mut faults = Vec::new();
    let wanted = KatexConfig {
        output: "htmlAndMathml".into(),
        no_css: true,
        ..KatexConfig::default()
    };
    let found = match get_config(config) {
        Ok(found) => format!("{found:?}"),
        Err(why) => why.to_string(),
    };
    if found != format!("{wanted:?}") {
        faults.push(format!("公式插件的设置是 {found}"));
    }
    let known = serde_json::to_value(&wanted).expect("设置能序列化");
    let Ok(Some(table)) = config.get::<Map<String, Value>>("preprocessor.katex") else {
        faults.push("没有 [preprocessor.katex]".into());
        return faults;
    };
    for key in table.keys() {
        if known.get(key).is_none() && key != "after" {
            faults.push(format!("公式插件没有 {key} 这个键"));
        }
    }
    if table.get("after") != Some(&serde_json::json!(["links"])) {
        faults.push("公式插件要排在 links 之后，不然引入的公式它看不见".into());
    }
    faults
}

/// mdBook 的设置。
fn check_book(text: &str) -> Vec<String> {
    let config = match Config::from_str(text) {
        Ok(config) => config,
        Err(why) => return vec![format!("book.toml：{why:#}")],
    };
    let html: HtmlConfig = match config.get("output.html") {
        Ok(html) => html.unwrap_or_default(),
        Err(why) => return vec![format!("[output.html]：{why:#}")],
    };
    let outputs = config.outputs::<Value>().unwrap_or_default();
    let helpers = config.preprocessors::<Value>().unwrap_or_default();
    let search = html.search.clone().unwrap_or_default();
    let rules = [
        (outputs.keys().eq(["html"]), "只输出 html"),
        (helpers.keys().eq(["katex"]), "预处理器只有 katex"),
        (
            config.book.language.as_deref() == Some("zh-CN"),
            "书是中文的",
        ),
        (!config.build.create_missing, "缺的章不许自动新建"),
        (config.build.use_default_preprocessors, "内建的预处理器要用"),
        (
            config.build.extra_watch_dirs == [Path::new("listings")],
            "清单改了要重建",
        ),
        (
            format!("{:?}", config.rust.edition) == "Some(E2024)",
            "Rust 是 2024 版",
        ),
        (!html.playground.runnable, "运行按钮会把代码送到别处"),
        (!html.playground.editable, "代码不能就地编辑"),
        (!html.smart_punctuation, "引号由作者写定"),
        (!html.mathjax_support, "公式不用 MathJax"),
        (html.hash_files, "文件名带散列"),
        (search.enable, "要有搜索"),
        (!search.copy_js, "搜索用自己的脚本"),
        (html.print.enable, "要有打印页"),
    ];
    let broken = rules.iter().filter(|(holds, _)| !holds);
    let mut faults: Vec<String> = broken
        .map(|(_, rule)| format!("book.toml 不合：{rule}"))
        .collect();
    faults.extend(check_katex(&config));
    faults
}

#[test]
fn the_book_is_configured_as_wanted() {
    assert_eq!(check_book(&read("book.toml")), [] as [&str; 0]);
}

#[test]
fn a_changed_setting_is_noticed() {
    let text = read("book.toml");
    let changes = [
        ("no-css = true", "no-ccs = true", "no-ccs"),
        ("no-css = true", "no-css = \"true\"", "公式插件的设置"),
        ("no-css = true", "no-css = false", "公式插件的设置"),
        ("include-src = false", "include-scr = false", "include-scr"),
        (
            "output = \"htmlAndMathml\"",
            "output = \"html\"",
            "公式插件的设置",
        ),
        ("output = \"htmlAndMathml\"", "", "公式插件的设置"),
        (
            "[preprocessor.katex]",
            "[preprocessor.latex]",
            "没有 [preprocessor.katex]",
        ),
        ("after = [\"links\"]", "", "排在 links 之后"),
        ("language = \"zh-CN\"", "language = \"en\"", "书是中文的"),
        ("language = ", "langauge = ", "langauge"),
        ("create-missing = false", "", "自动新建"),
        (
            "create-missing = false",
            "create-mising = false",
            "create-mising",
        ),
        ("extra-watch-dirs = [\"listings\"]", "", "重建"),
        ("edition = \"2024\"", "edition = \"2021\"", "2024"),
        (
            "smart-punctuation = false",
            "smart-punctuation = true",
            "引号",
        ),
        (
            "smart-punctuation = false",
            "smart-punktuation = false",
            "smart-punktuation",
        ),
        ("runnable = false", "runnable = true", "运行按钮"),
        ("runnable = false", "runable = false", "runable"),
        ("copy-js = false", "copy-js = true", "自己的脚本"),
        (
            "[output.html.search]\nenable = true",
            "[output.html.search]\nenable = false",
            "搜索",
        ),
        (
            "[output.html]",
            "[output.pdf]\n[output.html]",
            "只输出 html",
        ),
        (
            "[output.html]",
            "[preprocessor.toc]\n[output.html]",
            "预处理器只有",
        ),
    ];
    for (from, to, hint) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from} 应出现一次");
        let faults = check_book(&text.replace(from, to));
        let told = faults.iter().any(|fault| fault.contains(hint));
        assert!(told, "{to} 没有报告“{hint}”：{faults:?}");
    }
}

/// Cargo.lock 里一个包的全部版本。
fn locked<'a>(lock: &'a str, name: &str) -> Vec<&'a str> {
    let head = format!("name = \"{name}\"\nversion = \"");
    lock.split(head.as_str())
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

/// 读者要装的两个程序的版本，全书照此钉住。
const MDBOOK: &str = "0.5.3";
const MDBOOK_KATEX: &str = "0.10.0";
const KATEX_CRATE: &str = "0.4.6";
const KATEX: &str = "0.16.4";

/// mdBook 的部件各自发布，钉住一个不等于钉住别的。
fn check_lock(lock: &str) -> Vec<String> {
    let parts = [
        "core",
        "driver",
        "html",
        "markdown",
        "preprocessor",
        "renderer",
        "summary",
    ];
    let mut wanted: Vec<(String, &str)> = parts
        .iter()
        .map(|part| (format!("mdbook-{part}"), MDBOOK))
        .collect();
    wanted.push(("mdbook-katex".into(), MDBOOK_KATEX));
    wanted.push(("katex".into(), KATEX_CRATE));
    let named = wanted.len();
    let mdbook = lock.matches("name = \"mdbook-").count();
    let mut faults = Vec::new();
    for (name, version) in wanted {
        let found = locked(lock, &name);
        if found != [version] {
            faults.push(format!("{name} 是 {found:?}，应是 {version}"));
        }
    }
    if mdbook != named - 1 {
        faults.push(format!(
            "mdBook 的部件有 {mdbook} 个，钉住了 {} 个",
            named - 1
        ));
    }
    faults
}

#[test]
fn the_parts_of_mdbook_are_pinned() {
    let lock = read("Cargo.lock");
    assert_eq!(check_lock(&lock), [] as [&str; 0]);
    let head = "name = \"mdbook-html\"\nversion = \"";
    let loose = lock.replace(&format!("{head}0.5.3"), &format!("{head}0.5.4"));
    assert_eq!(
        check_lock(&loose),
        ["mdbook-html 是 [\"0.5.4\"]，应是 0.5.3"]
    );
    let twice = lock.clone() + "\nname = \"katex\"\nversion = \"0.4.5\"\n";
    assert_eq!(check_lock(&twice).len(), 1);
    assert_eq!(check_lock("").len(), 10);
}

/// 关于本书列出的版本与锁定的一致。
fn check_pins(about: &str, lock: &str, manifest: &str) -> Vec<String> {
    let part = |name: &str| format!("mdbook-{name}");
    let mut faults = Vec::new();
    for (shown, name) in [
        ("mdbook", part("core")),
        ("mdbook-katex", part("katex")),
        ("ndarray", "ndarray".into()),
        ("approx", "approx".into()),
        ("rand_mt", "rand_mt".into()),
    ] {
        let pinned = about.lines().find_map(|line| {
            let (first, version) = line.split_once(' ')?;
            (first == shown).then(|| version.trim())
        });
        let kept = pinned.is_some_and(|pinned| {
            locked(lock, &name).iter().any(|version| {
                *version == pinned || version.starts_with(&format!("{pinned}."))
            })
        });
        if !kept {
            faults.push(format!("{shown} 写的是 {pinned:?}"));
        }
    }
    let rust = about
        .lines()
        .find_map(|line| line.strip_prefix("Rust "))
        .map_or("", str::trim);
    if !manifest.contains(&format!("rust-version = \"{rust}\"")) {
        faults.push(format!("Rust 写的是 {rust}"));
    }
    faults
}

#[test]
fn the_pins_are_told_as_they_are() {
    let (about, lock) = (read("src/about.md"), read("Cargo.lock"));
    let manifest = read("Cargo.toml");
    assert_eq!(check_pins(&about, &lock, &manifest), [] as [&str; 0]);
    for (from, to) in [
        ("ndarray        0.17", "ndarray        0.16"),
        ("rand_mt        6", "rand_mt        "),
        ("Rust           1.94", "Rust           1.93"),
        ("mdbook         0.5.3", "mdbook         0.5.4"),
    ] {
        assert_eq!(about.matches(from).count(), 1, "{from}");
        let faults = check_pins(&about.replace(from, to), &lock, &manifest);
        assert_eq!(faults.len(), 1, "{to}：{faults:?}");
    }
}

#[test]
fn the_embedded_katex_is_the_one_of_the_fonts() {
    assert_eq!(katex::KATEX_VERSION.trim(), KATEX);
}

/// 文字里提到的版本与钉住的一致；`needed` 是必须提到的程序。
fn check_versions(text: &str, needed: &[&str]) -> Vec<String> {
    let named =
        Regex::new(r"(?i)\b(mdbook-katex|mdbook|katex)[@ \x60=v]+(\d+\.\d+\.\d+)")
            .expect("正则表达式");
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for found in named.captures_iter(text) {
        let name = found[1].to_lowercase();
        let version = match name.as_str() {
            "mdbook" => MDBOOK,
            "mdbook-katex" => MDBOOK_KATEX,
            _ => KATEX,
        };
        if &found[2] != version {
            faults.push(format!("写的是“{}”，钉住的是 {version}", &found[0]));
        }
        seen.insert(name);
    }
    for name in needed {
        if !seen.contains(*name) {
            faults.push(format!("没有写 {name} 的版本"));
        }
    }
    faults
}

#[test]
fn the_readme_names_the_pinned_versions() {
    let needed = ["mdbook", "mdbook-katex"];
    assert_eq!(check_versions(&read("README.md"), &needed), [] as [&str; 0]);
    for page in ["about", "daodu"] {
        let text = read(&format!("src/{page}.md"));
        assert_eq!(check_versions(&text, &[]), [] as [&str; 0], "{page}");
    }
}

#[test]
fn a_wrong_version_is_noticed() {
    let right = "cargo install --locked mdbook@0.5.3 mdbook-katex@0.10.0，KaTeX 0.16.4";
    let needed = ["mdbook", "mdbook-katex"];
    assert_eq!(check_versions(right, &needed), [] as [&str; 0]);
    for (from, to) in [
        ("mdbook@0.5.3", "mdbook@0.5.4"),
        ("mdbook-katex@0.10.0", "mdbook-katex@0.9.0"),
        ("KaTeX 0.16.4", "KaTeX 0.16.5"),
        ("mdbook@0.5.3", "mdbook"),
        ("mdbook-katex@0.10.0", ""),
    ] {
        let faults = check_versions(&right.replace(from, to), &needed);
        assert_eq!(faults.len(), 1, "{to}：{faults:?}");
    }
}

/// 库里登记的文档测试页。
fn check_doctests(library: &str, pages: &[String]) -> Vec<String> {
    let entry = Regex::new(r#"(?m)^ +page!\((\w+), "\.\./\.\./src/([^"]+)\.md"\);"#)
        .expect("正则表达式");
    let mut faults = Vec::new();
    let mut listed = Vec::new();
    for found in entry.captures_iter(library) {
        let page = found[2].to_string();
        if found[1] != page.replace(['/', '-'], "_") {
            faults.push(format!("{} 登记的是 {page}", &found[1]));
        }
        listed.push(page);
    }
    if listed != pages {
        faults.push(format!("登记了 {listed:?}，目录里手写的页是 {pages:?}"));
    }
    faults
}

#[test]
fn every_page_is_a_doctest() {
    let library = read("listings/src/lib.rs");
    let pages = written_pages();
    assert!(!pages.is_empty());
    assert_eq!(check_doctests(&library, &pages), [] as [&str; 0]);
    for (from, to) in [
        ("    page!(why, \"../../src/why.md\");\n", ""),
        ("    page!(why,", "    // page!(why,"),
        ("page!(why,", "page!(how,"),
        ("src/why.md", "src/map.md"),
    ] {
        assert!(library.contains(from), "{from}");
        let faults = check_doctests(&library.replace(from, to), &pages);
        assert!(!faults.is_empty(), "{to} 没有报告");
    }
}

/// 测试程序的各个模块：同目录的文件都要声明，一行一个，按字母排。
fn check_modules(book: &str, files: &[String]) -> Vec<String> {
    let declared: Vec<&str> = book
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    let mut faults = Vec::new();
    if !declared.is_sorted() {
        faults.push("模块没有按字母排".into());
    }
    for file in files {
        if !declared.contains(&file.as_str()) {
            faults.push(format!("tests/{file}.rs 没有声明，不会运行"));
        }
    }
    faults
}

#[test]
fn every_file_of_tests_is_declared() {
    let mut files: Vec<String> = names(&root().join("tests"))
        .iter()
        .filter_map(|name| Some(name.strip_suffix(".rs")?.to_string()))
        .filter(|name| name != "book")
        .collect();
    assert!(!files.is_empty());
    let book = read("tests/book.rs");
    assert_eq!(check_modules(&book, &files), [] as [&str; 0]);
    assert_eq!(check_modules("mod b;\nmod a;", &[]), ["模块没有按字母排"]);
    files.push("forgotten".into());
    assert_eq!(
        check_modules(&book, &files),
        ["tests/forgotten.rs 没有声明，不会运行"]
    );
}

/// 一个目录里的名字，排好序。
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("目录读得到").flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// 根目录里只有说得出用处的东西。
fn check_layout(found: &[String]) -> Vec<String> {
    let needed = ".gitattributes .gitignore Cargo.lock Cargo.toml README.md book.toml \
        listings rustfmt.toml src tests theme";
    let allowed = ".ci .git .github CITATION.cff LICENSE-APACHE LICENSE-CC-BY-4.0 \
        LICENSE-MIT book browser lab target";
    let mut faults = Vec::new();
    for name in found {
        let known = needed.split_whitespace().chain(allowed.split_whitespace());
        if !known.into_iter().any(|one| one == name) {
            faults.push(format!("根目录多了 {name}"));
        }
    }
    for name in needed.split_whitespace() {
        if !found.iter().any(|one| one == name) {
            faults.push(format!("根目录少了 {name}"));
        }
    }
    faults
}

#[test]
fn the_root_holds_only_what_is_expected() {
    let mut found = names(&root());
    assert_eq!(check_layout(&found), [] as [&str; 0]);
    found.push("notes.txt".into());
    found.retain(|name| name != "src");
    assert_eq!(
        check_layout(&found),
        ["根目录多了 notes.txt", "根目录少了 src"]
    );
}

/// 会逐字比较的文件在每个平台上都用 LF 换行。
fn check_line_ends(attributes: &str, files: &[(String, Vec<u8>)]) -> Vec<String> {
    let mut faults = Vec::new();
    if !attributes.lines().any(|line| line == "* text=auto eol=lf") {
        faults.push(".gitattributes 没有规定 LF".into());
    }
    for (path, bytes) in files {
        if bytes.contains(&b'\r') {
            faults.push(format!("{path} 里有回车"));
        }
    }
    faults
}

#[test]
fn lines_end_alike_everywhere() {
    let mut files = Vec::new();
    for folder in ["listings", "src", "tests", "theme"] {
        text_files(&root().join(folder), &mut files);
    }
    assert!(files.len() > 50, "只有 {} 个文件", files.len());
    let attributes = read(".gitattributes");
    assert_eq!(check_line_ends(&attributes, &files), [] as [&str; 0]);
    files.push(("a.md".into(), b"a\r\n".to_vec()));
    assert_eq!(
        check_line_ends("* text=auto", &files),
        [".gitattributes 没有规定 LF", "a.md 里有回车"]
    );
}

fn text_files(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for name in names(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            text_files(&path, files);
        } else if !name.ends_with(".woff2") && !name.ends_with(".png") {
            let bytes = fs::read(&path).expect("文件读得到");
            files.push((path.display().to_string(), bytes));
        }
    }
}
