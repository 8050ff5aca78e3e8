//! 讲稿的例句正着读、倒着读，各打印一张注意力矩阵。

use posenc::Error;
use posenc::attention::{Mask, SelfAttention, permute_rows};
use posenc::order::{WORDS, sentence, words_in};
use posenc::print::{pad, row};

// ANCHOR: show
/// 按 `order` 重排例句，打印注意力权重：行是查询，列是键，次序都与句子相同。
fn show(head: &SelfAttention, order: &[usize]) -> Result<(), Error> {
    let x = permute_rows(sentence().view(), order)?;
    let weights = head.forward(x.view(), Mask::None)?.weights;
    println!("{}：", words_in(&WORDS, order)?);
    for (line, &word) in weights.rows().into_iter().zip(order) {
        println!("{}{}", pad(WORDS[word], 4), row(line, 11, 8));
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let head = SelfAttention::seeded(42, 6, 3);
    show(&head, &[0, 1, 2])?;
    show(&head, &[2, 1, 0])
}
// ANCHOR_END: show
