//! 先看：最后一行读得到，再往后一行就是错误。

use ndarray::Array2;
use posenc::learned::LearnedTable;

// ANCHOR: look
fn main() -> Result<(), posenc::Error> {
    let table = LearnedTable::new(Array2::zeros((512, 768)))?;
    for position in [511, 512] {
        match table.row(position) {
            Ok(row) => println!("位置 {position}：读到 {} 个数", row.len()),
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
// ANCHOR_END: look
