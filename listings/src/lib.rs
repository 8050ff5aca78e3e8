//! 《位置编码》一书的代码库：书中每一个公式、清单、输出、图和数字都由它产生或检验。
//!
//! 约定：最后两轴是 `(seq, head_dim)`，前面可以有任意多轴；角度用 `f64`；表的位置是 `usize`，
//! 旋转和偏置的位置是 `i64`；坏输入得到 [`enum@Error`]，不会 panic；
//! 例外只有写明 `# Panics` 的抽随机矩阵。

pub mod additive;
pub mod attention;
pub mod basics;
mod error;
pub mod frequency;
pub mod golden;
pub mod learned;
pub mod linear;
pub mod mixing;
pub mod order;
pub mod padding;
pub mod print;
pub mod rng;
pub mod rotary;
pub mod rotary_score;
pub mod sinusoidal;
pub mod svg;

pub use error::{Error, Result};

/// 书的每一页：标记为 `rust` 的代码块在这里作为文档测试运行。
#[cfg(doctest)]
mod pages {
    macro_rules! page {
        ($name:ident, $file:literal) => {
            #[doc = include_str!($file)]
            mod $name {}
        };
    }
    page!(daodu, "../../src/daodu.md");
    page!(notation, "../../src/notation.md");
    page!(why, "../../src/why.md");
    page!(sinusoidal, "../../src/sinusoidal.md");
    page!(learned, "../../src/learned.md");
    page!(rotary, "../../src/rotary.md");
    page!(map, "../../src/map.md");
    page!(faq, "../../src/faq.md");
    page!(selftest, "../../src/selftest.md");
    page!(glossary, "../../src/glossary.md");
    page!(errata, "../../src/errata.md");
    page!(references, "../../src/references.md");
    page!(about, "../../src/about.md");
}
