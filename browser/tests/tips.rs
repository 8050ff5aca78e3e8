//! 单词的提示：指到、聚焦、点一下都显示；Esc 收起；样子与断言的记号不同，一样安静。

use browser::chrome::{Chrome, Event, WIDTHS};
use browser::input::{click, hover, point, press, text, touch, wait};
use browser::page::contrast;
use browser::site::Site;
use serde_json::{Value, json};

const READY: &str = "document.documentElement.dataset.tips === 'ready'";
const LINK: &str = "main a[href*=\"glossary.html#glossary-\"]";
const SHOWN: &str = "!document.getElementById('tip').hidden";

/// 有提示的页：手写的页，单词汇总自己除外。
fn pages(site: &Site) -> Vec<String> {
    let without = [
        "404.html",
        "glossary.html",
        "index.html",
        "print.html",
        "toc.html",
    ];
    let with = |page: &String| {
        !without.contains(&page.as_str()) && !page.starts_with("ledger")
    };
    site.html().into_iter().filter(with).collect()
}

fn open(chrome: &Chrome, site: &Site, page: &str, width: u32) -> Vec<Event> {
    let events = chrome.open(&site.url(page), width);
    wait(chrome, READY);
    events
}

fn shown(chrome: &Chrome) -> bool {
    text(chrome, SHOWN) == "true"
}

/// 逐个聚焦一页的单词，列出不对的地方；也给出单词的个数。
const EACH: &str = "const faults = [];
    const links = [...document.querySelectorAll(arguments[0])];
    const tip = document.getElementById('tip');
    const entries = new Map(window.glossaryWords.map((entry) => [entry[0], entry]));
    const added = new Set();
    for (const link of links) {
      const fault = (what) => faults.push(link.textContent + '：' + what);
      const id = link.hash.slice(10);
      const entry = entries.get(id);
      if (!entry) { fault('没有意思'); continue; }
      if (!link.firstElementChild) {
        if (!link.textContent.includes(entry[1])) fault('写的是 ' + entry[1]);
      }
      if (link.matches('.word') && added.has(id)) fault('不是第一次出现');
      added.add(id);
      if (link.closest('h1, h2, h3, h4, pre, code, svg, .katex')) fault('在标题、代码或公式里');
      if (!link.checkVisibility({ contentVisibilityAuto: false }) || link.closest('details:not([open])')) continue;
      link.focus();
      if (tip.hidden) { fault('聚焦了不显示'); continue; }
      const words = `${entry[1]}（${entry[2]}）：${entry[3]}`;
      if (tip.textContent !== words) fault('显示的是 ' + tip.textContent);
      if (link.getAttribute('aria-describedby') !== 'tip' || tip.role !== 'tooltip') fault('读屏软件听不到');
      const box = tip.getBoundingClientRect();
      if (box.left < 0 || box.right > innerWidth + .5) fault('出了屏幕');
      const own = link.getClientRects()[0];
      if (box.top < own.bottom && own.top < box.bottom) fault('盖住了单词');
      link.blur();
      if (!tip.hidden || link.hasAttribute('aria-describedby')) fault('走开了不收起');
    }
    return [links.length, faults];";

#[test]
fn every_word_tells_its_meaning() {
    let chrome = Chrome::start();
    let site = Site::book();
    let mut total = 0;
    for width in WIDTHS {
        for page in pages(&site) {
            open(&chrome, &site, &page, width);
            let found = chrome.run(EACH, vec![json!(LINK)]);
            let (count, faults): (usize, Vec<String>) =
                serde_json::from_value(found).expect("数目与毛病");
            assert_eq!(faults, [""; 0], "{page}，宽 {width}");
            total += count;
        }
    }
    println!("两种宽度，看过的单词：{total}");
    assert!(total > 200, "只有 {total} 个");
}

#[test]
fn a_broken_tip_is_seen() {
    let chrome = Chrome::start();
    let site = Site::book();
    let damage = [
        (
            "glossary-data.js",
            "\"给下一个词元",
            "\"给上一个词元",
            false,
        ),
        (
            "theme/tips-",
            "show(link);\n    });\n    main.addEventListener('focusout'",
            "void 0;\n    });\n    main.addEventListener('focusout'",
            true,
        ),
        (
            "theme/tips-",
            "link.setAttribute('aria-describedby', tip.id);",
            "",
            true,
        ),
        ("theme/tips-", "tip.hidden = true;\n    };", "};", true),
        ("theme/tips-", "linked.add(id);", "", true),
        (
            "theme/tips-",
            "'a, h1, h2, h3, h4, h5, h6, pre",
            "'pre",
            true,
        ),
        (
            "theme/tips-",
            "Math.max(0, Math.min(box.left - frame.left, main.clientWidth - tip.offsetWidth))",
            "300",
            true,
        ),
    ];
    // 标题里放一个正文没有的单词。
    let page = site.dir().join("why.html");
    let html = std::fs::read_to_string(&page).expect("网页可读");
    let title = "自注意力的位置盲区</a></h1>";
    assert!(html.contains(title) && !html.contains("越界"));
    let html = html.replace(title, "自注意力的位置盲区越界</a></h1>");
    std::fs::write(&page, html).expect("网页可写");
    open(&chrome, &site, "why.html", 390);
    let good = chrome.run(EACH, vec![json!(LINK)]);
    assert_eq!(good[1], json!([]), "没有改坏时");
    for (name, from, to, fails) in damage {
        let path = file(&site, name);
        let good = std::fs::read_to_string(&path).expect("文件可读");
        assert!(good.contains(from), "{name} 里没有 {from}");
        std::fs::write(&path, good.replace(from, to)).expect("文件可写");
        open(&chrome, &site, "why.html", 390);
        let found = chrome.run(EACH, vec![json!(LINK)]);
        let faults = found[1].as_array().expect("毛病").len();
        // 意思本身对不对由 tests/tips.rs 比较；这里只看显示的是数据里的。
        assert_eq!(faults > 0, fails, "{from} 改成 {to}");
        std::fs::write(&path, good).expect("文件可写");
    }
}

/// 名字以 `start` 开头的那个文件。
fn file(site: &Site, start: &str) -> std::path::PathBuf {
    let path = site.dir().join(start);
    let folder = path.parent().expect("目录");
    let head = path
        .file_name()
        .expect("名字")
        .to_string_lossy()
        .into_owned();
    let mut found = std::fs::read_dir(folder)
        .expect("目录可读")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&head)
        });
    found.next().unwrap_or_else(|| panic!("没有 {start}"))
}

#[test]
fn the_mouse_shows_and_escape_hides() {
    let chrome = Chrome::start();
    let site = Site::book();
    open(&chrome, &site, "why.html", 1200);
    let away = (600.0, 5.0);
    let word = point(&chrome, LINK, 0.5, 0.5);
    hover(&chrome, word);
    wait(&chrome, SHOWN);
    // 移到提示上，它不消失。
    let on_tip = chrome.run(
        "const b = document.getElementById('tip').getBoundingClientRect();\
         return [b.left + b.width / 2, b.top + b.height / 2];",
        Vec::new(),
    );
    let number = |i: usize| on_tip[i].as_f64().expect("位置");
    hover(&chrome, (number(0), number(1)));
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(shown(&chrome), "移到提示上");
    press(&chrome, "Escape");
    assert!(!shown(&chrome), "Esc");
    hover(&chrome, away);
    hover(&chrome, word);
    wait(&chrome, SHOWN);
    hover(&chrome, away);
    wait(&chrome, &format!("!({SHOWN})"));
    // 鼠标点一下就跟着链接走。
    click(&chrome, word);
    wait(&chrome, "location.pathname === '/glossary.html'");
}

#[test]
fn the_first_tap_shows_and_the_second_follows() {
    let chrome = Chrome::start();
    let site = Site::book();
    for page in ["why.html", "rotary.html"] {
        open(&chrome, &site, page, 390);
        let word = point(&chrome, LINK, 0.5, 0.5);
        touch(&chrome, &[word]);
        wait(&chrome, SHOWN);
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert_eq!(text(&chrome, "location.pathname"), format!("/{page}"));
        assert!(shown(&chrome));
        touch(&chrome, &[(195.0, 30.0)]);
        wait(&chrome, &format!("!({SHOWN})"));
        let word = point(&chrome, LINK, 0.5, 0.5);
        touch(&chrome, &[word]);
        wait(&chrome, SHOWN);
        touch(&chrome, &[word]);
        wait(
            &chrome,
            "location.pathname === '/glossary.html' && location.hash.startsWith('#glossary-')",
        );
    }
}

/// 单词与断言的记号看上去怎样。
const LOOK: &str = "const look = (e) => {
      const style = getComputedStyle(e);
      return [style.textDecorationStyle, style.color === getComputedStyle(e.parentElement).color,
        style.textDecorationColor, style.backgroundColor];
    };
    return [look(document.querySelector(arguments[0])), look(document.querySelector('main a[title=\"依据\"]'))];";

#[test]
fn words_look_quiet_and_unlike_the_marks() {
    let chrome = Chrome::start();
    let site = Site::book();
    open(&chrome, &site, "why.html", 1200);
    for theme in ["light", "rust", "coal", "navy", "ayu"] {
        chrome.run(
            "const c = document.documentElement.classList;\
             c.remove('light', 'rust', 'coal', 'navy', 'ayu'); c.add(arguments[0]);",
            vec![json!(theme)],
        );
        let found = chrome.run(LOOK, vec![json!(LINK)]);
        let (word, mark) = (&found[0], &found[1]);
        assert_eq!(word[0], "dashed", "{theme}");
        assert_eq!(mark[0], "dotted", "{theme}");
        assert_eq!(word[1], true, "{theme}：颜色与四周的字相同");
        assert_eq!(mark[1], true, "{theme}");
        assert_eq!(word[2], mark[2], "{theme}：线一样淡");
        assert_eq!(word[3], mark[3], "{theme}：没有底色");
    }
}

#[test]
fn the_open_tip_can_be_read_on_every_theme() {
    let chrome = Chrome::start();
    let site = Site::book();
    open(&chrome, &site, "why.html", 390);
    let before = contrast(&chrome).0;
    open(&chrome, &site, "why.html", 390);
    chrome.run(
        "document.querySelector(arguments[0]).focus();",
        vec![json!(LINK)],
    );
    assert!(shown(&chrome));
    let (count, faults) = contrast(&chrome);
    assert_eq!(faults, [""; 0]);
    assert!(count > before, "看到了提示的文字：{count} 与 {before}");
}

#[test]
fn pages_without_tips_take_no_data() {
    let chrome = Chrome::start();
    let site = Site::book();
    let with = pages(&site);
    for page in site.html() {
        chrome.open(&site.url(&page), 1200);
        let wanted = with.contains(&page) || page == "404.html" || page == "index.html";
        if wanted {
            wait(&chrome, READY);
        } else {
            std::thread::sleep(std::time::Duration::from_millis(50));
            let none = text(&chrome, "window.glossaryWords === undefined");
            assert_eq!(none, "true", "{page}");
        }
    }
}

#[test]
fn tips_work_from_a_file() {
    let chrome = Chrome::start();
    let site = Site::book();
    let url = format!("file://{}", site.dir().join("why.html").display());
    chrome.open(&url, 390);
    wait(&chrome, READY);
    chrome.run(
        "document.querySelector(arguments[0]).focus();",
        vec![Value::from(LINK)],
    );
    assert!(shown(&chrome));
}
