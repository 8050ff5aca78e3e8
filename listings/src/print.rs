//! 打印：固定宽度和位数，没有负零，中文按显示宽度对齐。
//!
//! ```
//! use posenc::print::{below, fixed};
//! assert_eq!(fixed(-0.0004, 3), "0.000");
//! assert_eq!(below(3e-16, 1e-12), "小于 1e-12");
//! ```

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

/// 把一个误差变成结论：不打印会随平台变化的舍入误差。NaN 从来不小于界限。
pub fn below(measured: f64, limit: f64) -> String {
    if measured < limit {
        format!("小于 {limit:e}")
    } else {
        format!("不小于 {limit:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{arr1, arr2};

    #[test]
    fn digits() {
        assert_eq!(fixed(0.5403023, 3), "0.540");
        assert_eq!(fixed(-1.25, 1), "-1.2");
        assert_eq!(fixed(2.5, 0), "2");
        assert_eq!(fixed(-0.0, 2), "0.00");
        assert_eq!(fixed(-0.4, 0), "0");
        assert_eq!(fixed(-0.004, 2), "0.00");
        assert_eq!(fixed(-0.006, 2), "-0.01");
        assert_eq!(fixed(-10.0, 0), "-10");
        assert_eq!(fixed(f64::NAN, 2), "NaN");
    }

    #[test]
    fn rows_and_matrices() {
        assert_eq!(row(arr1(&[1.0, -0.5]).view(), 7, 2), "   1.00  -0.50");
        assert_eq!(row(arr1(&[]).view(), 7, 2), "");
        assert_eq!(row(arr1(&[123.456]).view(), 2, 1), "123.5");
        let two = arr2(&[[1.0, 2.0], [3.0, -4.0]]);
        assert_eq!(matrix(two.view(), 5, 1), "    1.0  2.0\n    3.0 -4.0");
        assert_eq!(matrix(arr2(&[[], []]).view(), 5, 1), "  \n  ");
    }

    #[test]
    fn widths_on_the_screen() {
        assert_eq!(display_width("abc"), 3);
        assert_eq!(display_width("位置 1"), 6);
        assert_eq!(display_width("θ，√"), 4);
        assert_eq!(display_width(""), 0);
        for (wide, narrow) in [
            ('\u{1100}', '\u{10ff}'),
            ('\u{115f}', '\u{1160}'),
            ('\u{2e80}', '\u{2e7f}'),
            ('\u{a4cf}', '\u{a4d0}'),
            ('\u{ac00}', '\u{abff}'),
            ('\u{d7a3}', '\u{d7a4}'),
            ('\u{f900}', '\u{f8ff}'),
            ('\u{faff}', '\u{fb00}'),
            ('\u{fe30}', '\u{fe2f}'),
            ('\u{fe6f}', '\u{fe70}'),
            ('\u{ff00}', '\u{feff}'),
            ('\u{ff60}', '\u{ff61}'),
            ('\u{ffe0}', '\u{ffdf}'),
            ('\u{ffe6}', '\u{ffe7}'),
            ('\u{20000}', '\u{1ffff}'),
            ('\u{3fffd}', '\u{3fffe}'),
        ] {
            assert_eq!(display_width(&wide.to_string()), 2, "{:x}", wide as u32);
            assert_eq!(display_width(&narrow.to_string()), 1, "{:x}", narrow as u32);
        }
    }

    #[test]
    fn padding() {
        assert_eq!(pad("位置", 6), "位置  ");
        assert_eq!(pad("ab", 2), "ab");
        assert_eq!(pad("位置", 3), "位置");
    }

    #[test]
    fn verdicts() {
        assert_eq!(below(9e-13, 1e-12), "小于 1e-12");
        assert_eq!(below(1e-12, 1e-12), "不小于 1e-12");
        assert_eq!(below(1.0, 0.5), "不小于 5e-1");
        assert_eq!(below(f64::NAN, 0.5), "不小于 5e-1");
    }
}
