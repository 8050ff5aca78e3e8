//! 手机上的用法：目录、主题、搜索、返回、划过能动的图、打印之后，都像读者期望的那样。

use browser::chrome::{Chrome, WIDTHS};
use browser::input::{self, point, text, touch, wait};
use browser::site::Site;
use serde_json::{Value, json};

/// 点一个已经在眼前的元素；不先滚动。
fn tap(chrome: &Chrome, width: u32, selector: &str) {
    let found = chrome.run(
        "const b = document.querySelector(arguments[0]).getClientRects()[0];
         return [b.left + b.width / 2, b.top + b.height / 2];",
        vec![json!(selector)],
    );
    let [x, y] = [0, 1].map(|i| found[i].as_f64().expect("位置"));
    input::tap(chrome, width, (x, y));
}

/// 眼下这个元素看得见、点得着。
const REACHED: &str = "(e => { if (!e) return false; const b = e.getBoundingClientRect(); return e.checkVisibility() && b.left >= 0 &&
  document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)?.closest('a, button, input') === e; })";

fn reached(selector: &str) -> String {
    format!("{REACHED}(document.querySelector('{selector}'))")
}

const NOTATION: &str = "#mdbook-sidebar a[href$=\"notation.html\"]";

#[test]
fn the_contents_open_and_close() {
    let (chrome, site) = (Chrome::start(), Site::book());
    for width in WIDTHS {
        chrome.open(&site.url("why.html"), width);
        if width > 600 {
            wait(&chrome, &reached(NOTATION));
            tap(&chrome, width, "#sidebar-button");
            wait(
                &chrome,
                "document.getElementById('mdbook-sidebar').style.display === 'none'",
            );
        }
        tap(&chrome, width, "#sidebar-button");
        wait(&chrome, &reached(NOTATION));
        assert_eq!(
            text(
                &chrome,
                "document.getElementById('sidebar-button').ariaExpanded"
            ),
            "true"
        );
        tap(&chrome, width, NOTATION);
        wait(
            &chrome,
            "location.pathname === '/notation.html' && document.readyState === 'complete'",
        );
    }
    // 窄屏上，选了本页的一节就收起；点正文也收起，不跟着正文里的链接走。
    chrome.open(&site.url("why.html"), 390);
    let closed = "!document.getElementById('mdbook-sidebar-toggle-anchor').checked";
    tap(&chrome, 390, "#sidebar-button");
    let section = "#mdbook-sidebar a[href=\"#why-what\"]";
    wait(&chrome, &reached(section));
    tap(&chrome, 390, section);
    wait(
        &chrome,
        &format!("{closed} && location.hash === '#why-what'"),
    );
    let shown = "(b => b.left === 0 && b.width > 100)(document.getElementById('mdbook-sidebar').getBoundingClientRect())";
    chrome.open(&site.url("rotary.html"), 390);
    tap(&chrome, 390, "#sidebar-button");
    wait(&chrome, shown);
    touch(&chrome, &[(370.0, 300.0)]);
    wait(&chrome, closed);
    // 从左边划开，再划回去。真的横划会被浏览器当作后退，这里只送事件。
    let swipe = "const at = (x) => ({ touches: [new Touch({ identifier: 1, target: document.body, clientX: x, clientY: 400 })] });
      document.dispatchEvent(new TouchEvent('touchstart', at(arguments[0])));
      document.dispatchEvent(new TouchEvent('touchmove', at(arguments[1])));";
    wait(
        &chrome,
        "document.getElementById('mdbook-sidebar').style.display === 'none'",
    );
    chrome.run(swipe, vec![json!(20), json!(220)]);
    wait(&chrome, shown);
    chrome.run(swipe, vec![json!(280), json!(60)]);
    wait(&chrome, closed);
}

#[test]
fn choosing_a_theme_closes_the_list_on_a_phone() {
    let (chrome, site) = (Chrome::start(), Site::book());
    for width in WIDTHS {
        chrome.open(&site.url("why.html"), width);
        tap(&chrome, width, "#mdbook-theme-toggle");
        wait(&chrome, &reached("#mdbook-theme-navy"));
        tap(&chrome, width, "#mdbook-theme-navy");
        wait(
            &chrome,
            "document.documentElement.classList.contains('navy')",
        );
        let open = text(
            &chrome,
            "document.getElementById('mdbook-theme-list').checkVisibility()",
        );
        assert_eq!(
            open,
            (width > 600).to_string(),
            "宽 {width}：桌面上留着，好接着试"
        );
    }
}

/// 屏幕中间的一段在页里的第几段，离屏幕上边多远。
const MIDDLE: &str = "const all = [...document.querySelectorAll('main p')];
  const at = (p) => p.getBoundingClientRect().top;
  const i = arguments[0] ?? all.findIndex((p) => at(p) > 400);
  return [i, Math.round(at(all[i]))];";

#[test]
fn searching_keeps_the_place() {
    let (chrome, site) = (Chrome::start(), Site::book());
    for width in WIDTHS {
        chrome.open(&site.url("why.html"), width);
        chrome.run(
            "scrollTo(0, 6000); dispatchEvent(new Event('scroll'));",
            vec![],
        );
        wait(&chrome, "scrollY > 5000");
        chrome.run("scrollBy(0, -300);", vec![]);
        wait(&chrome, &reached("#mdbook-search-toggle"));
        let before = chrome.run(MIDDLE, vec![]);
        tap(&chrome, width, "#mdbook-search-toggle");
        wait(&chrome, &reached("#mdbook-searchbar"));
        chrome.cdp("Input.insertText", json!({ "text": "旋转" }));
        wait(&chrome, &reached("#mdbook-searchresults a"));
        // 很长的一列在自己里面滚动。
        let fits = "const b = document.getElementById('mdbook-search-wrapper').getBoundingClientRect();
          return b.top >= 0 && b.bottom <= innerHeight + 1 && document.querySelectorAll('#mdbook-searchresults li').length;";
        assert!(chrome.run(fits, vec![]).as_u64() > Some(5), "宽 {width}");
        tap(&chrome, width, "#mdbook-search-toggle");
        wait(
            &chrome,
            "!document.getElementById('mdbook-searchbar').checkVisibility()",
        );
        let after = chrome.run(MIDDLE, vec![before[0].clone()]);
        let moved = (after[1].as_f64().expect("位置")
            - before[1].as_f64().expect("位置"))
        .abs();
        assert!(moved <= 2.0, "宽 {width}：{before} 到 {after}");
    }
}

#[test]
fn the_menu_bar_is_never_in_the_text() {
    let (chrome, site) = (Chrome::start(), Site::book());
    let top = "Math.round(document.getElementById('mdbook-menu-bar').getBoundingClientRect().top)";
    for width in WIDTHS {
        chrome.open(&site.url("rotary.html"), width);
        for place in [9000, 2000, 12000, 11000, 500, 4000] {
            chrome.run("scrollTo(0, arguments[0]);", vec![Value::from(place)]);
            wait(&chrome, &format!("{top} <= 0"));
        }
        let link = point(&chrome, "main a[href=\"#rotary-relative\"]", 0.5, 0.5);
        let before = text(&chrome, "Math.round(scrollY)");
        input::tap(&chrome, width, link);
        wait(&chrome, "location.hash === '#rotary-relative'");
        chrome.run("history.back();", vec![]);
        wait(
            &chrome,
            &format!("!location.hash && Math.abs(scrollY - {before}) < 5"),
        );
        wait(&chrome, &format!("{top} <= 0"));
    }
}

#[test]
fn printing_folds_the_answers_again() {
    let (chrome, site) = (Chrome::start(), Site::book());
    chrome.open(&site.url("selftest.html"), 390);
    let count = "document.querySelectorAll('main details[open]').length";
    chrome.run(
        "document.querySelector('main details').open = true;",
        vec![],
    );
    chrome.run("dispatchEvent(new Event('beforeprint'));", vec![]);
    let opened: u32 = text(&chrome, count).parse().expect("数目");
    assert!(opened > 30, "{opened}");
    chrome.run("dispatchEvent(new Event('afterprint'));", vec![]);
    assert_eq!(text(&chrome, count), "1", "原来开着的还开着");
}

#[test]
fn scrolling_over_a_figure_does_not_change_it() {
    let (chrome, site) = (Chrome::start(), Site::book());
    for (page, id, inner, across) in [
        ("rotary.html", "fig_rotary_turn", "input", 0.8),
        (
            "sinusoidal.html",
            "fig_sinusoidal_heatmap",
            ".play-map",
            0.8,
        ),
        ("sinusoidal.html", "fig_sinusoidal_heatmap", "input", 0.8),
        ("sinusoidal.html", "fig_sinusoidal_kernel", "svg", 0.8),
    ] {
        chrome.open(&site.url(page), 390);
        wait(
            &chrome,
            &format!("document.querySelector('#{id} .play-values')"),
        );
        let values = format!(
            "[...document.querySelectorAll('#{id} .play :is(input, dd)')].map((e) => e.value ?? e.textContent).join()"
        );
        let before = text(&chrome, &values);
        let (x, y) = point(&chrome, &format!("#{id} .play {inner}"), across, 0.5);
        let from = text(&chrome, "Math.round(scrollY)");
        let path: Vec<_> = (0..12).map(|i| (x, y - 20.0 * f64::from(i))).collect();
        touch(&chrome, &path);
        wait(&chrome, &format!("Math.abs(scrollY - {from}) > 50"));
        wait(&chrome, &format!("{values} === '{before}'"));
    }
}

#[test]
fn the_second_tap_is_announced() {
    let (chrome, site) = (Chrome::start(), Site::book());
    chrome.open(&site.url("why.html"), 390);
    wait(&chrome, "document.documentElement.dataset.tips === 'ready'");
    let word = point(
        &chrome,
        "main a[href*=\"glossary.html#glossary-\"]",
        0.5,
        0.5,
    );
    touch(&chrome, &[word]);
    wait(&chrome, "!document.getElementById('tip').hidden");
    let said = text(&chrome, "document.getElementById('tip').textContent");
    assert!(said.ends_with("再点一下，去单词汇总。"), "{said}");
}
