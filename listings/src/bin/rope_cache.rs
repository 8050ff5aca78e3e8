//! 缓存里的键：分几次算都一样，搬家要补转，忘了补或补两次都会错。

use ndarray::{Array1, Axis, arr1, concatenate, s};
use posenc::Error;
use posenc::print::{below, fixed, pad};
use posenc::rotary::{PairLayout, Rotary, dot, rotate_vector};
use posenc::rotary_score::seeded_query_key;

// ANCHOR: chunks
/// 六个词元一次转完，与分成四、一、一三段转，差多少。
fn chunked_difference() -> Result<f64, Error> {
    let (keys, _) = seeded_query_key(42, 6, 8);
    let rotary = Rotary::new(8, 10000.0, PairLayout::Adjacent)?;
    let whole = rotary.rotate(keys.view(), &[0, 1, 2, 3, 4, 5])?;
    let first = rotary.rotate(keys.slice(s![..4, ..]), &[0, 1, 2, 3])?;
    let fifth = rotary.rotate(keys.slice(s![4..5, ..]), &[4])?;
    let sixth = rotary.rotate(keys.slice(s![5.., ..]), &[5])?;
    let parts = [first.view(), fifth.view(), sixth.view()];
    let joined =
        concatenate(Axis(0), &parts).map_err(|why| Error::BadData(why.to_string()))?;
    posenc::attention::max_abs_diff(whole.view(), joined.view())
}
// ANCHOR_END: chunks

// ANCHOR: main
fn main() -> Result<(), Error> {
    let turn = |x: &Array1<f64>, steps| {
        rotate_vector(x.view(), steps, 10000.0, PairLayout::Adjacent)
    };
    let (q, k) = (arr1(&[1.0, 2.0, 3.0, 4.0]), arr1(&[0.5, -1.0, 2.0, 1.0]));
    println!("整段与分段之差{}", below(chunked_difference()?, 1e-12));
    let score = |m, key: &Array1<f64>| dot(turn(&q, m)?.view(), key.view());
    let line = |what, value| println!("{}{:>10}", pad(what, 32), fixed(value, 6));
    line("q 在 5，k 在 3", score(5, &turn(&k, 3)?)?);
    line("q 错放在 0，k 在 3", score(0, &turn(&k, 3)?)?);
    let stored = turn(&k, 0)?;
    line(
        "q 在 4，k 从 0 搬到 3，补转 3",
        score(4, &turn(&stored, 3)?)?,
    );
    line("q 在 4，k 从 0 搬到 3，没有转", score(4, &stored)?);
    line(
        "q 在 4，k 从 0 搬到 3，转了两次",
        score(4, &turn(&turn(&stored, 3)?, 3)?)?,
    );
    Ok(())
}
// ANCHOR_END: main
