//! 中文搜索：找得到，排得对，摘录干净，键盘能用；网站上和磁盘上都一样。

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use browser::chrome::Chrome;
use browser::input::press;
use browser::site::{Site, root};
use serde::Deserialize;
use serde_json::{Value, json};

// 一次会话查完一组：开浏览器、建书比检查本身慢。

#[test]
fn the_right_pages_are_found() {
    let (chrome, site) = (Chrome::start(), Site::book());
    each_query_finds_its_page_first(&chrome, &site);
    what_is_not_in_the_book_is_said_in_chinese(&chrome, &site);
    each_term_and_heading_is_among_the_first_three(&chrome, &site);
    any_part_of_two_characters_is_found(&chrome, &site);
}

#[test]
fn the_box_is_quick_and_obeys_the_keyboard() {
    let (chrome, site) = (Chrome::start(), Site::book());
    the_script_is_small(&chrome, &site);
    the_first_list_comes_at_once(&chrome, &site);
    the_keyboard_leads_to_the_page(&chrome, &site);
    unfinished_pinyin_is_left_alone(&chrome, &site);
    the_landing_page_opens_what_hides_the_hit(&chrome, &site);
}

/// 一次搜索的结果。
#[derive(Debug, Deserialize)]
struct Answer {
    header: String,
    hits: Vec<Hit>,
}

#[derive(Debug, Deserialize)]
struct Hit {
    page: String,
    title: String,
    excerpt: String,
    marks: Vec<String>,
}

impl Answer {
    /// 前三条的页。
    fn top(&self) -> Vec<&str> {
        self.hits.iter().take(3).map(|x| x.page.as_str()).collect()
    }
}

fn ask(chrome: &Chrome, queries: &[&str]) -> Vec<Answer> {
    let found = chrome.run(include_str!("../src/ask.js"), vec![json!(queries)]);
    serde_json::from_value(found).expect("搜索的结果")
}

/// 网站上的与磁盘上的书。
fn places(site: &Site) -> [String; 2] {
    [site.origin(), format!("file://{}/", site.dir().display())]
}

/// 查询，必须排第一的页。
fn table() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("browser/queries.csv")).expect("表");
    let rows = text.lines().skip(1).map(|row| {
        let (query, page) = row.split_once(',').expect("两列");
        (query.to_owned(), page.to_owned())
    });
    rows.collect()
}

/// 公式留在文字里的痕迹：TeX 命令、花括号的上下标、零宽的记号。
fn tex(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(3).any(|x| {
        x[0] == '\\' && x[1].is_ascii_alphabetic() && x[2].is_ascii_alphabetic()
            || "_^".contains(x[0]) && x[1] == '{'
    }) || text.contains(['\u{200b}', '\u{2061}'])
}

fn each_query_finds_its_page_first(chrome: &Chrome, site: &Site) {
    let table = table();
    assert!(table.len() >= 40, "只有 {} 个查询", table.len());
    let queries: Vec<&str> = table.iter().map(|(query, _)| query.as_str()).collect();
    let mut wrong = Vec::new();
    for place in places(site) {
        chrome.open(&format!("{place}ledger/why.html"), 1200);
        for ((query, page), found) in table.iter().zip(ask(chrome, &queries)) {
            if found.top().first() != Some(&page.as_str()) {
                wrong.push(format!("{query}：{page} 不在第一，{:?}", found.top()));
            }
            for hit in &found.hits {
                if tex(&hit.excerpt) {
                    wrong.push(format!("{query}：摘录里有 TeX：{}", hit.excerpt));
                }
            }
            // 第一条的标题或摘录里看得见命中的字，摘录里的有标记。
            let Some(first) = found.hits.first() else {
                continue;
            };
            let asked = query.to_lowercase();
            let seen = first.title.to_lowercase().contains(&asked);
            if first.marks.is_empty() && !seen {
                wrong.push(format!("{query}：没有标出来：{}", first.excerpt));
            }
        }
    }
    println!("查询：{} 个，网站与磁盘各一遍", table.len());
    assert_eq!(wrong, Vec::<String>::new());
}

fn what_is_not_in_the_book_is_said_in_chinese(chrome: &Chrome, site: &Site) {
    for place in places(site) {
        chrome.open(&format!("{place}index.html"), 390);
        let found = ask(chrome, &["鲸鱼座流星", "zzzz", "？！", "位置的编吗"]);
        for (nothing, query) in found[..3].iter().zip(["鲸鱼座流星", "zzzz", "？！"])
        {
            assert_eq!(nothing.header, format!("没有找到“{query}”。"));
            assert!(nothing.hits.is_empty());
        }
        assert_eq!(found[3].header, "没有“位置的编吗”，相近的有：");
        assert!(!found[3].hits.is_empty());
    }
}

/// 手写的页里的标题：页、标题。
fn headings() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut files: Vec<_> = fs::read_dir(root().join("src"))
        .expect("src 可读")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|x| x == "md"))
        .filter(|path| !path.ends_with("SUMMARY.md") && !path.ends_with("404.md"))
        .collect();
    files.sort();
    for path in files {
        let stem = path.file_stem().expect("有名字").to_string_lossy();
        let mut fence = false;
        for line in fs::read_to_string(&path).expect("页可读").lines() {
            fence ^= line.starts_with("```");
            let title = line.trim_start_matches('#').strip_prefix(' ');
            if let (false, true, Some(title)) = (fence, line.starts_with('#'), title) {
                let title = title.split(" {#").next().unwrap_or(title);
                found.push((format!("{stem}.html"), title.replace('`', "")));
            }
        }
    }
    found
}

/// 单词汇总里的词条：中文，讲它的那一页。
fn terms() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("src/glossary.md")).expect("可读");
    let terms = text.lines().filter(|line| line.starts_with("- <a id="));
    let terms = terms.map(|line| {
        let term = line.split("**").nth(1).expect("粗体的词");
        let (_, link) = line.rsplit_once("[定义](").expect("定义的链接");
        let page = link.split(".md").next().expect("页");
        (term.to_owned(), format!("{page}.html"))
    });
    terms.collect()
}

fn each_term_and_heading_is_among_the_first_three(chrome: &Chrome, site: &Site) {
    let (headings, terms) = (headings(), terms());
    assert!(headings.len() > 200 && terms.len() > 60, "书里有足够多的词");
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (page, title) in &headings {
        owners.entry(title).or_default().insert(page);
    }
    // 许多页都有的标题（先看、手算……）连同章名一起问。
    let chapter = |page: &str| {
        let of = headings.iter().find(|(x, _)| x == page);
        of.expect("页有标题").1.clone()
    };
    let heading_queries: Vec<String> = headings
        .iter()
        .map(|(page, title)| match owners[title.as_str()].len() {
            ..=3 => title.clone(),
            _ => format!("{} {title}", chapter(page)),
        })
        .collect();
    let mut queries: Vec<&str> = heading_queries.iter().map(String::as_str).collect();
    queries.extend(terms.iter().map(|(term, _)| term.as_str()));
    let shared: Vec<&str> = owners
        .iter()
        .filter(|(_, pages)| pages.len() > 3)
        .map(|(title, _)| *title)
        .collect();
    queries.extend(&shared);

    chrome.open(&site.url("print.html"), 1200);
    let found = ask(chrome, &queries);
    let (by_heading, rest) = found.split_at(headings.len());
    let (by_term, by_shared) = rest.split_at(terms.len());
    let mut wrong = Vec::new();
    for ((page, _), (query, found)) in
        headings.iter().zip(heading_queries.iter().zip(by_heading))
    {
        if !found.top().contains(&page.as_str()) {
            wrong.push(format!("{query}：没有 {page}，{:?}", found.top()));
        }
    }
    // 词条自己的页：讲它的那一页，或者单词汇总。
    let mut taught = 0;
    for ((term, page), found) in terms.iter().zip(by_term) {
        let top = found.top();
        taught += usize::from(top.contains(&page.as_str()));
        if !top.contains(&page.as_str()) && !top.contains(&"glossary.html") {
            wrong.push(format!("{term}：没有 {page}，{top:?}"));
        }
    }
    for (title, found) in shared.iter().zip(by_shared) {
        for page in found.top() {
            if !owners[title].contains(page) {
                wrong.push(format!("{title}：{page} 没有这个标题"));
            }
        }
    }
    for hit in found.iter().flat_map(|found| &found.hits) {
        if tex(&hit.excerpt) {
            wrong.push(format!("摘录里有 TeX：{}", hit.excerpt));
        }
    }
    println!(
        "标题 {}，术语 {}（讲它的页在前三的 {taught}）",
        headings.len(),
        terms.len()
    );
    assert_eq!(wrong, Vec::<String>::new());
    assert!(taught * 10 >= terms.len() * 9, "讲它的页在前三：{taught}");
}

/// 从各页的正文里取片段：每页隔一段取一次，长二到九字，含跨过链接与粗体的。
const PARTS: &str = r"
const parts = [];
for (const page of arguments[0]) {
  const html = await (await fetch(page)).text();
  const body = new DOMParser().parseFromString(html, 'text/html');
  const text = [...body.querySelectorAll('main p')].filter((p) => !p.querySelector('.katex'))
    .map((p) => p.textContent).join('\n');
  const runs = text.match(/\p{Script=Han}{2,}/gu) || [];
  runs.forEach((run, i) => {
    if (i % 7) return;
    const length = 2 + parts.length % 8;
    parts.push([page, run.slice(-length)]);
  });
}
return parts;
";

fn any_part_of_two_characters_is_found(chrome: &Chrome, site: &Site) {
    chrome.open(&site.url("index.html"), 1200);
    let pages = ["why", "sinusoidal", "learned", "rotary", "faq", "errata"];
    let pages = pages.map(|page| format!("{page}.html"));
    let parts = chrome.run(PARTS, vec![json!(pages)]);
    let parts: Vec<(String, String)> = serde_json::from_value(parts).expect("片段");
    assert!(parts.len() > 150, "只有 {} 个片段", parts.len());
    let queries: Vec<&str> = parts.iter().map(|(_, part)| part.as_str()).collect();
    let mut wrong = Vec::new();
    for ((page, part), found) in parts.iter().zip(ask(chrome, &queries)) {
        let strict = found.header.starts_with('“');
        // 列表最多三十条；放得下时，片段出自的那一页一定在里面。
        let listed =
            found.hits.len() == 30 || found.hits.iter().any(|x| x.page == *page);
        if !strict || !listed {
            wrong.push(format!("{part}（{page}）：{}", found.header));
        }
    }
    println!("片段：{}", parts.len());
    assert_eq!(wrong, Vec::<String>::new());
}

/// 打开搜索框到第一批结果画出来，毫秒。
const FIRST: &str = "
const start = performance.now();
document.getElementById('mdbook-search-toggle').click();
const bar = document.getElementById('mdbook-searchbar');
bar.value = '位置';
bar.dispatchEvent(new InputEvent('input'));
const list = document.getElementById('mdbook-searchresults');
while (!list.firstElementChild) await new Promise((next) => setTimeout(next));
list.offsetHeight;
return performance.now() - start;
";

fn the_first_list_comes_at_once(chrome: &Chrome, site: &Site) {
    for place in places(site) {
        // 每次都重新读索引；机器忙的时候会慢，取五次里最快的。
        let times: Vec<f64> = (0..5)
            .map(|_| {
                chrome.open(&format!("{place}rotary.html"), 390);
                chrome.run(FIRST, vec![]).as_f64().expect("毫秒")
            })
            .collect();
        println!("第一批结果（毫秒）：{times:.0?}");
        let best = times.into_iter().fold(f64::INFINITY, f64::min);
        assert!(best <= 300.0, "{best} 毫秒");
    }
}

/// 脚本经 gzip 之后的字节数。
const GZIP: &str = "
const script = document.querySelector('script[src*=\"theme/search\"]');
const packed = (await fetch(script.src)).body.pipeThrough(new CompressionStream('gzip'));
return (await new Response(packed).arrayBuffer()).byteLength;
";

fn the_script_is_small(chrome: &Chrome, site: &Site) {
    chrome.open(&site.url("404.html"), 390);
    let size = chrome.run(GZIP, vec![]).as_u64().expect("字节数");
    println!("theme/search.js：gzip 之后 {size} 字节");
    assert!(size <= 4000, "{size} 字节");
}

fn input(chrome: &Chrome, text: &str) {
    chrome.cdp("Input.insertText", json!({ "text": text }));
}

/// 眼下的样子：搜索框开没开，焦点在哪，框里的字，结果的条数。
fn state(chrome: &Chrome) -> Value {
    let script = "
      const at = document.activeElement;
      const links = [...document.querySelectorAll('#mdbook-searchresults a')];
      return [
        !document.getElementById('mdbook-search-wrapper').classList.contains('hidden'),
        links.includes(at) ? links.indexOf(at) : at.id.replace('mdbook-', ''),
        document.getElementById('mdbook-searchbar').value,
        links.length > 0,
      ];";
    chrome.run(script, vec![])
}

/// 落地页的样子：有几处标记，有没有在公式或图里的，第一处看不看得见。
const LANDED: &str = "
await new Promise((next) => document.readyState === 'complete' ? next() : addEventListener('load', next));
await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
const marks = [...document.querySelectorAll('main mark')];
const heading = document.getElementById(location.hash.slice(1)) || document.body;
const first = marks.find((mark) => heading.compareDocumentPosition(mark) & 4);
const box = first?.getBoundingClientRect();
return [
  location.pathname.replace(/.*\\//, '') + location.hash,
  marks.length,
  marks.filter((mark) => mark.closest('.katex, svg, button')).length,
  Boolean(box && first.checkVisibility() && box.top >= 0 && box.bottom <= innerHeight),
  [...new Set(marks.map((mark) => mark.textContent.toLowerCase()))],
];";

fn wait_for_list(chrome: &Chrome) {
    let wait = "while (!document.querySelector('#mdbook-searchresults a')) {
      await new Promise((next) => setTimeout(next, 10));
    }";
    chrome.run(wait, vec![]);
}

fn the_keyboard_leads_to_the_page(chrome: &Chrome, site: &Site) {
    for (place, key) in places(site).iter().zip(["s", "/"]) {
        chrome.open(&format!("{place}index.html"), 1200);
        press(chrome, key);
        assert_eq!(state(chrome), json!([true, "searchbar", "", false]), "打开");
        input(chrome, "旋转 ");
        press(chrome, "s");
        assert_eq!(state(chrome)[2], "旋转 s", "框里可以打 s");
        wait_for_list(chrome);
        press(chrome, "ArrowDown");
        assert_eq!(state(chrome)[1], 0, "第一条");
        press(chrome, "ArrowDown");
        assert_eq!(state(chrome)[1], 1, "第二条");
        press(chrome, "ArrowUp");
        press(chrome, "ArrowUp");
        assert_eq!(state(chrome)[1], "searchbar", "回到框里");
        press(chrome, "Escape");
        let closed = json!([false, "search-toggle", "旋转 s", true]);
        assert_eq!(state(chrome), closed, "关上");
        // 再打开，旧的词已选中，直接改写；回车去第一条。
        press(chrome, key);
        input(chrome, "平移矩阵");
        press(chrome, "Enter");
        let landed = chrome.run(LANDED, vec![]);
        assert_eq!(landed[0], "sinusoidal.html#sinusoidal-shift", "落地");
        assert!(landed[1].as_u64() > Some(0) && landed[2] == 0, "{landed}");
        assert_eq!(landed[3], true, "第一处看得见：{landed}");
        assert_eq!(landed[4], json!(["平移矩阵"]));
        chrome.run(
            "document.querySelector('main mark:not(a mark)').click();",
            vec![],
        );
        assert_eq!(chrome.run(LANDED, vec![])[1], 0, "点一下，标记就去掉");
        // 在一条结果上回车，去的就是那一条。
        press(chrome, key);
        input(chrome, "RoPE");
        wait_for_list(chrome);
        press(chrome, "ArrowDown");
        press(chrome, "Enter");
        let landed = chrome.run(LANDED, vec![]);
        assert_eq!(landed[0], "rotary.html#rotary-what", "{landed}");
        assert_eq!(landed[4], json!(["rope"]));
    }
}

fn unfinished_pinyin_is_left_alone(chrome: &Chrome, site: &Site) {
    chrome.open(&site.url("index.html"), 1200);
    press(chrome, "/");
    input(chrome, "旋转");
    wait_for_list(chrome);
    let header =
        "return document.getElementById('mdbook-searchresults-header').textContent;";
    let before = chrome.run(header, vec![]);
    let compose = json!({ "text": "ju zhen", "selectionStart": 7, "selectionEnd": 7 });
    chrome.cdp("Input.imeSetComposition", compose);
    assert_eq!(state(chrome)[2], "旋转ju zhen");
    assert_eq!(chrome.run(header, vec![]), before, "拼音没选定，不搜");
    input(chrome, "矩阵");
    let after = chrome.run(header, vec![]);
    assert!(
        after.as_str().is_some_and(|x| x.contains("“旋转矩阵”")),
        "{after}"
    );
}

fn the_landing_page_opens_what_hides_the_hit(chrome: &Chrome, site: &Site) {
    let folded = "
      const box = [...document.querySelectorAll('main details')].find((x) => x.querySelector('p'));
      let at = box;
      while (!/^H\\d$/.test(at.tagName)) at = at.previousElementSibling || at.parentElement;
      const text = [...box.querySelectorAll('p')].map((p) => p.textContent).join(' ');
      return [text.match(/\\p{Script=Han}{6,}/u)[0], at.id];";
    chrome.open(&site.url("learned.html"), 1200);
    let found = chrome.run(folded, vec![]);
    let (text, id) = (
        found[0].as_str().expect("字"),
        found[1].as_str().expect("节"),
    );
    chrome.open(
        &site.url(&format!("learned.html?highlight={text}#{id}")),
        1200,
    );
    let landed = chrome.run(LANDED, vec![]);
    assert_eq!(landed[3], true, "{text}：{landed}");
    // 离标题很远的一处，也滚到眼前。
    let url = "sinusoidal.html?highlight=turned_back#sinusoidal-shift";
    chrome.open(&site.url(url), 390);
    let landed = chrome.run(LANDED, vec![]);
    assert_eq!(landed[3], true, "{landed}");
    // 公式与图里的字不标：标了会把它们拆坏。
    let url = "sinusoidal.html?highlight=10000%20%CE%94#sinusoidal-shift";
    chrome.open(&site.url(url), 1200);
    let landed = chrome.run(LANDED, vec![]);
    assert!(landed[1].as_u64() > Some(5) && landed[2] == 0, "{landed}");
}
