//! 真的按键、鼠标和手指：经 DevTools 送进浏览器，页面分不出真假。

use serde_json::json;

use crate::chrome::Chrome;

/// 等页面里的一个条件成立，最多五秒。
///
/// # Panics
///
/// 到时还不成立。
pub fn wait(chrome: &Chrome, condition: &str) {
    let script = format!(
        "for (let i = 0; i < 250; i += 1) {{\
           if ({condition}) return true;\
           await new Promise(r => setTimeout(r, 20));\
         }}\
         return false;"
    );
    let held = chrome.run(&script, Vec::new());
    assert_eq!(held, json!(true), "等不到：{condition}");
}

/// 页面里一个表达式的值，写成文字。
pub fn text(chrome: &Chrome, expression: &str) -> String {
    let found = chrome.run(&format!("return String({expression});"), Vec::new());
    found.as_str().expect("文字").to_owned()
}

/// 按下再放开一个键：`ArrowRight`、`Escape`、`Tab` 这样的名字，或者一个字符。
pub fn press(chrome: &Chrome, key: &str) {
    let code = match key {
        "Tab" => 9,
        "Enter" => 13,
        "Escape" => 27,
        "ArrowLeft" => 37,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        "ArrowDown" => 40,
        _ if key.chars().count() == 1 => 0,
        other => panic!("没有登记的键 {other}"),
    };
    let text = match key {
        "Enter" => "\r",
        _ if code == 0 => key,
        _ => "",
    };
    let event = |kind: &str, text: &str| {
        let event = json!({
            "type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code,
        });
        chrome.cdp("Input.dispatchKeyEvent", event);
    };
    event(
        if text.is_empty() {
            "rawKeyDown"
        } else {
            "keyDown"
        },
        text,
    );
    event("keyUp", "");
}

/// 把一个元素滚到眼前，给出其中一点在视口里的位置；`across`、`down` 是从左上角算起的份额。
pub fn point(chrome: &Chrome, selector: &str, across: f64, down: f64) -> (f64, f64) {
    let found = chrome.run(
        "const e = document.querySelector(arguments[0]);\
         e.scrollIntoView({ block: 'center', behavior: 'instant' });\
         await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));\
         const b = e.getClientRects()[0];\
         return [b.left + b.width * arguments[1], b.top + b.height * arguments[2]];",
        vec![json!(selector), json!(across), json!(down)],
    );
    let number = |i: usize| found[i].as_f64().expect("位置");
    (number(0), number(1))
}

/// 鼠标移到一点。
pub fn hover(chrome: &Chrome, (x, y): (f64, f64)) {
    let event = json!({ "type": "mouseMoved", "x": x, "y": y });
    chrome.cdp("Input.dispatchMouseEvent", event);
}

/// 用鼠标点一点。
pub fn click(chrome: &Chrome, at: (f64, f64)) {
    hover(chrome, at);
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({
            "type": kind, "x": at.0, "y": at.1, "button": "left", "clickCount": 1,
        });
        chrome.cdp("Input.dispatchMouseEvent", event);
    }
}

/// 手指沿几个点划过；只有一个点就是点一下。
pub fn touch(chrome: &Chrome, points: &[(f64, f64)]) {
    chrome.cdp(
        "Emulation.setTouchEmulationEnabled",
        json!({ "enabled": true }),
    );
    for (i, (x, y)) in points.iter().enumerate() {
        let kind = if i == 0 { "touchStart" } else { "touchMove" };
        let event = json!({ "type": kind, "touchPoints": [{ "x": x, "y": y }] });
        chrome.cdp("Input.dispatchTouchEvent", event);
    }
    let end = json!({ "type": "touchEnd", "touchPoints": [] });
    chrome.cdp("Input.dispatchTouchEvent", end);
}

/// 手机的宽度上用手指点一下，否则用鼠标。
pub fn tap(chrome: &Chrome, width: u32, at: (f64, f64)) {
    if width < 600 {
        touch(chrome, &[at]);
    } else {
        click(chrome, at);
    }
}
