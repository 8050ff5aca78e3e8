//! 点积不看的是哪一种排列：两个向量的分量一起换位，或者只换一个。

use posenc::Error;
use posenc::order::sentence;
use posenc::print::fixed;

// ANCHOR: components
fn main() -> Result<(), Error> {
    let x = sentence();
    let (cat, chase) = (x.row(0), x.row(1));
    let (cat_back, chase_back) = (
        cat.slice(ndarray::s![..;-1]),
        chase.slice(ndarray::s![..;-1]),
    );
    println!("原来          {}", fixed(cat.dot(&chase), 2));
    println!("分量一起倒序  {}", fixed(cat_back.dot(&chase_back), 2));
    println!("只倒一个      {}", fixed(cat.dot(&chase_back), 2));
    Ok(())
}
// ANCHOR_END: components
