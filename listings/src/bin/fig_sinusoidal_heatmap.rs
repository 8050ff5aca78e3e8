//! 插图：四十八个位置、三十二列的编码表。

use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};
use posenc::svg::{Anchor, Canvas, PALETTE};
use std::fmt::Write;

const POSITIONS: usize = 48;
const WIDTH: usize = 32;
const CELL: (f64, f64) = (9.5, 5.5);
const CORNER: (f64, f64) = (38.0, 34.0);
const LEVELS: i64 = 5;

fn main() -> Result<(), posenc::Error> {
    let table = sinusoidal_table(POSITIONS, WIDTH, 10000.0, ColumnLayout::Interleaved)?;
    let mut canvas = Canvas::new(
        "fig_sinusoidal_heatmap",
        "左边的列变得快，右边的列几乎不动",
        "热力图，一行一个位置，一列一个分量。最左两列每隔六行左右重复一次条纹；越往右条纹越长；\
         最右边的正弦列接近零，余弦列接近一，于是出现竖条。",
        360,
        346,
    );
    for level in (-LEVELS..=LEVELS).filter(|&level| level != 0) {
        let d = runs(&table, level);
        let color = PALETTE[if level < 0 { 0 } else { 1 }];
        let opacity = level.unsigned_abs() as f64 / LEVELS as f64;
        canvas.path(
            &d,
            &format!("fill=\"{color}\" fill-opacity=\"{opacity:.1}\""),
        );
    }
    axes(&mut canvas);
    legend(&mut canvas);
    print!("{}", canvas.finish());
    Ok(())
}

/// 某一档颜色的全部方格，同一列里上下相连的并成一条。
fn runs(table: &ndarray::Array2<f64>, level: i64) -> String {
    let mut d = String::new();
    for column in 0..WIDTH {
        let mut n = 0;
        while n < POSITIONS {
            let start = n;
            while n < POSITIONS && shade(table[[n, column]]) == level {
                n += 1;
            }
            if n > start {
                let x = CORNER.0 + column as f64 * CELL.0;
                let y = CORNER.1 + start as f64 * CELL.1;
                let height = (n - start) as f64 * CELL.1;
                let _ = write!(d, "M{x} {y}h{}v{height}h-{}z", CELL.0, CELL.0);
            }
            n += usize::from(n == start);
        }
    }
    d
}

/// 取值 -1 到 1 分成十一档。
fn shade(value: f64) -> i64 {
    (value * (LEVELS as f64 + 0.49)).round() as i64
}

fn axes(canvas: &mut Canvas) {
    let bottom = CORNER.1 + POSITIONS as f64 * CELL.1;
    let right = CORNER.0 + WIDTH as f64 * CELL.0;
    let style = "stroke=\"currentColor\" stroke-width=\"1\"";
    canvas.line((CORNER.0, bottom), (right, bottom), style);
    canvas.line(CORNER, (CORNER.0, bottom), style);
    for n in [0, 12, 24, 36, 47] {
        let y = CORNER.1 + (n as f64 + 0.5) * CELL.1;
        canvas.text((CORNER.0 - 6.0, y + 4.0), 11.0, Anchor::End, &n.to_string());
    }
    for column in [0, 8, 16, 24, 31] {
        let x = CORNER.0 + (column as f64 + 0.5) * CELL.0;
        canvas.text(
            (x, bottom + 14.0),
            11.0,
            Anchor::Middle,
            &column.to_string(),
        );
    }
    let middle = (CORNER.0 + right) / 2.0;
    canvas.text(
        (middle, bottom + 29.0),
        12.0,
        Anchor::Middle,
        "列（分量的下标）",
    );
    canvas.text((4.0, CORNER.1 - 10.0), 12.0, Anchor::Start, "位置 n");
}

fn legend(canvas: &mut Canvas) {
    let right = CORNER.0 + WIDTH as f64 * CELL.0;
    for level in -LEVELS..=LEVELS {
        let x = right - 130.0 + (level + LEVELS) as f64 * 8.0;
        let color = PALETTE[if level < 0 { 0 } else { 1 }];
        let opacity = level.unsigned_abs() as f64 / LEVELS as f64;
        canvas.rect(
            (x, CORNER.1 - 20.0),
            (8.0, 10.0),
            &format!("fill=\"{color}\" fill-opacity=\"{opacity:.1}\""),
        );
    }
    canvas.text((right - 136.0, CORNER.1 - 10.0), 11.0, Anchor::End, "-1");
    canvas.text((right - 36.0, CORNER.1 - 10.0), 11.0, Anchor::Start, "+1");
}
