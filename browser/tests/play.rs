//! 能动的图：在许多设置下读数，与代码库算出的比较；键盘、鼠标、手指都试。

use browser::chrome::{Chrome, Event, WIDTHS};
use browser::input::{self, click, hover, point, press, text, touch, wait};
use browser::site::Site;
use ndarray::Array1;
use posenc::frequency::{frequencies, wavelengths};
use posenc::print::fixed;
use posenc::rotary::{PairLayout, dot, rotate_vector};
use posenc::sinusoidal::{
    ColumnLayout, first_negative, first_rise, kernel, rising_steps, sinusoidal_table,
};
use serde_json::{Value, json};
use std::f64::consts::TAU;

/// 一张图：所在的页、编号、控件的名字、各组设置、应有的读数。
struct Figure {
    page: &'static str,
    id: &'static str,
    controls: &'static [&'static str],
    settings: fn() -> Vec<Vec<i64>>,
    wanted: fn(&[i64]) -> Vec<Wanted>,
}

/// 一个应有的读数：名字、值、显示成什么样。没有值的读数是 `None`。
struct Wanted {
    name: &'static str,
    value: Option<f64>,
    /// 角只看除去整圈之后的部分。
    angle: bool,
    /// 由页面自己的完整的值得出应显示的文字。
    shown: Box<dyn Fn(f64) -> String>,
}

impl Wanted {
    fn new(
        name: &'static str,
        value: f64,
        shown: impl Fn(f64) -> String + 'static,
    ) -> Self {
        Self {
            name,
            value: Some(value),
            angle: false,
            shown: Box::new(shown),
        }
    }

    fn decimal(name: &'static str, value: f64, digits: usize) -> Self {
        Self::new(name, value, move |full| fixed(full, digits))
    }

    fn angle(name: &'static str, value: f64) -> Self {
        Self {
            angle: true,
            ..Self::decimal(name, value, 4)
        }
    }

    fn found(
        name: &'static str,
        value: Option<i64>,
        shown: impl Fn(f64) -> String + 'static,
    ) -> Self {
        Self {
            value: value.map(|x| x as f64),
            ..Self::new(name, 0.0, shown)
        }
    }

    /// 读数不对在哪里；对就是 `None`。
    fn fault(&self, full: &str, text: &str) -> Option<String> {
        let Some(value) = self.value else {
            let right = full.is_empty() && text == "这一段里没有";
            return (!right)
                .then(|| format!("{}：应当没有，读到 {full}“{text}”", self.name));
        };
        let Ok(read) = full.parse::<f64>() else {
            return Some(format!("{}：完整的值是“{full}”", self.name));
        };
        let mut gap = (read - value).abs();
        if self.angle {
            gap = (gap % TAU).min(TAU - gap % TAU);
        }
        if gap.is_nan() || gap > 1e-6 {
            return Some(format!("{}：应是 {value}，读到 {read}", self.name));
        }
        let shown = (self.shown)(read);
        (shown != text).then(|| format!("{}：应写“{shown}”，写的是“{text}”", self.name))
    }
}

/// 几列数的全部组合。
fn product(lists: &[&[i64]]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for list in lists {
        all = all
            .iter()
            .flat_map(|head: &Vec<i64>| {
                list.iter().map(|&x| [&head[..], &[x]].concat())
            })
            .collect();
    }
    all
}

fn angle_of(x: &Array1<f64>, pair: usize) -> f64 {
    x[2 * pair + 1].atan2(x[2 * pair])
}

/// 两只指南针：m、n、第几对。
fn compass(setting: &[i64]) -> Vec<Wanted> {
    let [m, n, pair] = setting.try_into().expect("三个设置");
    let pair = usize::try_from(pair).expect("第几对");
    let turned = |start: f64, position: i64| {
        let mut x = Array1::zeros(8);
        (x[2 * pair], x[2 * pair + 1]) = (start.cos(), start.sin());
        rotate_vector(x.view(), position, 10000.0, PairLayout::Adjacent).expect("旋转")
    };
    let (q, k) = (turned(0.1, m), turned(0.75, n));
    let (a, b) = (angle_of(&q, pair), angle_of(&k, pair));
    let whole = |full: f64| format!("{full}");
    vec![
        Wanted::angle("查询的方向（弧度）", a),
        Wanted::angle("键的方向（弧度）", b),
        Wanted::angle("夹角（弧度）", b - a),
        Wanted::new("偏移 n − m", (n - m) as f64, whole),
        Wanted::decimal("这一对的分数", dot(q.view(), k.view()).expect("点积"), 4),
    ]
}

/// 编码探查：宽度、基数、位置、列。
fn explorer(setting: &[i64]) -> Vec<Wanted> {
    let [width, base, n, j] = setting.try_into().expect("四个设置");
    let [width, n, j] = [width, n, j].map(|x| usize::try_from(x).expect("不是负的"));
    let base = base as f64;
    let table = sinusoidal_table(48, width, base, ColumnLayout::Interleaved);
    let theta = frequencies(width, base).expect("频率");
    let wave = wavelengths(&theta).expect("波长")[j / 2];
    let kind = if j % 2 == 0 { "正弦" } else { "余弦" };
    vec![
        Wanted::new("第几对", (j / 2) as f64, move |full| {
            format!("{full}（{kind}）")
        }),
        Wanted::decimal("波长（位置）", wave, if wave < 1e5 { 2 } else { 0 }),
        Wanted::decimal("值", table.expect("表")[[n, j]], 4),
    ]
}

/// 核的探查：宽度、基数、看到多远、偏移。
fn kernels(setting: &[i64]) -> Vec<Wanted> {
    let [width, base, far, offset] = setting.try_into().expect("四个设置");
    let width = usize::try_from(width).expect("宽度");
    let theta = frequencies(width, base as f64).expect("频率");
    let g = kernel(theta.view(), offset);
    let rise = first_rise(theta.view(), far);
    let count = rising_steps(theta.view(), far);
    vec![
        Wanted::decimal("核 g(Δ)", g, 4),
        Wanted::decimal("g(Δ) ÷ g(0)", g / (width / 2) as f64, 4),
        Wanted::found("第一次回升", rise, |i| {
            format!("从 {i} 到 {}", i + 1.0)
        }),
        Wanted::new("回升的步", count as f64, move |i| {
            format!("{i}，共 {far} 步")
        }),
        Wanted::found("第一次为负", first_negative(theta.view(), far), |i| {
            format!("在 {i}")
        }),
    ]
}

const FIGURES: [Figure; 3] = [
    Figure {
        page: "rotary.html",
        id: "fig_rotary_turn",
        controls: &["查询的位置 m", "键的位置 n", "转哪一对"],
        settings: || {
            product(&[&[0, 1, 3, 50, 99, 100], &[0, 2, 37, 100], &[0, 1, 2, 3]])
        },
        wanted: compass,
    },
    Figure {
        page: "sinusoidal.html",
        id: "fig_sinusoidal_heatmap",
        controls: &["宽度 d", "基数 b", "位置 n", "列"],
        settings: || {
            let mut all = product(&[
                &[8, 16, 32, 64, 128],
                &[100, 10000, 500000, 1000000],
                &[0, 1, 22, 47],
            ]);
            for (i, setting) in (0..).zip(&mut all) {
                setting.push((i * 7 + 3) % setting[0]);
            }
            all
        },
        wanted: explorer,
    },
    Figure {
        page: "sinusoidal.html",
        id: "fig_sinusoidal_kernel",
        controls: &["宽度 d", "基数 b", "看到多远", "偏移 Δ"],
        settings: || {
            let mut all = product(&[
                &[16, 32, 64, 128, 256, 512],
                &[100, 1000, 10000, 500000, 1000000],
                &[40, 160, 640, 4096],
            ]);
            for (i, setting) in (0..).zip(&mut all) {
                setting.push(i * 37 % (setting[2] + 1));
            }
            all
        },
        wanted: kernels,
    },
];

/// 依次换上各组设置，读出每个读数的完整的值与文字。
const READ: &str = "const [id, names, settings] = arguments;
    const panel = document.querySelector(`#${id} .play`);
    const control = (name) => panel.querySelector(`[data-name=\"${name}\"]:is(input, select)`);
    return settings.map((setting) => {
      setting.forEach((value, i) => {
        const box = control(names[i]);
        box.value = value;
        box.dispatchEvent(new Event(box.matches('select') ? 'change' : 'input', { bubbles: true }));
        if (Number(box.value) !== value) throw new Error(names[i] + ' 换不成 ' + value);
      });
      return [...panel.querySelectorAll('.play-values dd')]
        .map((cell) => [cell.dataset.name, cell.dataset.value, cell.textContent]);
    });";

fn ready(chrome: &Chrome, site: &Site, figure: &Figure, width: u32) -> Vec<Event> {
    let events = chrome.open(&site.url(figure.page), width);
    let condition = format!("document.querySelector('#{} .play-values')", figure.id);
    wait(chrome, &condition);
    events
}

/// 一张图的毛病，以及看过几组设置；每隔 `step` 组看一组。
fn faults(
    chrome: &Chrome,
    site: &Site,
    figure: &Figure,
    step: usize,
) -> (usize, Vec<String>) {
    ready(chrome, site, figure, 1200);
    let settings: Vec<_> = (figure.settings)().into_iter().step_by(step).collect();
    let arguments = vec![json!(figure.id), json!(figure.controls), json!(settings)];
    let rows: Vec<Vec<[String; 3]>> =
        serde_json::from_value(chrome.run(READ, arguments)).expect("读数");
    assert_eq!(rows.len(), settings.len());
    let mut faults = Vec::new();
    for (setting, row) in settings.iter().zip(&rows) {
        let wanted = (figure.wanted)(setting);
        let names: Vec<&str> = row.iter().map(|cell| cell[0].as_str()).collect();
        let expected: Vec<&str> = wanted.iter().map(|one| one.name).collect();
        assert_eq!(names, expected, "读数的名字");
        for (one, [_, full, text]) in wanted.iter().zip(row) {
            if let Some(fault) = one.fault(full, text) {
                faults.push(format!("{} {setting:?} {fault}", figure.id));
            }
        }
    }
    (rows.len(), faults)
}

#[test]
fn every_reading_is_that_of_the_library() {
    let chrome = Chrome::start();
    let site = Site::book();
    let mut total = 0;
    for figure in &FIGURES {
        let (count, found) = faults(&chrome, &site, figure, 1);
        assert_eq!(found, [""; 0]);
        total += count;
    }
    println!("三张图，读过 {total} 组设置");
    assert!(total >= 200, "只读了 {total} 组设置");
}

/// 改坏脚本的一处：哪张图，原文，改成。
const DAMAGE: [(usize, &str, &str); 14] = [
    (0, "-2 * i / width", "-2 * i / (width - 2)"),
    (1, "-2 * i / width", "-2 * i / (width + 2)"),
    (2, "-2 * i / width", "-i / width"),
    (
        0,
        "const start = [0.1, 0.75]",
        "const start = [0.1, 0.75001]",
    ),
    (0, "+ Math.sin(angles[0])", "- Math.sin(angles[0])"),
    (0, "n.value - m.value", "m.value - n.value"),
    (0, "toFixed(digits)", "toFixed(3)"),
    (
        1,
        "j % 2 ? Math.cos : Math.sin",
        "j % 2 ? Math.sin : Math.cos",
    ),
    (1, "2 * Math.PI / theta", "Math.PI / theta"),
    (1, "wave < 1e5 ? 2 : 0", "2"),
    (1, "j >> 1, `${j >> 1}", "j, `${j >> 1}"),
    (2, "values[i + 1] > values[i]", "values[i + 1] < values[i]"),
    (2, "values[i] < 0", "values[i] <= 0.1"),
    (2, "g / values[0]", "g / width.value"),
];

#[test]
fn a_broken_script_is_seen() {
    let chrome = Chrome::start();
    let site = Site::book();
    let path = site.dir().join("play.js");
    let script = std::fs::read_to_string(&path).expect("脚本可读");
    for (figure, from, to) in DAMAGE {
        assert!(script.contains(from), "脚本里没有 {from}");
        std::fs::write(&path, script.replace(from, to)).expect("脚本可写");
        let (_, found) = faults(&chrome, &site, &FIGURES[figure], 3);
        assert!(!found.is_empty(), "{from} 改成 {to} 没有被发现");
    }
}

/// 控件与读数此刻的值。
fn value(chrome: &Chrome, figure: &Figure, name: &str) -> String {
    text(
        chrome,
        &format!(
            "(e => e.dataset.value ?? e.value)(document.querySelector(\
             '#{} .play [data-name=\"{name}\"]'))",
            figure.id
        ),
    )
}

/// 把键盘的焦点放到一个控件上。
fn focus(chrome: &Chrome, figure: &Figure, inner: &str) {
    let selector = format!("#{} .play {inner}", figure.id);
    chrome.run(
        "document.querySelector(arguments[0]).focus();",
        vec![Value::from(selector)],
    );
}

#[test]
fn the_keyboard_moves_the_figures_and_not_the_page() {
    let chrome = Chrome::start();
    let site = Site::book();
    let [compass, explorer, kernels] = &FIGURES;

    ready(&chrome, &site, compass, 1200);
    focus(&chrome, compass, "input");
    press(&chrome, "ArrowRight");
    assert_eq!(value(&chrome, compass, "查询的位置 m"), "2");
    press(&chrome, "Tab");
    press(&chrome, "Enter");
    assert_eq!(value(&chrome, compass, "查询的位置 m"), "3", "加一的按钮");
    focus(&chrome, compass, "select");
    press(&chrome, "ArrowDown");
    assert_eq!(value(&chrome, compass, "转哪一对"), "1");
    let score = value(&chrome, compass, "这一对的分数");
    focus(&chrome, compass, "[role=group] button:last-of-type");
    press(&chrome, "Enter");
    assert_eq!(value(&chrome, compass, "查询的位置 m"), "13");
    assert_eq!(value(&chrome, compass, "键的位置 n"), "13");
    let later = value(&chrome, compass, "这一对的分数");
    let gap = |a: &str, b: &str| {
        let number = |x: &str| x.parse::<f64>().expect("一个数");
        (number(a) - number(b)).abs()
    };
    assert!(gap(&score, &later) < 1e-9, "一起走，分数不动");

    ready(&chrome, &site, explorer, 1200);
    focus(&chrome, explorer, ".play-map");
    for key in [
        "ArrowRight",
        "ArrowDown",
        "ArrowDown",
        "ArrowLeft",
        "ArrowRight",
    ] {
        press(&chrome, key);
    }
    assert_eq!(value(&chrome, explorer, "列"), "3");
    assert_eq!(value(&chrome, explorer, "位置 n"), "7");
    press(&chrome, "ArrowUp");
    assert_eq!(value(&chrome, explorer, "位置 n"), "6");

    focus(&chrome, kernels, "input");
    press(&chrome, "ArrowLeft");
    assert_eq!(value(&chrome, kernels, "偏移 Δ"), "11");
    assert_eq!(
        text(&chrome, "location.pathname"),
        "/sinusoidal.html",
        "没有翻页"
    );
}

#[test]
fn the_mouse_and_the_finger_move_the_figures() {
    let chrome = Chrome::start();
    let site = Site::book();
    let [compass, explorer, kernels] = &FIGURES;
    for width in WIDTHS {
        let phone = width < 600;
        let tap = |at| input::tap(&chrome, width, at);
        let place = |figure: &Figure, inner: &str, across: f64, down: f64| {
            let selector = format!("#{} .play {inner}", figure.id);
            point(&chrome, &selector, across, down)
        };

        ready(&chrome, &site, compass, width);
        tap(place(compass, "[role=group] button:last-of-type", 0.5, 0.5));
        wait(
            &chrome,
            "document.querySelector('#fig_rotary_turn [data-name=\"键的位置 n\"]').value === '13'",
        );
        assert_eq!(value(&chrome, compass, "查询的位置 m"), "11");
        assert_eq!(value(&chrome, compass, "偏移 n − m"), "2");
        let (from, to) = (
            place(compass, "input", 0.13, 0.5),
            place(compass, "input", 0.6, 0.5),
        );
        if phone {
            touch(&chrome, &[from, ((from.0 + to.0) / 2.0, from.1), to]);
        } else {
            click(&chrome, to);
        }
        let m: f64 = value(&chrome, compass, "查询的位置 m")
            .parse()
            .expect("位置");
        assert!((50.0..70.0).contains(&m), "滑块到了 {m}");

        ready(&chrome, &site, explorer, width);
        let cell = place(explorer, ".play-map", 20.5 / 32.0, 30.5 / 48.0);
        if phone {
            tap(cell);
        } else {
            hover(&chrome, cell);
        }
        assert_eq!(value(&chrome, explorer, "列"), "20", "宽 {width}");
        assert_eq!(value(&chrome, explorer, "位置 n"), "30", "宽 {width}");

        let middle = (34.0 + 350.0) / 2.0 / 360.0;
        tap(place(kernels, "svg", middle, 0.4));
        assert_eq!(value(&chrome, kernels, "偏移 Δ"), "80", "宽 {width}");
    }
}

#[test]
fn readings_are_announced_and_controls_are_named() {
    let chrome = Chrome::start();
    let site = Site::book();
    for figure in &FIGURES {
        ready(&chrome, &site, figure, 390);
        let faults = chrome.run(
            "const panel = document.querySelector(`#${arguments[0]} .play`);
             const faults = [];
             const live = panel.querySelector('[aria-live=polite][aria-atomic=true]');
             if (!live) faults.push('读数不报');
             for (const box of panel.querySelectorAll('input, select')) {
               if (box.labels.length !== 1) faults.push(box.dataset.name + ' 没有名字');
               if (live.contains(box)) faults.push(box.dataset.name + ' 在读数里');
             }
             for (const button of panel.querySelectorAll('button, input, select')) {
               const size = button.getBoundingClientRect();
               if (Math.min(size.width, size.height) < 24) faults.push(button.textContent + ' 太小');
               if (button.matches('button') && !/\\p{Script=Han}/u.test(button.ariaLabel || button.textContent)) {
                 faults.push(button.textContent + ' 没有中文的名字');
               }
             }
             return faults;",
            vec![json!(figure.id)],
        );
        assert_eq!(faults, json!([]), "{}", figure.id);
    }
}

/// 一页发出的请求里取没取这个脚本。
fn takes(events: &[Event], script: &str) -> bool {
    events
        .iter()
        .any(|event| matches!(event, Event::Request(url) if url.ends_with(script)))
}

#[test]
fn only_pages_with_the_figures_take_the_script() {
    let chrome = Chrome::start();
    let site = Site::book();
    let mut with = Vec::new();
    for page in site.html() {
        if takes(&chrome.open(&site.url(&page), 1200), "/play.js") {
            with.push(page);
        }
    }
    assert_eq!(with, ["rotary.html", "sinusoidal.html"]);
    assert!(takes(&[Event::Request("a/play.js".into())], "/play.js"));
    assert!(!takes(&[Event::Request("a/display.js".into())], "/play.js"));
}

#[test]
fn the_figures_work_from_a_file() {
    let chrome = Chrome::start();
    let site = Site::book();
    for figure in &FIGURES {
        let url = format!("file://{}", site.dir().join(figure.page).display());
        chrome.open(&url, 390);
        wait(
            &chrome,
            &format!("document.querySelector('#{} .play-values')", figure.id),
        );
    }
}

#[test]
fn a_wrong_reading_is_refused() {
    let one = || Wanted::decimal("值", 0.5, 4);
    assert_eq!(one().fault("0.5000001", "0.5000"), None);
    for (full, text) in [
        ("0.500002", "0.5000"),
        ("0.5", "0.5001"),
        ("0.5", "0.50"),
        ("0.5", "-0.5000"),
        ("", "0.5000"),
        ("NaN", "0.5000"),
    ] {
        assert!(one().fault(full, text).is_some(), "{full} {text}");
    }
    let angle = || Wanted::angle("角", 0.1);
    assert_eq!(angle().fault(&(0.1 + TAU).to_string(), "6.3832"), None);
    assert!(angle().fault(&(0.2 + TAU).to_string(), "6.4832").is_some());
    let none = || Wanted::found("第一次", None, |i| format!("在 {i}"));
    assert_eq!(none().fault("", "这一段里没有"), None);
    assert!(none().fault("3", "在 3").is_some());
    let three = || Wanted::found("第一次", Some(3), |i| format!("在 {i}"));
    assert_eq!(three().fault("3", "在 3"), None);
    assert!(three().fault("", "这一段里没有").is_some());
    assert!(three().fault("3", "在 4").is_some());
}
