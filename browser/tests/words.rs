//! 界面上的字：有脚本时都是中文，没有一帧露出英文；没有脚本时内容也齐全。

use browser::chrome::Chrome;
use browser::site::Site;
use serde_json::{Value, json};

/// 界面上可以出现的英文：专名（来自目录里的标题）、断言的编号、函数的记号、键名。
const NAMES: [&str; 12] = [
    "Rust",
    "RoPE",
    "ALiBi",
    "BERT",
    "GPT",
    "Transformer",
    "Transformer-XL",
    "NumPy",
    "softmax",
    "cos",
    "[a-z]+-[0-9]{2}",
    "Esc",
];

// 一次会话查完一组：开浏览器、建书比检查本身慢。

#[test]
fn the_interface_speaks_chinese() {
    let (chrome, site) = (Chrome::start(), Site::book());
    every_page_is_chinese(&chrome, &site);
    the_opened_boxes_are_chinese(&chrome, &site);
    the_announced_names_are_chinese(&chrome, &site);
    the_themes_have_chinese_names(&chrome, &site);
    the_copy_button_says_what_it_did(&chrome, &site);
    the_code_is_coloured(&chrome, &site);
}

#[test]
fn nothing_english_flashes_and_nothing_needs_scripts() {
    let (chrome, site) = (Chrome::start(), Site::book());
    nothing_is_lost_without_scripts(&chrome, &site);
    no_frame_shows_english(&chrome, &site);
}

/// 眼前这一页界面上的英文。
fn english(chrome: &Chrome) -> Vec<String> {
    let found = chrome.run(include_str!("../src/words.js"), vec![json!(NAMES)]);
    serde_json::from_value(found).expect("一列文字")
}

/// 每一页，连同打印页和 404 页；toc.html 是没有脚本时的边框，不算。
fn pages(site: &Site) -> Vec<String> {
    let mut pages = site.html();
    pages.retain(|page| page != "toc.html");
    pages
}

fn every_page_is_chinese(chrome: &Chrome, site: &Site) {
    let mut found = Vec::new();
    let pages = pages(site);
    for page in &pages {
        let width = if page == "404.html" { 390 } else { 1200 };
        chrome.open(&site.url(page), width);
        let words = english(chrome);
        found.extend(words.iter().map(|x| format!("{page}：{x}")));
        let title = chrome.run("return document.title;", vec![]);
        let chinese = title.as_str().is_some_and(|x| x.contains("位置编码"));
        assert!(chinese, "{page}：{title}");
    }
    println!("看过界面文字的页：{}", pages.len());
    assert!(pages.len() > 20 && pages.iter().any(|x| x == "404.html"));
    assert_eq!(found, Vec::<String>::new());
}

fn the_opened_boxes_are_chinese(chrome: &Chrome, site: &Site) {
    chrome.open(&site.url("why.html"), 1200);
    let open = "
      document.getElementById('mdbook-search-toggle').click();
      const bar = document.getElementById('mdbook-searchbar');
      bar.value = '鲸鱼座流星';
      bar.dispatchEvent(new InputEvent('input'));
      const header = document.getElementById('mdbook-searchresults-header');
      for (let i = 0; i < 500 && !header.textContent; i++) await new Promise((next) => setTimeout(next, 20));
      bar.blur();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
      const shown = (id) => document.getElementById('mdbook-' + id).checkVisibility();
      return ['searchbar', 'searchresults-header', 'help-popup'].map(shown);";
    let shown = chrome.run(open, vec![]);
    assert_eq!(shown, json!([true, true, true]), "都开着");
    assert_eq!(english(chrome), Vec::<String>::new());
    let help =
        "return document.getElementById('mdbook-help-popup').innerText.split(/\\n+/);";
    let lines = [
        "键盘快捷键",
        "← 或 →：翻页",
        "S 或 /：搜索",
        "?：显示这份帮助",
        "Esc：关闭这份帮助",
    ];
    assert_eq!(chrome.run(help, vec![]), json!(lines));
}

/// 读屏软件听到的：地标与按钮的名字都有，都是中文。
fn the_announced_names_are_chinese(chrome: &Chrome, site: &Site) {
    let roles = [
        "banner",
        "navigation",
        "search",
        "region",
        "button",
        "menu",
        "menuitem",
        "checkbox",
    ];
    for page in ["why.html", "404.html", "glossary.html"] {
        chrome.open(&site.url(page), 1200);
        chrome.run(
            "document.getElementById('mdbook-search-toggle').click();",
            vec![],
        );
        let tree = chrome.cdp("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().expect("一列节点");
        let mut heard = Vec::new();
        for node in nodes.iter().filter(|node| node["ignored"] == false) {
            let role = node["role"]["value"].as_str().unwrap_or("");
            let name = node["name"]["value"].as_str().unwrap_or("");
            if roles.contains(&role) {
                let plain = NAMES.iter().fold(name.to_owned(), |x, y| x.replace(y, ""));
                let english = plain.chars().filter(char::is_ascii_alphabetic).count();
                // 菜单栏这个横幅自己不必有名字。
                let named = !name.is_empty() || role == "banner";
                assert!(named && english < 3, "{page}：{role}“{name}”");
                heard.push(format!("{role} {name}"));
            }
        }
        for expected in ["navigation 目录", "search 搜索", "button 换主题"] {
            assert!(heard.iter().any(|x| x == expected), "{expected}：{heard:?}");
        }
        let paged = heard.iter().any(|x| x.starts_with("navigation 翻页"));
        assert!(paged || page == "404.html", "翻页：{heard:?}");
    }
}

/// 主题的名字，按列表里的次序，与它们的类。
const THEMES: [(&str, &str); 6] = [
    ("跟随系统", "light"),
    ("浅色", "light"),
    ("暖色", "rust"),
    ("炭黑", "coal"),
    ("深蓝", "navy"),
    ("墨青", "ayu"),
];

fn the_themes_have_chinese_names(chrome: &Chrome, site: &Site) {
    let choose = "
      const list = document.getElementById('mdbook-theme-list');
      if (!list.checkVisibility()) document.getElementById('mdbook-theme-toggle').click();
      const buttons = [...list.querySelectorAll('button')];
      const button = buttons.find((x) => x.textContent === arguments[0]);
      if (!button || !button.checkVisibility()) return buttons.map((x) => x.textContent);
      button.click();
      return [buttons.length, document.documentElement.classList.contains(arguments[1])];";
    for page in ["print.html", "404.html", "daodu.html"] {
        chrome.open(&site.url(page), 1200);
        for (name, class) in THEMES {
            let chosen = chrome.run(choose, vec![json!(name), json!(class)]);
            assert_eq!(chosen, json!([6, true]), "{page}：{name}");
            let found = english(chrome);
            assert_eq!(found, Vec::<String>::new(), "{page}：{name}");
        }
        chrome.run("localStorage.clear();", vec![]);
    }
}

/// 点一下第一个某种代码块的复制按钮，等它说话；交出按钮上的字、名字与剪贴板里的字。
const COPY: &str = "
const code = document.querySelector('pre > code.language-' + arguments[0]);
const button = code.parentElement.querySelector('.clip-button');
const before = [button.title, button.getAttribute('aria-label')];
button.click();
while (!button.firstChild.textContent) await new Promise((next) => setTimeout(next, 10));
const said = [button.firstChild.textContent, button.getAttribute('aria-label')];
const copied = arguments[1] ? await navigator.clipboard.readText() : '';
button.dispatchEvent(new MouseEvent('mouseout'));
return [before, said, copied, code.textContent, button.getAttribute('aria-label')];";

fn the_copy_button_says_what_it_did(chrome: &Chrome, site: &Site) {
    chrome.cdp(
        "Browser.grantPermissions",
        json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    chrome.open(&site.url("why.html"), 1200);
    chrome.run(
        "document.querySelectorAll('main details').forEach((box) => { box.open = true; });",
        vec![],
    );
    for language in ["rs", "console"] {
        let said = chrome.run(COPY, vec![json!(language), json!(true)]);
        assert_eq!(said[0], json!(["复制", "复制"]));
        assert_eq!(said[1], json!(["已复制", "已复制"]));
        assert_eq!(said[4], "复制", "鼠标移开，名字还原");
        let text = said[3].as_str().expect("代码");
        let command = text.lines().next().and_then(|x| x.strip_prefix("$ "));
        let expected = command.unwrap_or(text);
        assert_eq!(said[2], expected, "终端记录只复制命令，代码复制全部");
    }
    assert_eq!(english(chrome), Vec::<String>::new(), "说过话之后");
    // 没有剪贴板接口的网址用老办法；被拒绝就直说。
    let without = "Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });
      const old = document.execCommand;
      document.execCommand = (name) => { window.__selected = String(document.activeElement.value); return name === 'copy'; };";
    chrome.run(without, vec![]);
    let said = chrome.run(COPY, vec![json!("console"), json!(false)]);
    assert_eq!(said[1][0], "已复制");
    let selected = chrome.run("return window.__selected;", vec![]);
    assert!(
        selected
            .as_str()
            .is_some_and(|x| x.starts_with("cargo run")),
        "{selected}"
    );
    let refused = "Object.defineProperty(navigator, 'clipboard',
      { value: { writeText: () => Promise.reject(new Error()) } });";
    chrome.run(refused, vec![]);
    let said = chrome.run(COPY, vec![json!("console"), json!(false)]);
    assert_eq!(said[1][0], "没能复制");
}

/// 语言，代码，上了色的各段。
const CODE: [(&str, &str, &[&str]); 4] = [
    (
        "rs",
        "/// 长 `d`\npub fn f<'a>(x: &'a str) -> Result<f64> { g(x, 'c', \"字 // \\\"\", 1e-12) }",
        &[
            "comment /// 长 `d`",
            "keyword pub",
            "keyword fn",
            "type Result",
            "title g",
            "string 'c'",
            "string \"字 // \\\"\"",
            "number 1e-12",
        ],
    ),
    (
        "rust",
        "#[test]\nlet x = 0..10; // 完",
        &[
            "meta #[test]",
            "keyword let",
            "number 0",
            "number 10",
            "comment // 完",
        ],
    ),
    (
        "python",
        "import numpy as np  # 库\nx = f('a b', 2)",
        &[
            "keyword import",
            "keyword as",
            "comment # 库",
            "title f",
            "string 'a b'",
            "number 2",
        ],
    ),
    ("console", "$ cargo run\nfn 1", &["meta $ cargo run"]),
];

fn the_code_is_coloured(chrome: &Chrome, site: &Site) {
    let colour = "
      const code = document.createElement('code');
      code.className = 'language-' + arguments[0];
      code.textContent = arguments[1];
      hljs.highlightBlock(code);
      const parts = [...code.children].map((x) => x.className.replace('hljs-', '') + ' ' + x.textContent);
      return [code.textContent, parts];";
    chrome.open(&site.url("why.html"), 1200);
    for (language, code, parts) in CODE {
        let found = chrome.run(colour, vec![json!(language), json!(code)]);
        assert_eq!(found, json!([code, parts]), "{language}");
    }
    let plain = "return [...document.querySelectorAll('main pre > code')]
      .filter((x) => /language-(rs|python)/.test(x.className) && !x.querySelector('.hljs-keyword')).length;";
    assert_eq!(chrome.run(plain, vec![]), 0, "页里的代码都上了色");
}

/// 在慢的线路上打开一页，交出看过的帧数与露出的英文。
fn frames(chrome: &Chrome, url: &str, speed: u32) -> (u64, Vec<String>) {
    let slow = |speed: i64| {
        let line = json!({
            "offline": false, "latency": 20,
            "downloadThroughput": speed, "uploadThroughput": -1,
        });
        chrome.cdp("Network.emulateNetworkConditions", line);
    };
    let source =
        include_str!("../src/frames.js").replace("__NAMES__", &NAMES.join("|"));
    let script = chrome.cdp(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": source }),
    );
    chrome.cdp("Network.enable", json!({}));
    slow(i64::from(speed));
    chrome.open(url, 1200);
    let found = chrome.run(
        "const { count, seen } = window.__frames; return [count, [...new Set(seen)]];",
        vec![],
    );
    slow(-1);
    chrome.cdp("Page.removeScriptToEvaluateOnNewDocument", script);
    serde_json::from_value(found).expect("帧数与文字")
}

fn no_frame_shows_english(chrome: &Chrome, site: &Site) {
    // 先看检查自己：只露面一两帧的英文也看得见。
    let flash = "<!doctype html><title>题</title><body><p id=p>Note</p><main>Text</main>\
        <script>requestAnimationFrame(() => requestAnimationFrame(() => p.remove()));\
        </script>";
    for (page, word) in [
        (flash.to_owned(), "Note"),
        ("<title>Page not found</title>".to_owned(), "Page not found"),
        (
            "<title>题</title><input placeholder='Search'>".to_owned(),
            "Search",
        ),
        (
            "<title>题</title><main><p><button>Copy</button></p></main>".to_owned(),
            "Copy",
        ),
    ] {
        let site = Site::pages(&[("flash.html", &page)]);
        let (_, seen) = frames(chrome, &site.url("flash.html"), 1_000_000);
        assert!(seen.iter().any(|x| x == word), "{word}：{seen:?}");
    }
    for page in ["index.html", "why.html", "404.html", "ledger/why.html"] {
        let (count, seen) = frames(chrome, &site.url(page), 150_000);
        println!("{page}：看过 {count} 帧");
        assert!(count >= 5, "{page}：只看了 {count} 帧");
        assert_eq!(seen, Vec::<String>::new(), "{page}");
    }
}

/// 一页的正文：文字（按钮、能动的图与提示除外），公式、图、表、答案各有多少，以及看不见的。
const CONTENT: &str = "
const main = document.querySelector('main');
const copy = main.cloneNode(true);
copy.querySelectorAll('button, .play, [role=tooltip], script').forEach((x) => x.remove());
const hidden = [];
main.querySelectorAll('details').forEach((x) => { x.open = true; });
for (const e of main.querySelectorAll('p, li, pre, td, th, h1, h2, h3, figure > svg, figcaption, .katex-html')) {
  const box = e.getBoundingClientRect();
  if (e.textContent.trim() && !e.closest('.play, button, [role=tooltip]') && !(e.checkVisibility() && box.width && box.height)) {
    hidden.push(e.tagName + '：' + e.textContent.trim().slice(0, 40));
  }
}
const count = (what) => main.querySelectorAll(what).length;
return [copy.textContent.replace(/\\s+/g, ' '), ['.katex', 'figure > svg', 'table', 'details', 'pre'].map(count), hidden];";

fn nothing_is_lost_without_scripts(chrome: &Chrome, site: &Site) {
    let mut pages = pages(site);
    pages.retain(|page| !page.starts_with("ledger/") && page != "print.html");
    let mut totals = [0_u64; 5];
    let with: Vec<Value> = pages
        .iter()
        .map(|page| {
            chrome.open(&site.url(page), 1200);
            chrome.run(CONTENT, vec![])
        })
        .collect();
    let scripts = |off: bool| {
        let value = json!({ "value": off });
        chrome.cdp("Emulation.setScriptExecutionDisabled", value);
    };
    scripts(true);
    for (page, with) in pages.iter().zip(with) {
        chrome.cdp("Page.navigate", json!({ "url": site.url(page) }));
        let complete = |chrome: &Chrome| {
            let script = "return [location.pathname, document.readyState, document.documentElement.classList.contains('js')];";
            chrome.run(script, vec![])
        };
        let expected = json!([format!("/{page}"), "complete", false]);
        let started = std::time::Instant::now();
        while complete(chrome) != expected {
            assert!(started.elapsed().as_secs() < 60, "{page}：没有打开");
        }
        let without = chrome.run(CONTENT, vec![]);
        assert_eq!(without[0], with[0], "{page}：文字");
        assert_eq!(without[1], with[1], "{page}：公式、图、表、答案、代码");
        assert_eq!(without[2], json!([]), "{page}：看不见");
        for (total, value) in
            totals.iter_mut().zip(without[1].as_array().expect("数目"))
        {
            *total += value.as_u64().expect("数目");
        }
    }
    scripts(false);
    println!("没有脚本也在的公式、图、表、答案、代码：{totals:?}");
    assert!(totals.iter().all(|total| *total > 10), "{totals:?}");
}

/// 有毛病的一处，要认出的字。
const BROKEN: [(&str, &str); 9] = [
    ("<p>Note</p><main></main>", "Note"),
    ("<a title='Next chapter' href=x>下</a>", "Next chapter"),
    (
        "<nav aria-label='Table of contents'></nav>",
        "Table of contents",
    ),
    ("<input placeholder='Search this book'>", "Search this book"),
    ("<img alt='picture'>", "picture"),
    ("<main><button>Copy</button></main>", "Copy"),
    ("<main><p title='Proof'>证</p></main>", "Proof"),
    (
        "<main><blockquote class=blockquote-tag><p>Warning</blockquote></main>",
        "Warning",
    ),
    ("<p>RoPE Light</p>", "Light"),
];

#[test]
fn each_english_word_is_seen() {
    let chrome = Chrome::start();
    let page = |body: &str| format!("<!doctype html><title>题</title>{body}");
    let clean = "<p>位置 RoPE Esc ab</p><main><p>English</p><code>let</code></main>";
    let good = page(clean);
    let site = Site::pages(&[("good.html", &good)]);
    chrome.open(&site.url("good.html"), 1200);
    assert_eq!(english(&chrome), Vec::<String>::new());
    for (body, word) in BROKEN {
        let text = page(body);
        let site = Site::pages(&[("bad.html", &text)]);
        chrome.open(&site.url("bad.html"), 1200);
        let found = english(&chrome);
        assert!(found.iter().any(|x| x.contains(word)), "{body}\n{found:?}");
    }
    let text = "<!doctype html><title>Page not found</title>题";
    let site = Site::pages(&[("bad.html", text)]);
    chrome.open(&site.url("bad.html"), 1200);
    assert!(!english(&chrome).is_empty(), "网页的标题");
}
