//! 波长：宽度十六的全部八个，三种宽度的最长者，两条规则。

use posenc::frequency::{endpoint_frequencies, frequencies, wavelengths};
use posenc::print::fixed;

// ANCHOR: main
fn main() -> Result<(), posenc::Error> {
    println!("pair       theta      lambda");
    let theta = frequencies(16, 10000.0)?;
    for (i, lambda) in wavelengths(&theta)?.iter().enumerate() {
        println!("{i:>4}{:>12}{:>12}", fixed(theta[i], 6), fixed(*lambda, 2));
    }
    println!("width  longest(paper)  longest(endpoint)");
    for width in [16, 128, 512] {
        let paper = wavelengths(&frequencies(width, 10000.0)?)?;
        let endpoint = wavelengths(&endpoint_frequencies(width, 10000.0)?)?;
        let last = width / 2 - 1;
        let (paper, endpoint) = (fixed(paper[last], 2), fixed(endpoint[last], 2));
        println!("{width:>5}{paper:>16}{endpoint:>19}");
    }
    Ok(())
}
// ANCHOR_END: main
