//! 打印：固定宽度和位数，没有负零，中文按显示宽度对齐。

use ndarray::{ArrayView1, ArrayView2};

/// 保留 `digits` 位小数；四舍六入五成双，`-0.000` 写成 `0.000`。
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_string(),
        _ => text,
    }
}

/// 一行数，每个占 `width` 列、保留 `digits` 位小数。
pub fn row(values: ArrayView1<f64>, width: usize, digits: usize) -> String {
    values
        .iter()
        .map(|&value| format!("{:>width$}", fixed(value, digits)))
        .collect()
}

/// 一个矩阵，一行一行，行首缩进两格。
pub fn matrix(values: ArrayView2<f64>, width: usize, digits: usize) -> String {
    let lines: Vec<String> = values
        .rows()
        .into_iter()
        .map(|line| format!("  {}", row(line, width, digits)))
        .collect();
    lines.join("\n")
}

/// 文字在等宽屏幕上占几列：中日韩字符和全角标点占两列。
pub fn display_width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6 | 0x20000..=0x3FFFD)
}

/// 右边补空格，直到占满 `width` 列。
pub fn pad(text: &str, width: usize) -> String {
    let gap = width.saturating_sub(display_width(text));
    format!("{text}{}", " ".repeat(gap))
}

/// 把一个误差变成结论：不打印会随平台变化的舍入误差。
pub fn below(measured: f64, limit: f64) -> String {
    if measured < limit {
        format!("小于 {limit:e}")
    } else {
        format!("不小于 {limit:e}")
    }
}
