//! 例句的六种排列：输出跟着词走了吗？原地没动吗？平均呢？

use posenc::Error;
use posenc::attention::{Mask, SelfAttention, permute_rows};
use posenc::order::{
    WORDS, equivariance_gap, invariance_gap, max_abs_diff_row, mean_pool, permutations,
    sentence, words_in,
};
use posenc::print::{below, fixed, pad};

// ANCHOR: six
fn main() -> Result<(), Error> {
    let (head, x) = (SelfAttention::seeded(42, 6, 3), sentence());
    let mean = |x: ndarray::ArrayView2<f64>| {
        mean_pool(head.forward(x, Mask::None)?.output.view())
    };
    println!("次序       跟着走      原地比  平均");
    for order in permutations(3)? {
        let follow = equivariance_gap(&head, x.view(), &order, Mask::None)?;
        let stay = invariance_gap(&head, x.view(), &order, Mask::None)?;
        let moved = permute_rows(x.view(), &order)?;
        let pooled =
            max_abs_diff_row(mean(moved.view())?.view(), mean(x.view())?.view())?;
        println!(
            "{}{}{}{}",
            pad(&words_in(&WORDS, &order)?, 11),
            pad(&below(follow, 1e-12), 12),
            pad(&fixed(stay, 4), 8),
            below(pooled, 1e-12),
        );
    }
    Ok(())
}
// ANCHOR_END: six
