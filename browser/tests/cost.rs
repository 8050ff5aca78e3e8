//! 一页的代价：冷的缓存，gzip，1200 像素宽，滚到底。

use std::collections::BTreeMap;

use browser::chrome::Chrome;
use browser::cost::{Bill, Network, PHONE, bill, largest_paint, loads, median, more};
use browser::site::{Site, compress};

/// 一页的全部字节。
const PAGE: u64 = 200_000;
/// 各页的中位数。
const MEDIAN: f64 = 150_000.0;
/// 一页的脚本。
const SCRIPT: u64 = 50_000;
/// 一页的请求数。
const REQUESTS: usize = 32;
/// 一张图，压缩后。
const PICTURE: usize = 15_000;
/// 搜索用的文字，与 mdBook 自己的索引；前者第一次搜索时才取，后者从来不取。
const INDEXES: [&str; 2] = ["searchtext", "searchindex"];
/// 第一次搜索取回的字节。
const INDEX: u64 = 150_000;

/// 最大的一块画面至多等原来样子的几成。
const SHARE: f64 = 0.9;
/// 轮流各开几次。
const ROUNDS: usize = 9;

/// 这一页超出的地方。
fn excess(bill: &Bill) -> Vec<String> {
    let mut found = Vec::new();
    if bill.total > PAGE {
        found.push(format!("全部 {} 字节", bill.total));
    }
    if bill.script > SCRIPT {
        found.push(format!("脚本 {} 字节", bill.script));
    }
    if bill.requests > REQUESTS {
        found.push(format!("{} 个请求", bill.requests));
    }
    found.extend(bill.outside.iter().map(|url| format!("书外 {url}")));
    // 单词的释义空闲时才取，下一页打开时可能还在路上；它取得到由 tips.rs 检查。
    let missing = bill
        .empty
        .iter()
        .filter(|url| !url.ends_with("glossary-data.js"));
    found.extend(missing.map(|url| format!("没有取到 {url}")));
    found
}

/// 公式里的字用到的字体，写法同 `theme/fonts` 里的文件名；有公式就算用到主字体，行高由它定。
const USED: &str = "const names = new Set(document.querySelector('.katex') ? ['KaTeX_Main-Regular'] : []);\
    for (const e of document.querySelectorAll('.katex-html *')) {\
      if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;\
      const style = getComputedStyle(e);\
      const family = style.fontFamily.split(',')[0];\
      const bold = style.fontWeight >= 600, italic = style.fontStyle === 'italic';\
      names.add(family + '-' + (bold ? 'Bold' : '') + (italic ? 'Italic' : '') + (bold || italic ? '' : 'Regular'));\
    }\
    return [...names];";

#[test]
fn every_page_is_light() {
    let chrome = Chrome::start();
    let site = Site::book();
    let mut found = Vec::new();
    let mut totals = Vec::new();
    let mut shapes: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    println!("{:<24}  全部   网页   脚本   字体  请求", "页");
    for page in site.html() {
        if page == "toc.html" {
            continue; // 没有脚本时的边框，不是一页
        }
        let loads = loads(&chrome, &site.url(&page), 1200);
        let bill = bill(&loads, &site.origin());
        println!(
            "{page:<24} {:6} {:6} {:6} {:6} {:4}",
            bill.total, bill.page, bill.script, bill.fonts, bill.requests
        );
        let mut wrong = excess(&bill);
        // 打印页是全书合在一起，只有它可以大；别的限度照旧。
        if page == "print.html" {
            wrong.retain(|x| !x.starts_with("全部"));
        } else {
            totals.push(bill.total as f64);
        }
        if loads
            .iter()
            .any(|x| INDEXES.iter().any(|name| x.url.contains(name)))
        {
            wrong.push("还没有搜索就取了索引".into());
        }
        let used = chrome.run(USED, Vec::new());
        let used: Vec<String> = serde_json::from_value(used).expect("一列文字");
        for face in &bill.faces {
            if !used.iter().any(|name| face.starts_with(name.as_str())) {
                wrong.push(format!("字体 {face} 没有哪个字要用"));
            }
        }
        found.extend(wrong.iter().map(|x| format!("{page}：{x}")));
        for load in loads {
            let name = load.url.replace(&site.origin(), "");
            let entry = shapes.entry(name).or_default();
            *entry = (load.bytes, entry.1 + 1);
        }
    }
    let middle = median(&totals);
    println!("中位数 {middle}");
    println!("共用的文件：");
    for (name, (bytes, count)) in shapes.iter().filter(|(_, (_, count))| *count > 1) {
        println!("{bytes:7} {name}（{count} 页）");
    }
    if middle > MEDIAN {
        found.push(format!("中位数 {middle}"));
    }
    assert_eq!(found, Vec::<String>::new());
    assert!(totals.len() >= 20, "书有足够多的页");
}

#[test]
fn the_search_index_is_light_and_comes_at_the_first_search() {
    let chrome = Chrome::start();
    let site = Site::book();
    loads(&chrome, &site.url("why.html"), 1200);
    chrome.run(
        "document.getElementById('mdbook-search-toggle').click();\
         const bar = document.getElementById('mdbook-searchbar');\
         bar.value = '位置';\
         bar.dispatchEvent(new Event('input', { bubbles: true }));\
         while (!document.querySelector('#mdbook-searchresults li')) \
           await new Promise(r => setTimeout(r, 20));",
        Vec::new(),
    );
    let loads = more(&chrome);
    let bytes: u64 = loads.iter().map(|load| load.bytes).sum();
    println!("第一次搜索取回 {bytes} 字节");
    assert!(
        loads.iter().any(|x| x.url.contains("searchtext")),
        "{loads:?}"
    );
    assert!(bytes <= INDEX, "第一次搜索取回 {bytes} 字节");
}

#[test]
fn every_picture_is_light() {
    let site = Site::book();
    let mut largest = (0, String::new());
    let mut count = 0;
    for page in site.html().iter().filter(|page| *page != "print.html") {
        let text = std::fs::read_to_string(site.dir().join(page)).expect("网页可读");
        let main = text.split("<main>").nth(1).unwrap_or_default();
        let main = main.split("</main>").next().unwrap_or_default();
        for figure in main.split("<figure").skip(1) {
            let Some(start) = figure.find("<svg") else {
                continue;
            };
            let end = figure.find("</svg>").expect("图有完");
            let size = compress(&figure.as_bytes()[start..end]).len();
            largest = largest.max((size, page.clone()));
            count += 1;
        }
    }
    println!("页里的图 {count} 张，压缩后最大的 {largest:?}");
    assert!(largest.0 <= PICTURE, "{largest:?}");
    assert!(count >= 12, "图只有 {count} 张");
}

#[test]
fn a_heavy_page_is_seen() {
    let chrome = Chrome::start();
    // 压不动的字节：每一步都变的伪随机数。
    let mut state = 1_u64;
    let mut noise = |bytes: usize| -> String {
        (0..bytes)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                char::from(b'!' + ((state >> 33) % 90) as u8)
                    .to_string()
                    .replace('*', "-")
            })
            .collect()
    };
    let script = format!("/*{}*/", noise(80_000));
    let page = noise(260_000).replace(['<', '&'], "-");
    let head = "<!doctype html><html lang=zh><link rel=icon href=data:,><body>";
    let many: String = (0..40)
        .map(|i| format!("<script src=s.js?{i}></script>"))
        .collect();
    for (body, wrong) in [
        ("<script src=big.js></script>".to_owned(), "脚本"),
        (format!("<p>{page}"), "全部"),
        (many, "40"),
        (
            "<img alt='' src=http://example.com/a.png>".to_owned(),
            "书外",
        ),
        (String::new(), ""),
    ] {
        let text = format!("{head}{body}");
        let site =
            Site::pages(&[("a.html", &text), ("big.js", &script), ("s.js", "1;")]);
        let bill = bill(&loads(&chrome, &site.url("a.html"), 1200), &site.origin());
        let found = excess(&bill);
        if wrong.is_empty() {
            assert_eq!(found, Vec::<String>::new());
        } else {
            let seen = found
                .iter()
                .any(|x| x.starts_with(wrong) || x.contains("41"));
            assert!(seen, "{wrong}：{found:?}");
        }
    }
}

/// 同一页，与 mdBook 和公式插件原来的样子轮流打开，比最大的一块画面何时出现。
fn paints(pages: &[&str], networks: &[(&str, Option<Network>)]) -> Vec<String> {
    let ours = Site::book();
    let stock = Site::stock();
    let chrome = Chrome::start();
    let mut slow = Vec::new();
    for (name, network) in networks {
        for page in pages {
            let mut times = [Vec::new(), Vec::new()];
            for _ in 0..ROUNDS {
                for (site, times) in [&ours, &stock].iter().zip(&mut times) {
                    times.push(largest_paint(&chrome, &site.url(page), *network));
                }
            }
            let [a, b] = times.map(|times| median(&times));
            let share = a / b;
            println!("{name}，{page:<18} {a:6.0} 与 {b:6.0} 毫秒，比 {share:.2}");
            if share > SHARE {
                slow.push(format!("{name}，{page}：比 {share:.2}"));
            }
        }
    }
    slow
}

/// 导读，与最大的一页；手机的网络上，等的主要是网络，机器的忙闲影响不大。
#[test]
fn the_largest_paint_comes_sooner_than_with_the_stock_theme() {
    let slow = paints(&["daodu.html", "sinusoidal.html"], &[("手机", Some(PHONE))]);
    assert_eq!(slow, Vec::<String>::new());
}

#[test]
#[ignore = "十多分钟；量的是时间，要在空闲的机器上跑"]
fn the_largest_paint_of_every_page() {
    // 边框、全书合成的一页与另一页的副本除外；断言清单各页一个样，看最长的一页。
    let skipped = ["toc.html", "print.html", "index.html", "404.html"];
    let wanted = |page: &&str| {
        !skipped.contains(page)
            && (!page.starts_with("ledger/") || *page == "ledger/sinusoidal.html")
    };
    let all = Site::book().html();
    let pages: Vec<&str> = all.iter().map(String::as_str).filter(wanted).collect();
    let slow = paints(&pages, &[("手机", Some(PHONE))]);
    paints(&pages, &[("本机，不限速", None)]);
    assert_eq!(slow, Vec::<String>::new());
}
