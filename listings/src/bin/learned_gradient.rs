//! 梯度只到读过的行：九步短句，一步长句，像 BERT 的训练那样先短后长。

use ndarray::Array2;
use posenc::learned::LearnedTable;
use posenc::print::fixed;
use posenc::rng::LegacyRandom;

// ANCHOR: train
/// 一步训练：句子占位置 `0..len`，损失是各行到全 1 的距离平方的一半。
fn train(table: &mut LearnedTable, len: usize) -> Result<(), posenc::Error> {
    let positions: Vec<usize> = (0..len).collect();
    let upstream = table.range(0, len)?.mapv(|x| x - 1.0);
    let gradient = table.gradient(&positions, upstream.view())?;
    table.step(gradient.view(), 0.1)
}

fn main() -> Result<(), posenc::Error> {
    let drawn: Array2<f64> = LegacyRandom::new(42).normal_matrix(6, 1) * 0.02;
    let start = LearnedTable::new(drawn)?;
    let mut table = start.clone();
    (0..9).try_for_each(|_| train(&mut table, 3))?;
    let nine = table.clone();
    train(&mut table, 6)?;
    println!("row   start   9 steps  10 steps");
    for n in 0..6 {
        let value = |table: &LearnedTable| table.row(n).map(|row| fixed(row[0], 3));
        let line = [value(&start)?, value(&nine)?, value(&table)?];
        println!("{n:3}{:>8}{:>10}{:>10}", line[0], line[1], line[2]);
    }
    let untouched = (3..6).all(|n| start.row(n).ok() == nine.row(n).ok());
    println!("第 3 到 5 行在前 9 步里一位不差：{untouched}");
    Ok(())
}
// ANCHOR_END: train
