//! 答疑：左填充的一句话，位置从哪里数。

use posenc::padding::token_rows;

// ANCHOR: padding
fn main() -> posenc::Result<()> {
    let alone = [true, true, true];
    let padded = [false, false, true, true, true];
    let by_column: Vec<usize> = (0..padded.len()).collect();
    println!("单独一句     {:?}", (0..alone.len()).collect::<Vec<_>>());
    println!("按列数       {:?}", &by_column[2..]);
    // 填充占第 0 行，词元从第 1 行数起；减一就是从零数的位置。
    let by_token = token_rows(&padded, 0, 0)?;
    let positions: Vec<usize> = by_token[2..].iter().map(|row| row - 1).collect();
    println!("只数词元     {positions:?}");
    Ok(())
}
// ANCHOR_END: padding
