//! 插图：一张分数表拆成四块，哪一块看词，哪一块看位置。

use ndarray::concatenate;
use ndarray::prelude::*;
use posenc::additive::four_terms;
use posenc::rng::LegacyRandom;
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};
use posenc::svg::{Anchor, Canvas, PALETTE};
use std::fmt::Write;

const WIDTH: usize = 16;
const WORDS: [&str; 6] = ["猫", "追", "鼠", "猫", "追", "鼠"];
const NAMES: [&str; 4] = ["内容对内容", "内容对位置", "位置对内容", "位置对位置"];
const CELL: f64 = 22.0;
const LEVELS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut random = LegacyRandom::new(42);
    let w = random.normal_matrix(WIDTH, WIDTH) / 4.0;
    let three = random.normal_matrix(3, WIDTH);
    let content = concatenate(Axis(0), &[three.view(), three.view()])?;
    let table =
        sinusoidal_table(WORDS.len(), WIDTH, 10000.0, ColumnLayout::Interleaved)?;
    let mut blocks = vec![Array2::<f64>::zeros((6, 6)); 4];
    for m in 0..6 {
        for n in 0..6 {
            let query = [content.row(m), table.row(m)];
            let terms = four_terms(query, w.view(), [content.row(n), table.row(n)])?;
            for (block, term) in blocks.iter_mut().zip(terms) {
                block[[m, n]] = term;
            }
        }
    }
    let mut canvas = Canvas::new(
        "fig_sinusoidal_split",
        "一张分数表是四块之和，只有带位置的块认得次序",
        "句子是猫追鼠猫追鼠，六个词。四张小表，行是查询，列是键，颜色深浅是这一项的大小，各表自成深浅。\
         内容对内容的表里，同样的词给出同样的数，三行三列的花样重复四遍；\
         内容对位置的表里，同样的词的两行相同；位置对内容的表里，同样的词的两列相同；\
         位置对位置的表没有重复，也与词无关。",
        360,
        396,
    );
    for (k, block) in blocks.iter().enumerate() {
        let corner = (40.0 + 180.0 * (k % 2) as f64, 58.0 + 196.0 * (k / 2) as f64);
        draw(&mut canvas, corner, NAMES[k], block);
    }
    print!("{}", canvas.finish());
    Ok(())
}

/// 一块：名字、词、按大小着色的方格。
fn draw(canvas: &mut Canvas, corner: (f64, f64), name: &str, block: &Array2<f64>) {
    let side = 6.0 * CELL;
    canvas.text(
        (corner.0 + side / 2.0, corner.1 - 34.0),
        13.0,
        Anchor::Middle,
        name,
    );
    for (i, word) in WORDS.into_iter().enumerate() {
        let along = (i as f64 + 0.5) * CELL;
        canvas.text(
            (corner.0 + along, corner.1 - 6.0),
            12.0,
            Anchor::Middle,
            word,
        );
        canvas.text(
            (corner.0 - 5.0, corner.1 + along + 4.0),
            12.0,
            Anchor::End,
            word,
        );
    }
    let largest = block.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for (color, sign) in [(PALETTE[0], -1.0), (PALETTE[1], 1.0)] {
        for level in 1..=LEVELS {
            let mut d = String::new();
            for ((m, n), value) in block.indexed_iter() {
                let share = sign * value / largest * LEVELS as f64;
                if share > 0.0 && share.ceil() as usize == level {
                    let (x, y) =
                        (corner.0 + n as f64 * CELL, corner.1 + m as f64 * CELL);
                    let _ = write!(d, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
                }
            }
            if !d.is_empty() {
                let opacity = level as f64 / LEVELS as f64;
                canvas.path(
                    &d,
                    &format!("fill=\"{color}\" fill-opacity=\"{opacity:.1}\""),
                );
            }
        }
    }
    canvas.rect(
        corner,
        (side, side),
        "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1\"",
    );
}
