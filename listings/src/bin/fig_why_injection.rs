//! 插图：一层注意力里，位置信息可以从哪几处进来。

use posenc::svg::{Anchor, Canvas, DASHES, PALETTE};

/// 一个方框，里面一行字。
fn block(canvas: &mut Canvas, top: f64, width: f64, text: &str) {
    canvas.rect(
        (92.0 - width / 2.0, top),
        (width, 30.0),
        "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1\" rx=\"4\"",
    );
    canvas.text((92.0, top + 20.0), 13.0, Anchor::Middle, text);
}

/// 右边的一处注入：标题、例子，和指向左边流程的箭头。
fn inject(canvas: &mut Canvas, y: f64, color: usize, title: &str, example: &str) {
    canvas.rect(
        (196.0, y - 22.0),
        (158.0, 44.0),
        &format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\" \
             rx=\"4\"",
            PALETTE[color], DASHES[color]
        ),
    );
    canvas.text((204.0, y - 4.0), 13.0, Anchor::Start, title);
    canvas.text((204.0, y + 13.0), 11.0, Anchor::Start, example);
    canvas.arrow((196.0, y), (98.0, y), PALETTE[color]);
}

fn main() {
    let mut canvas = Canvas::new(
        "fig_why_injection",
        "位置信息进入一层注意力的四个入口",
        "从上到下是一层注意力：词的嵌入，乘权重得到查询、键、值，两两点积得到分数，\
         softmax，对值加权平均。第一个入口在嵌入之后，加一个位置向量；\
         第二个入口在点积之前，旋转查询和键；第三个入口在分数上，加一个偏置；\
         第四个入口什么都不加，只有因果掩码遮住后面的词。",
        360,
        380,
    );
    let line = "stroke=\"currentColor\" stroke-width=\"1.2\"";
    let mut above = None;
    for (top, width, text) in [
        (6.0, 120.0, "词的嵌入"),
        (88.0, 150.0, "查询、键、值"),
        (170.0, 120.0, "点积得分数"),
        (292.0, 120.0, "softmax"),
        (344.0, 150.0, "对值加权平均"),
    ] {
        if let Some(bottom) = above {
            canvas.line((92.0, bottom), (92.0, top), line);
        }
        above = Some(top + 30.0);
        block(&mut canvas, top, width, text);
    }
    inject(&mut canvas, 62.0, 0, "加在输入上", "正弦、可学习");
    inject(&mut canvas, 144.0, 1, "旋转查询和键", "RoPE");
    inject(&mut canvas, 222.0, 2, "加在分数上", "T5、ALiBi");
    inject(&mut canvas, 270.0, 3, "什么都不加", "只靠因果掩码");
    print!("{}", canvas.finish());
}
