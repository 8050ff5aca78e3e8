//! 同一组权重加上因果掩码：注意力矩阵，以及六种排列离等变差多少。

use posenc::Error;
use posenc::attention::{Mask, SelfAttention};
use posenc::order::{WORDS, equivariance_gap, permutations, sentence, words_in};
use posenc::print::{fixed, matrix, pad};

// ANCHOR: causal
fn main() -> Result<(), Error> {
    let (head, x) = (SelfAttention::seeded(42, 6, 3), sentence());
    let weights = head.forward(x.view(), Mask::Causal)?.weights;
    println!("{}", matrix(weights.view(), 8, 3));
    for order in permutations(3)? {
        let gap = equivariance_gap(&head, x.view(), &order, Mask::Causal)?;
        println!("{}{}", pad(&words_in(&WORDS, &order)?, 12), fixed(gap, 3));
    }
    Ok(())
}
// ANCHOR_END: causal
