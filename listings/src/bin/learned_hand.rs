//! 手算：独热向量乘表，就是表的一行；再加上词元的嵌入。

use ndarray::array;
use posenc::learned::{LearnedTable, one_hot};

// ANCHOR: hand
/// 负数加括号，别的照写。
fn term(value: f64) -> String {
    if value < 0.0 {
        format!("({value:.1})")
    } else {
        format!("{value:.1}")
    }
}

fn main() -> Result<(), posenc::Error> {
    let table =
        LearnedTable::new(array![[0.3, -0.2], [1.2, 0.4], [-0.5, 0.6], [0.7, 0.1]])?;
    let hot = one_hot(2, table.capacity())?;
    let read = hot.dot(&table.rows());
    assert_eq!(read, table.row(2)?);
    for (column, result) in table.rows().columns().into_iter().zip(&read) {
        let products = hot.iter().zip(column);
        let sum: Vec<String> = products
            .map(|(o, &e)| format!("{o:.0} · {}", term(e)))
            .collect();
        println!("乘：{} = {result:.1}", sum.join(" + "));
    }
    let embedding = array![1.0, 0.5];
    for (e, row) in embedding.iter().zip(&read) {
        println!("加：{e:.1} + {} = {:.1}", term(*row), e + row);
    }
    Ok(())
}
// ANCHOR_END: hand
