//! 一个固定的查询：键和值一起重排，或者只重排键。

use posenc::Error;
use posenc::attention::{SelfAttention, permute_rows};
use posenc::order::{attend_one, max_abs_diff_row, permutations, sentence};
use posenc::print::{below, fixed};

// ANCHOR: fixed
fn main() -> Result<(), Error> {
    let (head, x) = (SelfAttention::seeded(42, 6, 3), sentence());
    let query = x.row(0).dot(&head.w_query);
    let (key, value) = (x.dot(&head.w_key), x.dot(&head.w_value));
    let before = attend_one(query.view(), key.view(), value.view())?;
    let (mut together, mut keys_only) = (0.0_f64, 0.0_f64);
    for order in permutations(3)? {
        let key = permute_rows(key.view(), &order)?;
        let moved = permute_rows(value.view(), &order)?;
        let both = attend_one(query.view(), key.view(), moved.view())?;
        let one = attend_one(query.view(), key.view(), value.view())?;
        together = together.max(max_abs_diff_row(both.view(), before.view())?);
        keys_only = keys_only.max(max_abs_diff_row(one.view(), before.view())?);
    }
    println!("键和值一起重排：{}", below(together, 1e-12));
    println!("只重排键，值不动：{}", fixed(keys_only, 4));
    Ok(())
}
// ANCHOR_END: fixed
