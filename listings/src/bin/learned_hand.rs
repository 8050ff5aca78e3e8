//! 手算：独热向量乘表，就是表的一行；再加上词向量。

use ndarray::array;
use posenc::learned::{LearnedTable, one_hot};
use posenc::print::{matrix, row};

// ANCHOR: hand
fn main() -> Result<(), posenc::Error> {
    let table =
        LearnedTable::new(array![[0.3, -0.2], [1.2, 0.4], [-0.5, 0.6], [0.7, 0.1]])?;
    let word = array![1.0, 0.5];
    let hot = one_hot(2, table.capacity())?;
    let product = hot.dot(&table.rows());
    assert_eq!(product, table.row(2)?);
    println!("E =\n{}", matrix(table.rows(), 6, 1));
    println!("o      {}", row(hot.view(), 6, 0));
    println!("o·E    {}", row(product.view(), 6, 1));
    println!("e      {}", row(word.view(), 6, 1));
    println!("e+o·E  {}", row((&word + &table.row(2)?).view(), 6, 1));
    Ok(())
}
// ANCHOR_END: hand
