//! 把表加长：照抄与缩放，相邻两行的距离怎么变。

use posenc::Error;
use posenc::learned::LearnedTable;
use posenc::print::fixed;
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

// ANCHOR: longer
/// 第 `m` 行与第 `n` 行的距离；越界时写一条横线。
fn distance(table: &LearnedTable, m: usize, n: usize) -> String {
    match (table.row(m), table.row(n)) {
        (Ok(a), Ok(b)) => fixed((&a - &b).mapv(|x| x * x).sum().sqrt(), 4),
        _ => "-".to_string(),
    }
}

fn main() -> Result<(), Error> {
    // 用一张平滑的正弦表代替训练好的表：两者的共同点是相邻的行彼此接近。
    let rows = sinusoidal_table(8, 16, 10000.0, ColumnLayout::Interleaved)?;
    let old = LearnedTable::new(rows)?;
    let tables = [
        ("old", old.clone()),
        ("copied", old.extend_by_copy(16)?),
        ("resized", old.resize_linear(15)?),
    ];
    println!("table    rows     0-1     7-8     0-8");
    for (name, table) in &tables {
        print!("{name:<9}{:>4}", table.capacity());
        for (m, n) in [(0, 1), (7, 8), (0, 8)] {
            print!("{:>8}", distance(table, m, n));
        }
        println!();
    }
    Ok(())
}
// ANCHOR_END: longer
