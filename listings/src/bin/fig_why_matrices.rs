//! 插图：例句正着读与倒着读的两张注意力矩阵，同一个词的行和列一起搬家。

use posenc::Error;
use posenc::attention::{Mask, SelfAttention, permute_rows};
use posenc::order::{WORDS, sentence};
use posenc::print::fixed;
use posenc::svg::{Anchor, Canvas, DASHES, PALETTE};

const CELL: f64 = 42.0;

fn panel(
    canvas: &mut Canvas,
    corner: (f64, f64),
    title: &str,
    order: &[usize],
) -> Result<(), Error> {
    let head = SelfAttention::seeded(42, 6, 3);
    let x = permute_rows(sentence().view(), order)?;
    let weights = head.forward(x.view(), Mask::None)?.weights;
    let (left, top) = corner;
    let middle = left + 1.5 * CELL;
    canvas.text((middle, top - 46.0), 13.0, Anchor::Middle, title);
    canvas.text((middle, top - 26.0), 11.0, Anchor::Middle, "键（被看的词）");
    for (m, &query) in order.iter().enumerate() {
        let y = top + CELL * m as f64;
        canvas.text((left - 5.0, y + 25.0), 12.0, Anchor::End, WORDS[query]);
        let x = left + CELL * (m as f64 + 0.5);
        canvas.text((x, top - 8.0), 12.0, Anchor::Middle, WORDS[query]);
        for n in 0..order.len() {
            let weight = weights[[m, n]];
            let opacity = 0.05 + 0.3 * (weight - 0.28) / (0.375 - 0.28);
            let cell = (left + CELL * n as f64, y);
            canvas.rect(
                cell,
                (CELL, CELL),
                &format!(
                    "fill=\"{}\" fill-opacity=\"{}\" stroke=\"currentColor\" \
                     stroke-width=\"0.5\"",
                    PALETTE[0],
                    fixed(opacity, 2)
                ),
            );
            let center = (cell.0 + CELL / 2.0, y + 25.0);
            canvas.text(center, 12.0, Anchor::Middle, &fixed(weight, 3));
        }
    }
    for (word, color) in [(0, 1), (2, 2)] {
        let m = order.iter().position(|&other| other == word).unwrap_or(0);
        canvas.rect(
            (left + 2.0, top + CELL * m as f64 + 2.0),
            (3.0 * CELL - 4.0, CELL - 4.0),
            &format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\" \
                 stroke-dasharray=\"{}\"",
                PALETTE[color],
                DASHES[color - 1]
            ),
        );
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut canvas = Canvas::new(
        "fig_why_matrices",
        "句子倒过来，注意力矩阵的行和列跟着倒过来",
        "左边是“猫 追 老鼠”的三乘三注意力矩阵，右边是“老鼠 追 猫”的。\
         实线框是猫的一行：左边在最上面，右边在最下面，三个数相同，左右次序相反。\
         虚线框是老鼠的一行，同样上下对调。",
        360,
        212,
    );
    panel(&mut canvas, (38.0, 62.0), "猫 追 老鼠", &[0, 1, 2])?;
    panel(&mut canvas, (226.0, 62.0), "老鼠 追 猫", &[2, 1, 0])?;
    canvas.text(
        (180.0, 206.0),
        11.0,
        Anchor::Middle,
        "行是查询（在看的词）；颜色越深，权重越大",
    );
    print!("{}", canvas.finish());
    Ok(())
}
