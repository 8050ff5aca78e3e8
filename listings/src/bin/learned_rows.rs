//! 表的行数不等于能装的词元数。

use posenc::padding::{token_capacity, token_rows};

// ANCHOR: rows
fn main() -> Result<(), posenc::Error> {
    println!("table      rows  padding  first  last  tokens");
    for (name, rows, padding) in
        [("RoBERTa", 514, 1), ("padding 3", 514, 3), ("OPT", 2050, 1)]
    {
        let tokens = token_capacity(rows, padding);
        let all = token_rows(&vec![true; tokens], padding, 0)?;
        let (first, last) = (all[0], all[tokens - 1]);
        println!("{name:<10}{rows:>5}{padding:>9}{first:>7}{last:>6}{tokens:>8}");
    }
    let left = [false, false, true, true, true];
    let right = [true, true, true, false, false];
    println!("左填充读的行 {:?}", token_rows(&left, 1, 0)?);
    println!("右填充读的行 {:?}", token_rows(&right, 1, 0)?);
    Ok(())
}
// ANCHOR_END: rows
