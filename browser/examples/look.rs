//! 拍一页的照片：`cargo run -p browser --example look -- 页 宽 主题 文件 [脚本]`。
//! 页写 `sample.html` 时拍样页，否则拍书；脚本在页里运行，结果打印出来。

use browser::chrome::Chrome;
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
        println!("{event:?}");
    }
    if let Some(script) = rest.first() {
        println!("{:#}", chrome.run(script, vec![]));
    }
    std::fs::write(file, chrome.png()).expect("文件可写");
}
