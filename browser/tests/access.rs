//! 无障碍：axe-core 在每一页、五种主题、两种宽度上，打开搜索、主题、帮助时，一处毛病也没有。
//!
//! 只有 `toc.html` 不看：它是没有脚本时的边框，从来不单独给人看。

use browser::access::{STATES, enter, install, violations};
use browser::chrome::{Chrome, WIDTHS};
use browser::site::Site;

#[test]
fn axe_finds_nothing_on_any_page() {
    let chrome = Chrome::start();
    install(&chrome);
    let site = Site::book();
    let mut found = Vec::new();
    let (mut runs, mut checked) = (0, 0);
    for page in site.html().iter().filter(|page| *page != "toc.html") {
        for width in WIDTHS {
            chrome.open(&site.url(page), width);
            for state in STATES {
                enter(&chrome, state);
                let start = std::time::Instant::now();
                let (count, faults) = violations(&chrome, state);
                if std::env::var_os("AXE_TIME").is_some() {
                    println!("{page} {width} {state:?} {:?}", start.elapsed());
                }
                assert!(count > 15, "{page}：axe 只看了 {count} 条");
                runs += 1;
                checked += count;
                let place = format!("{page}，宽 {width}，{state:?}");
                found.extend(faults.iter().map(|x| format!("{place}：{x}")));
            }
        }
    }
    println!("axe-core：{runs} 个画面，每个五种主题，规则共用了 {checked} 次");
    assert_eq!(found, Vec::<String>::new());
}
