//! 一个断网的 Chromium。

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use thirtyfour::common::log::LoggingPrefsLogLevel;
use thirtyfour::{
    CapabilitiesHelper, ChromiumLikeCapabilities, DesiredCapabilities, WebDriver,
};
use tokio::runtime::Runtime;

/// 桌面与手机两种宽度，单位像素。
pub const WIDTHS: [u32; 2] = [1200, 390];

/// 页面上发生的事。
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// 发出一个请求。
    Request(String),
    /// 一个请求失败：地址或编号，原因。
    Failed(String, String),
    /// 控制台里的错误。
    Console(String),
}

/// 一次浏览器会话。丢弃时连同它自己启动的 `chromedriver` 一起结束。
#[derive(Debug)]
pub struct Chrome {
    service: Child,
    driver: Option<WebDriver>,
    runtime: Runtime,
}

impl Chrome {
    /// 启动。
    ///
    /// # Panics
    ///
    /// 没有 `chromedriver` 或 Chromium，或它们起不来时：缺了浏览器就是失败。
    pub fn start() -> Self {
        // 它挑的端口偶尔正好被别人占着，那就再挑一次。
        let (service, port) = (0..5)
            .find_map(|_| serve())
            .expect("chromedriver 五次都没有报出端口");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("异步运行时");
        let mut chrome = Self {
            service,
            driver: None,
            runtime,
        };
        let caps = capabilities().expect("浏览器的设置");
        let server = format!("http://127.0.0.1:{port}");
        let driver = chrome
            .runtime
            .block_on(WebDriver::new(server, caps))
            .unwrap_or_else(|e| panic!("启动不了 Chromium：{e}"));
        chrome.driver = Some(driver);
        // 打印页一打开就要打印；这里只看，不印。
        chrome.cdp(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": "window.print = () => {};" }),
        );
        chrome
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("会话还开着")
    }

    /// 原样发一条 DevTools 命令。
    pub fn cdp(&self, method: &str, params: Value) -> Value {
        self.runtime
            .block_on(self.driver().cdp().send_raw(method, params))
            .unwrap_or_else(|e| panic!("{method}：{e}"))
    }

    /// 在页面里运行一段函数体，等它的结果。
    pub fn run(&self, script: &str, args: Vec<Value>) -> Value {
        self.runtime
            .block_on(self.driver().execute(script, args))
            .unwrap_or_else(|e| panic!("页面里的脚本出错：{e}"))
            .json()
            .clone()
    }

    /// 以给定宽度打开一页，等字体与两帧画面，交出这期间发生的事。
    pub fn open(&self, url: &str, width: u32) -> Vec<Event> {
        self.visit(url, width);
        self.events()
    }

    /// 以给定宽度打开一页，等字体与两帧画面；这期间的日志留着。
    pub fn visit(&self, url: &str, width: u32) {
        let phone = width < 600;
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            json!({
                "width": width,
                "height": if phone { 844 } else { 900 },
                "deviceScaleFactor": if phone { 2 } else { 1 },
                "mobile": phone,
            }),
        );
        // 换到空白页，前一页的事就不会算到这一页头上。
        let opened = self.runtime.block_on(async {
            self.driver().goto("about:blank").await?;
            self.driver().get_log("performance").await?;
            self.driver().get_log("browser").await?;
            self.driver().goto(url).await
        });
        opened.unwrap_or_else(|e| panic!("打不开 {url}：{e}"));
        self.run(SETTLE, Vec::new());
    }

    /// 上次询问以来 DevTools 的消息。
    pub fn messages(&self) -> Vec<Value> {
        let log = self
            .runtime
            .block_on(self.driver().get_log("performance"))
            .unwrap_or_else(|e| panic!("读不到日志：{e}"));
        log.iter()
            .map(|entry| {
                let value: Value =
                    serde_json::from_str(&entry.message).expect("日志是 JSON");
                value["message"].clone()
            })
            .collect()
    }

    /// 上次询问以来发生的事。
    pub fn events(&self) -> Vec<Event> {
        let mut events: Vec<Event> = self.messages().iter().filter_map(event).collect();
        let console = self
            .runtime
            .block_on(self.driver().get_log("browser"))
            .unwrap_or_else(|e| panic!("读不到日志：{e}"));
        events.extend(
            console
                .into_iter()
                .filter(|entry| entry.level == "SEVERE")
                .map(|entry| Event::Console(entry.message)),
        );
        events
    }

    /// 整页的画面，PNG。
    pub fn png(&self) -> Vec<u8> {
        let size = self.run(
            "const e = document.documentElement;\
             return [e.clientWidth, e.scrollHeight];",
            Vec::new(),
        );
        let shot = self.cdp(
            "Page.captureScreenshot",
            json!({
                "captureBeyondViewport": true,
                "clip": { "x": 0, "y": 0, "scale": 1, "width": size[0], "height": size[1] },
            }),
        );
        decode(&shot)
    }

    /// 屏幕上此刻的画面。
    pub fn screen(&self) -> Vec<u8> {
        decode(&self.cdp("Page.captureScreenshot", json!({})))
    }
}

/// 启动 `chromedriver`，由它挑一个端口；没有挑到就没有。
fn serve() -> Option<(Child, u16)> {
    let name = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".into());
    let mut service = Command::new(&name)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|e| panic!("启动不了 {name}（{e}）：请装 chromium-driver"));
    let output = service.stdout.take().expect("有标准输出");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let port = lines.find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    let Some(port) = port else {
        // 输出已经到头，进程就要结束；收走它。
        let _ = service.kill();
        let _ = service.wait();
        return None;
    };
    std::thread::spawn(move || lines.for_each(drop));
    Some((service, port))
}

fn decode(shot: &Value) -> Vec<u8> {
    let text = shot["data"].as_str().expect("有画面");
    BASE64_STANDARD.decode(text).expect("画面是 base64")
}

/// 布局之后等字体到齐，再等两帧。
const SETTLE: &str = "document.documentElement.offsetHeight;\
    await document.fonts.ready;\
    await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));";

fn capabilities()
-> thirtyfour::error::WebDriverResult<impl Into<thirtyfour::Capabilities>> {
    let mut caps = DesiredCapabilities::chrome();
    if let Ok(path) = std::env::var("CHROMIUM") {
        caps.set_binary(&path)?;
    }
    for arg in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--lang=zh-CN",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--allow-file-access-from-files",
    ] {
        caps.add_arg(arg)?;
    }
    caps.set_logging_prefs("performance", LoggingPrefsLogLevel::All)?;
    caps.set_logging_prefs("browser", LoggingPrefsLogLevel::All)?;
    caps.set("timeouts", json!({ "script": 300_000, "pageLoad": 60_000 }))?;
    Ok(caps)
}

/// 把 DevTools 的一条消息读成一件事；认不出的消息与本检查无关。
fn event(message: &Value) -> Option<Event> {
    let params = &message["params"];
    let text = |v: &Value| v.as_str().unwrap_or("?").to_owned();
    match message["method"].as_str()? {
        "Network.requestWillBeSent" => {
            let url = text(&params["request"]["url"]);
            (url != "about:blank").then_some(Event::Request(url))
        }
        "Network.webSocketCreated" => Some(Event::Request(text(&params["url"]))),
        "Network.loadingFailed" => Some(Event::Failed(
            text(&params["requestId"]),
            text(&params["errorText"]),
        )),
        "Network.responseReceived" => {
            let status = params["response"]["status"].as_u64()?;
            (status >= 400).then(|| {
                Event::Failed(text(&params["response"]["url"]), status.to_string())
            })
        }
        _ => None,
    }
}

impl Drop for Chrome {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            let quit = async {
                tokio::time::timeout(Duration::from_secs(10), driver.quit()).await
            };
            // 已经断开的会话不必再关。
            let _ = self.runtime.block_on(quit);
        }
        let _ = self.service.kill();
        let _ = self.service.wait();
    }
}
