//! 每张图都有一句正文指着它：图的前后两段里，要有说到图的话。

use crate::bless::ready;
use crate::source::{Kind, blocks};
use regex::Regex;
use std::sync::LazyLock;

/// 议题要求的图。
const REQUIRED: [&str; 13] = [
    "fig_why_matrices",
    "fig_why_injection",
    "fig_sinusoidal_heatmap",
    "fig_sinusoidal_ladder",
    "fig_sinusoidal_curves",
    "fig_sinusoidal_circle",
    "fig_sinusoidal_kernel",
    "fig_sinusoidal_split",
    "fig_learned_distances",
    "fig_rotary_turn",
    "fig_rotary_scores",
    "fig_rotary_bound",
    "fig_map_concepts",
];

/// 正文里指着图的话。
static POINTS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"图里|图中|图的|图上|图下面|下图|张图|成图|左图|右图").expect("正则")
});

/// 一页里没有正文说到的图；也给出全部的图。
fn unused(page: &str, text: &str) -> (Vec<String>, Vec<String>) {
    let blocks = blocks(text, 1);
    let (mut figures, mut faults) = (Vec::new(), Vec::new());
    for (at, block) in blocks.iter().enumerate() {
        let line = &text[block.start..block.end];
        let Some(rest) = line.strip_prefix("<figure id=\"") else {
            continue;
        };
        let id = rest.split('"').next().unwrap_or("").to_string();
        let prose = |block: &&crate::source::Block| {
            let line = &text[block.start..block.end];
            block.kind == Kind::Text && !line.starts_with('<')
        };
        let before = blocks[..at].iter().rev().filter(prose).take(2);
        let after = blocks[at..].iter().filter(prose).take(2);
        let told = before
            .chain(after)
            .any(|block| POINTS.is_match(&text[block.start..block.end]));
        if !told {
            faults.push(format!("{page}：前后两段没有说到 {id}"));
        }
        figures.push(id);
    }
    (figures, faults)
}

#[test]
fn every_figure_is_used_by_a_sentence() {
    let (mut figures, mut faults) = (Vec::new(), Vec::new());
    for (page, text) in &ready().pages {
        let (found, wrong) = unused(page, text);
        figures.extend(found);
        faults.extend(wrong);
    }
    assert_eq!(faults, [""; 0]);
    for name in REQUIRED {
        assert!(figures.iter().any(|figure| figure == name), "少了 {name}");
    }
    println!("图：{}", figures.len());
}

#[test]
fn an_unused_figure_is_noticed() {
    let page = |before: &str, after: &str| {
        format!(
            "# 甲 {{#a}}\n\n{before}\n\n<figure id=\"fig_a\">\n{{{{#include figures/fig_a.svg}}}}\n\
             <figcaption>图里是说明</figcaption>\n</figure>\n\n{after}\n"
        )
    };
    let faults = |before: &str, after: &str| unused("a", &page(before, after)).1;
    assert_eq!(faults("画成图是这样。", "文。"), [""; 0]);
    assert_eq!(faults("文。", "图里两条线。"), [""; 0]);
    assert_eq!(faults("文。", "文。"), ["a：前后两段没有说到 fig_a"]);
    assert_eq!(faults("图里。\n\n文。\n\n文。", "文。").len(), 1, "太远");
    assert_eq!(unused("a", "文。").0, [""; 0]);
}
