//! 三种排列，两条频率规则。

use posenc::frequency::{endpoint_frequencies, frequencies};
use posenc::print::row;
use posenc::sinusoidal::{ColumnLayout, relayout, sinusoidal_table};

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    use ColumnLayout::{CosSin, Interleaved, SinCos};
    let paper = sinusoidal_table(2, 4, 10000.0, Interleaved)?;
    println!("d = 4, n = 1");
    for layout in [Interleaved, SinCos, CosSin] {
        let moved = relayout(paper.row(1), Interleaved, layout)?;
        assert_eq!(moved, sinusoidal_table(2, 4, 10000.0, layout)?.row(1));
        println!("{:<12}{}", format!("{layout:?}"), row(moved.view(), 10, 6));
    }
    println!("d = 8");
    for (name, theta) in [
        ("paper", frequencies(8, 10000.0)?),
        ("endpoint", endpoint_frequencies(8, 10000.0)?),
    ] {
        println!("{name:<12}{}", row(theta.view(), 10, 6));
    }
    Ok(())
}
// ANCHOR_END: main
