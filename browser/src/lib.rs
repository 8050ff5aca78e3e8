//! 浏览器里的检查所用的工具：在进程里建书，在本机上供页，开一个断网的 Chromium。
//!
//! 需要 `chromium`、`chromedriver`（可用环境变量 `CHROMIUM`、`CHROMEDRIVER` 指定），
//! 与官方样式比较时还需要环境变量 `KATEX_CSS`：npm 包 katex 0.16.4 里
//! `dist/katex.min.css` 的路径。缺了哪一样都算失败，从不跳过。

pub mod access;
pub mod chrome;
pub mod cost;
pub mod formula;
pub mod input;
pub mod page;
pub mod policy;
pub mod site;
