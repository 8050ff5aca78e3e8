//! 建书与供页。

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use flate2::Compression;
use flate2::write::GzEncoder;

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;
use tempfile::TempDir;

/// 仓库的根。
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("browser/ 在仓库的根下面")
        .to_path_buf()
}

/// 一组网页，由本机的一个端口供给；丢弃时临时目录随之删除。
#[derive(Debug)]
pub struct Site {
    dir: TempDir,
    port: u16,
    policy: Arc<OnceLock<String>>,
}

impl Site {
    /// 把整本书建在临时目录里。
    pub fn book() -> Self {
        Self::build(&root().join("src"))
    }

    /// 同一本书，用 mdBook 与公式插件原来的样子：自带的主题、字体、搜索，
    /// 插件自己的公式样式（从本机供给，好比网络上的那一份就在手边）。
    pub fn stock() -> Self {
        let dir = tempfile::tempdir().expect("临时目录");
        let empty = tempfile::tempdir().expect("临时目录");
        let ours = Config::from_disk(root().join("book.toml")).expect("book.toml");
        let mut config = Config::default();
        config.book.title = ours.book.title;
        config.book.language = ours.book.language;
        config.book.src = root().join("src");
        config.build.build_dir = dir.path().to_path_buf();
        config
            .set("preprocessor.katex.after", ["links"])
            .expect("设置可写");
        let mut book = MDBook::load_with_config(empty.path(), config).expect("书可读");
        book.with_preprocessor(mdbook_katex::preprocess::KatexProcessor);
        book.build().expect("书可建");
        let site = Self::serve(dir);
        for page in site.html() {
            let path = site.dir().join(page);
            let text = std::fs::read_to_string(&path).expect("网页可读");
            let text = text.replace(
                "https://cdn.jsdelivr.net/npm/katex@0.16.4/dist/katex.min.css",
                OFFICIAL,
            );
            std::fs::write(&path, text).expect("网页可写");
        }
        site
    }

    /// 用书的设置与样式，只建 `browser/sample` 里的样页。
    pub fn sample() -> Self {
        let src = tempfile::tempdir().expect("临时目录");
        let page = root().join("browser/sample/sample.md");
        std::fs::copy(&page, src.path().join("sample.md")).expect("样页可读");
        std::fs::write(src.path().join("SUMMARY.md"), "- [样页](sample.md)\n")
            .expect("目录可写");
        // 页面的头里引用的脚本也在 src 里。
        for entry in std::fs::read_dir(root().join("src"))
            .expect("src 可读")
            .flatten()
        {
            if entry.path().extension().is_some_and(|x| x == "js") {
                let to = src.path().join(entry.file_name());
                std::fs::copy(entry.path(), to).expect("脚本可读");
            }
        }
        Self::build(src.path())
    }

    /// 现成的几页，给检查器自己的测试用：名字与内容。
    pub fn pages(pages: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("临时目录");
        for (name, text) in pages {
            std::fs::write(dir.path().join(name), text).expect("页面可写");
        }
        Self::serve(dir)
    }

    fn build(src: &Path) -> Self {
        let dir = tempfile::tempdir().expect("临时目录");
        let mut config =
            Config::from_disk(root().join("book.toml")).expect("book.toml");
        config.book.src = src.to_path_buf();
        config.build.build_dir = dir.path().to_path_buf();
        let mut book = MDBook::load_with_config(root(), config).expect("书可读");
        book.with_preprocessor(mdbook_katex::preprocess::KatexProcessor);
        book.build().expect("书可建");
        Self::serve(dir)
    }

    fn serve(dir: TempDir) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("本机端口");
        let port = listener.local_addr().expect("端口号").port();
        let root: Arc<Path> = dir.path().into();
        let policy = Arc::new(OnceLock::new());
        let header = Arc::clone(&policy);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let root = Arc::clone(&root);
                let header = Arc::clone(&header);
                std::thread::spawn(move || {
                    answer(stream, &root, header.get().map(String::as_str));
                });
            }
        });
        Self { dir, port, policy }
    }

    /// 此后每个回答都带上这条 `Content-Security-Policy`。
    ///
    /// # Panics
    ///
    /// 第二次调用时。
    pub fn set_policy(&self, policy: &str) {
        self.policy.set(policy.into()).expect("只设一次");
    }

    /// 页面所在的目录。
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// 所有地址共有的前一段，以斜线结尾。
    pub fn origin(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// 一页的地址。
    pub fn url(&self, page: &str) -> String {
        self.origin() + page
    }

    /// 全部网页，从根算起的路径，按名字排好。
    pub fn html(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut todo = vec![self.dir().to_path_buf()];
        while let Some(dir) = todo.pop() {
            for entry in std::fs::read_dir(dir).expect("目录可读").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    todo.push(path);
                } else if path.extension().is_some_and(|x| x == "html") {
                    let page = path.strip_prefix(self.dir()).expect("在根下面");
                    found.push(page.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        found.sort();
        found
    }
}

/// 官方样式所在的目录：`KATEX_CSS` 给出的文件旁边还有它的字体。
///
/// # Panics
///
/// 没有给出、不存在，或不是 0.16.4 版时。
pub fn official() -> PathBuf {
    let css = std::env::var("KATEX_CSS").expect(
        "要与官方样式比较：npm install katex@0.16.4，\
         再把 KATEX_CSS 设为其中 dist/katex.min.css 的路径",
    );
    let dist = Path::new(&css)
        .parent()
        .expect("文件在目录里")
        .to_path_buf();
    assert!(Path::new(&css).is_file(), "KATEX_CSS 指的文件不存在：{css}");
    let about = std::fs::read_to_string(dist.join("../package.json"))
        .expect("dist 旁边有 package.json");
    let about: BTreeMap<String, serde_json::Value> =
        serde_json::from_str(&about).expect("package.json 可读");
    assert_eq!(about["version"], "0.16.4", "官方样式的版本");
    dist
}

/// 官方样式在每个 [`Site`] 里的地址。
pub const OFFICIAL: &str = "/_katex/katex.min.css";

/// 用 gzip 压缩，压缩级别是常见的网站软件默认用的 6。
pub fn compress(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(body).expect("写进内存");
    encoder.finish().expect("写进内存")
}

fn answer(mut stream: TcpStream, root: &Path, policy: Option<&str>) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let mut gzip = false;
    for line in lines {
        if line.is_empty() {
            break;
        }
        let line = line.to_ascii_lowercase();
        gzip |= line.starts_with("accept-encoding:") && line.contains("gzip");
    }
    let path = first.split(' ').nth(1).unwrap_or("/");
    let path = path.split(['?', '#']).next().unwrap_or("/");
    let path = path.trim_start_matches('/');
    let file = match path.strip_prefix("_katex/") {
        Some(rest) => official().join(rest),
        None if path.is_empty() => root.join("index.html"),
        None => root.join(path),
    };
    let body = std::fs::read(&file);
    let (status, body) = match (path.contains(".."), body) {
        (false, Ok(body)) => ("200 OK", body),
        _ => ("404 Not Found", Vec::new()),
    };
    let kind = match file.extension().and_then(|x| x.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    // 与一般的网站一样：文字压缩，字体本来就压缩过。
    let (body, encoding) = if gzip && kind != "font/woff2" && !body.is_empty() {
        (compress(&body), "Content-Encoding: gzip\r\n")
    } else {
        (body, "")
    };
    let policy = policy.map_or_else(String::new, |policy| {
        format!("Content-Security-Policy: {policy}\r\n")
    });
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
         {encoding}{policy}Cache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // 浏览器可能先挂断，那不是错误。
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&body);
}
