//! 表尾：四行的表，一段一段地读。

use ndarray::Array2;
use posenc::learned::LearnedTable;

// ANCHOR: edges
fn main() -> Result<(), posenc::Error> {
    let table = LearnedTable::new(Array2::zeros((4, 8)))?;
    for (start, len) in [(0, 4), (3, 1), (4, 0), (3, 2), (usize::MAX, 2)] {
        match table.range(start, len) {
            Ok(rows) => println!("从 {start} 起读 {len} 行：形状 {:?}", rows.dim()),
            Err(posenc::Error::Overflow { name, .. }) => println!("{name} 溢出"),
            Err(error) => println!("从 {start} 起读 {len} 行：{error}"),
        }
    }
    Ok(())
}
// ANCHOR_END: edges
