//! 在测试里把整本书建出来：与 `mdbook build` 相同的部件，不需要装任何程序。
//!
//! 公式插件外面套一层同名的预处理器，记下它扫描到的公式和它交出的 Markdown；
//! 建书期间的警告与错误由全局的订阅者收集。网页读进内存，临时目录随即删除。

use crate::{bless, source};
use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use mdbook_driver::errors::Result;
use mdbook_katex::cfg::get_config;
use mdbook_katex::preprocess::{
    KATEX_HEADER, KatexProcessor, Render, get_render_tasks,
};
use mdbook_preprocessor::book::{Book, BookItem};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, Once};
use std::{env, fs, mem};

/// 一章在三个阶段的样子。
#[derive(Clone)]
pub struct Chapter {
    /// 相对 `src/` 的路径，如 `ledger/why.md`。
    pub path: String,
    /// 引入文件之后、公式变成 HTML 之前的 Markdown。
    pub included: String,
    /// 公式插件交出的 Markdown，mdBook 读的就是它。
    pub processed: String,
    /// 插件扫描到的公式，真值是独立成行的。
    pub formulas: Vec<Formula>,
}

impl Chapter {
    /// 建成的网页，如 `ledger/why.html`。
    pub fn page(&self) -> String {
        Path::new(&self.path)
            .with_extension("html")
            .display()
            .to_string()
    }
}

/// 建好的书。
#[derive(Clone)]
pub struct Built {
    /// 书的根目录，`book.toml` 所在处。
    pub root: PathBuf,
    /// `src/` 里的全部 Markdown，键是相对 `src/` 的路径。
    pub sources: BTreeMap<String, String>,
    /// 建成的全部文件，键是用 `/` 分隔的相对路径。
    pub files: BTreeMap<String, Vec<u8>>,
    /// 目录里的各章。
    pub chapters: Vec<Chapter>,
    /// 建书期间的警告和错误，一条一项。
    pub complaints: Vec<String>,
    /// 公式出错时 KaTeX 用的颜色。
    pub error_color: String,
}

/// 本书，每次测试只建一次。
pub fn book() -> &'static Built {
    static BOOK: LazyLock<Built> = LazyLock::new(|| {
        if env::var_os("BLESS").is_some() {
            bless::ready(); // 先改写，再建书
        }
        let root = source::root();
        let config = Config::from_disk(root.join("book.toml")).expect("book.toml");
        build(&root, config).expect("建书")
    });
    &BOOK
}

/// 按给定的配置建一本书。
pub fn build(root: &Path, mut config: Config) -> Result<Built> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    listen();
    take_events();

    let target = tempfile::tempdir()?;
    config.build.build_dir = target.path().to_path_buf();
    // 书里不带 mdBook 的搜索索引；检查要看它收了哪些页、哪些字，搜索用的文字也由它抄出。
    config.set("output.html.search.copy-js", true)?;
    let error_color = get_config(&config)?.error_color;
    let chapters = Arc::new(Mutex::new(Vec::new()));
    let mut book = MDBook::load_with_config(root, config)?;
    book.with_preprocessor(Watched(Arc::clone(&chapters)));
    book.build()?;

    let files = collect(target.path(), "", |_| true)?;
    let sources = collect(&root.join("src"), "", |name| name.ends_with(".md"))?
        .into_iter()
        .map(|(path, bytes)| Ok((path, String::from_utf8(bytes)?)))
        .collect::<Result<_>>()?;
    let complaints = take_events()
        .into_iter()
        .filter(|event| {
            ["WARN", "ERROR"]
                .iter()
                .any(|l| event.trim_start().starts_with(l))
        })
        .collect();
    let chapters = mem::take(&mut *chapters.lock().expect("没有恐慌"));
    Ok(Built {
        root: root.to_path_buf(),
        sources,
        files,
        chapters,
        complaints,
        error_color,
    })
}

/// 与插件同名，因此占它的位置；看过公式，再交给插件。
///
/// 同一个公式只渲染一次：全书不同的公式排成一章交给插件，结果按插件自己的切分放回去。
struct Watched(Arc<Mutex<Vec<Chapter>>>);

impl Preprocessor for Watched {
    fn name(&self) -> &str {
        KatexProcessor.name()
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let config = get_config(&context.config)?;
        let options = config.build_extra_opts();
        let header = if config.no_css { "" } else { KATEX_HEADER };
        let mut chapters: Vec<Chapter> = book
            .chapters()
            .map(|chapter| Chapter {
                path: slashes(chapter.path.as_deref().unwrap_or(Path::new(""))),
                included: chapter.content.clone(),
                processed: String::new(),
                formulas: get_render_tasks(&chapter.content, "", &options)
                    .into_iter()
                    .filter_map(formula)
                    .collect(),
            })
            .collect();
        let rendered = render(context, &chapters)?;
        book.for_each_chapter_mut(|chapter| {
            let tasks = get_render_tasks(&chapter.content, header, &options);
            let pieces = tasks.into_iter().map(|task| match task {
                Render::Text(text) => text,
                other => formula(other).map_or("", |key| &rendered[&key]),
            });
            chapter.content = pieces.collect();
        });
        for (chapter, after) in chapters.iter_mut().zip(book.chapters()) {
            chapter.processed = after.content.clone();
        }
        *self.0.lock().expect("没有恐慌") = chapters;
        Ok(book)
    }
}

/// 一个公式：是否独立成行，和它的 TeX。
type Formula = (bool, String);

fn formula(task: Render) -> Option<Formula> {
    match task {
        Render::Text(_) => None,
        Render::InlineTask(tex) => Some((false, tex.to_string())),
        Render::DisplayTask(tex) => Some((true, tex.to_string())),
    }
}

/// 让插件把不同的公式各渲染一次。
fn render(
    context: &PreprocessorContext,
    chapters: &[Chapter],
) -> Result<HashMap<Formula, String>> {
    let distinct: BTreeSet<&Formula> = chapters
        .iter()
        .flat_map(|chapter| &chapter.formulas)
        .collect();
    let config = get_config(&context.config)?;
    let mut text = String::new();
    for (display, tex) in &distinct {
        let marks = match display {
            true => &config.block_delimiter,
            false => &config.inline_delimiter,
        };
        text.push_str(&format!("\0{}{tex}{}", marks.left, marks.right));
    }
    let page = BookItem::from(mdbook_driver::book::Chapter {
        content: text,
        path: Some("formulas.md".into()),
        ..Default::default()
    });
    let book = KatexProcessor.run(context, Book::new_with_items(vec![page]))?;
    let text = &book.chapters().next().expect("放进去的一章").content;
    let pieces = text.split('\0').skip(1).map(str::to_string);
    Ok(distinct.into_iter().cloned().zip(pieces).collect())
}

/// 读进一个目录下名字合意的全部文件。
fn collect(
    folder: &Path,
    prefix: &str,
    wanted: fn(&str) -> bool,
) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            files.extend(collect(&entry.path(), &format!("{name}/"), wanted)?);
        } else if wanted(&name) {
            files.insert(name, fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// 用 `/` 分隔的路径，各平台一样。
pub fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// 建书期间的事件，一次写入一条。
static EVENTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Listener;

impl Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let event = String::from_utf8_lossy(bytes).into_owned();
        EVENTS.lock().expect("没有恐慌").push(event);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn take_events() -> Vec<String> {
    mem::take(&mut *EVENTS.lock().expect("没有恐慌"))
}

/// 挂上全局的订阅者：插件在别的线程上渲染，线程内的订阅者听不见。
fn listen() {
    static START: Once = Once::new();
    START.call_once(|| {
        tracing_subscriber::fmt()
            .without_time()
            .with_ansi(false)
            .with_writer(|| Listener)
            .init();
    });
}
