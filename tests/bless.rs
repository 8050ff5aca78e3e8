//! 运行全部程序，读全部书稿；设了 `BLESS=1` 就先把图、输出、链接定义和断言清单重写一遍。
//!
//! 只有这里写文件，别的测试只比较。

use crate::ledger::{self, Claims};
use crate::numbers::Context;
use crate::outputs;
use crate::source::{heading_title, programs, read, root, written_pages};
use crate::tips;
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};

/// 检查要用的一切，只准备一次。
pub struct Book {
    /// 手写的页：名字与全文。
    pub pages: Vec<(String, String)>,
    /// 全部断言。
    pub claims: Claims,
    /// 程序的输出（`claims` 和 `golden` 除外）。
    pub outputs: HashMap<String, String>,
}

impl Book {
    /// 检查一页的数字所需的东西。
    pub fn context<'a>(&'a self, page: &'a str) -> Context<'a> {
        Context {
            page,
            claims: &self.claims,
        }
    }
}

/// 准备好的书。
pub fn ready() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| {
        let mut book = load();
        if std::env::var_os("BLESS").is_some() {
            assert!(std::env::var_os("CI").is_none(), "CI 里不许 BLESS");
            bless(&mut book);
        }
        book
    })
}

fn load() -> Book {
    let outputs = run_all();
    let claims = Claims::parse(&run("claims"), &read("listings/data/cited.csv"))
        .unwrap_or_else(|why| panic!("{why}"));
    let pages = written_pages()
        .into_iter()
        .map(|page| (page.clone(), read(&format!("src/{page}.md"))))
        .collect();
    Book {
        pages,
        claims,
        outputs,
    }
}

fn bless(book: &mut Book) {
    for (name, output) in book
        .outputs
        .iter()
        .filter(|(name, _)| name.starts_with("fig_"))
    {
        write(&format!("src/figures/{name}.svg"), output);
    }
    write(
        "listings/Cargo.toml",
        &with_programs(&read("listings/Cargo.toml"), &programs()),
    );
    let pages = std::mem::take(&mut book.pages);
    for (page, text) in pages {
        let text = outputs::with_outputs(&text, &book.outputs);
        let covers = ledger::covers_of(book, &page, &text);
        let text =
            ledger::with_definitions(&text, &ledger::link_definitions(&page, &covers));
        write(&format!("src/{page}.md"), &text);
        book.pages.push((page, text));
    }
    for (path, text) in ledger_files(book) {
        write(&path, &text);
    }
    let words =
        tips::data(&read("src/glossary.md")).unwrap_or_else(|why| panic!("{why}"));
    write(tips::FILE, &words);
}

/// 程序里没有测试；写明 `test = false`，免得每个程序多编译一遍。
pub fn with_programs(manifest: &str, programs: &[String]) -> String {
    const HEAD: &str = "# 以下由 BLESS 生成：程序里没有测试，不必为测试再编译一遍\n";
    let kept = manifest.split(HEAD).next().unwrap_or(manifest).trim_end();
    let mut text = format!("{kept}\n\n{HEAD}");
    for name in programs {
        text.push_str(&format!("[[bin]]\nname = \"{name}\"\ntest = false\n\n"));
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// 生成的断言清单：路径与内容。
pub fn ledger_files(book: &Book) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut titles = Vec::new();
    for (page, text) in &book.pages {
        if !root()
            .join(format!("listings/src/bin/claims/{page}.rs"))
            .exists()
        {
            continue;
        }
        let title = text.lines().next().map_or("", heading_title).to_string();
        let covers = ledger::covers_of(book, page, text);
        files.push((
            format!("src/ledger/{page}.md"),
            ledger::ledger_page(book, page, &title, &covers),
        ));
        titles.push((page.clone(), title));
    }
    files.push((
        "src/ledger.md".to_string(),
        ledger::ledger_index(book, &titles),
    ));
    files
}

/// 写一个文件；内容没变就不碰。
pub fn write(path: &str, text: &str) {
    let path = root().join(path);
    if std::fs::read_to_string(&path).ok().as_deref() != Some(text) {
        std::fs::write(&path, text)
            .unwrap_or_else(|why| panic!("{}：{why}", path.display()));
    }
}

fn run_all() -> HashMap<String, String> {
    let names: Vec<String> = programs()
        .into_iter()
        .filter(|name| !matches!(name.as_str(), "claims" | "golden"))
        .collect();
    let queue = Mutex::new(names.into_iter());
    let outputs = Mutex::new(HashMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(name) = queue.lock().expect("队列").next() else {
                        break;
                    };
                    let output = run(&name);
                    outputs.lock().expect("输出").insert(name, output);
                }
            });
        }
    });
    outputs.into_inner().expect("输出")
}

/// 运行一个程序，返回标准输出；必须成功，标准错误必须为空。
pub fn run(name: &str) -> String {
    let program = std::env::var_os(format!("CARGO_BIN_EXE_{name}")).map_or_else(
        || panic!("找不到程序 {name}：请用 cargo test 运行"),
        PathBuf::from,
    );
    let output = Command::new(program)
        .stdin(Stdio::null())
        .current_dir(root())
        .output()
        .expect("程序能启动");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{name} 失败：{}\n{errors}",
        output.status
    );
    String::from_utf8(output.stdout)
        .unwrap_or_else(|_| panic!("{name} 的输出不是 UTF-8"))
}

#[test]
fn the_manifest_lists_every_program() {
    ready();
    let manifest = read("listings/Cargo.toml");
    assert!(
        manifest == with_programs(&manifest, &programs()),
        "listings/Cargo.toml 过时了，请运行 BLESS=1 cargo test --test book"
    );
    let names = ["a".to_string(), "b".to_string()];
    let fresh = with_programs("[package]\n", &names);
    assert!(fresh.contains("name = \"b\"\ntest = false"));
    assert_eq!(with_programs(&fresh, &names), fresh);
    assert_ne!(with_programs(&fresh, &names[..1]), fresh);
}
