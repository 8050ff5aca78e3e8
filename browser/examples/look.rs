//! 拍一页的照片：`cargo run -p browser --example look -- 页 宽 主题 文件 [脚本 [屏]]`。
//! 页写 `sample.html` 时拍样页，否则拍书；脚本在页里运行，结果打印出来；写了“屏”就只拍眼前的一屏。

use browser::chrome::{Chrome, Event};
use browser::site::Site;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [page, width, theme, file, rest @ ..] = args.as_slice() else {
        panic!("用法：look 页 宽 主题 文件 [脚本]");
    };
    let site = if page == "sample.html" {
        Site::sample()
    } else {
        Site::book()
    };
    let chrome = Chrome::start();
    let width = width.parse().expect("宽是整数");
    chrome.open(&site.url(page), width);
    let set = format!("localStorage.setItem('mdbook-theme', '{theme}');");
    chrome.run(&set, vec![]);
    for event in chrome.open(&site.url(page), width) {
        if !matches!(event, Event::Request(_)) {
            println!("{event:?}");
        }
    }
    if let Some(script) = rest.first() {
        println!("{:#}", chrome.run(script, vec![]));
    }
    let picture = if rest.len() > 1 {
        chrome.screen()
    } else {
        chrome.png()
    };
    std::fs::write(file, picture).expect("文件可写");
}
