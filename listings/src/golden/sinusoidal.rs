//! `sinusoidal`、`sinusoidal_large_positions`、`sinusoidal_errors`。

use super::data::{Case, bad, need, unsupported};
use super::tally::{Checked, Limit, Tally};
use crate::error::{Error, Result, checked_add, exact_index, room};
use crate::frequency::{endpoint_frequencies, frequencies, shifted_frequencies};
use crate::sinusoidal::{
    ColumnLayout, OddWidth, odd_frequencies, odd_rows_at, rows_at, sinusoidal_table,
    table_with_frequencies,
};
use ndarray::{Array1, Array2, ArrayD, Axis, IxDyn};
use std::path::Path;

/// 同名的频率规则。
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// `base^(−2i/d)`。
    Paper,
    /// `base^(−2i/d)`，`d` 先凑成偶数。
    RoundedUp,
    /// `base^(−i/(d/2−1))`。
    Endpoint,
    /// `base^(−i/(d/2−shift))`。
    Shifted(f64),
}

/// 位置：整数的一段，或者给出的一列。
enum Positions {
    Run(usize, usize),
    List(Array1<f64>),
}

pub fn check(case: &Case, tally: &mut Tally, _: Option<&Path>) -> Checked {
    if case.text("error")?.is_some() {
        return check_refusal(case, tally);
    }
    if case.size("x")?.is_some() {
        return check_grid(case, tally);
    }
    let width = need("d_model", case.size("d_model")?)?;
    let base = need("base", case.number("base")?)?;
    let layout = column_layout(need("layout", case.text("layout")?)?);
    let Some(layout) = layout else {
        return unsupported("不认识的排列");
    };
    let shift = case.number("downscale_freq_shift")?;
    let rule = match (case.text("frequencies")?.map(frequency_rule), shift) {
        (Some(Some(rule)), None) => rule,
        (None, Some(shift)) => Rule::Shifted(shift),
        _ => return unsupported("不认识的频率规则"),
    };
    if let Some(flip) = case.flag("flip_sin_to_cos")?
        && flip != (layout == ColumnLayout::CosSin)
    {
        bad("flip_sin_to_cos 与 layout 不符")?;
    }
    let scale = case.number("scale")?.unwrap_or(1.0);
    let (angle_scale, scale) = match rule {
        Rule::Shifted(_) => (scale, 1.0),
        _ => (1.0, scale),
    };
    let mut positions = positions(case)?;
    if angle_scale != 1.0 {
        positions = Positions::List(positions.list()? * angle_scale);
    }
    let odd = match case.text("odd_d")? {
        _ if width.is_multiple_of(2) => None,
        None if rule == Rule::RoundedUp => Some(OddWidth::RoundUp),
        None if shift.is_some() => Some(OddWidth::ZeroColumn),
        text => match text.and_then(|text| odd_rule(text, rule)) {
            Some(odd) => Some(odd),
            None => return unsupported("不认识的奇数宽度规则"),
        },
    };
    let mut table = match odd {
        None => even_table(rule, &positions, width, base, layout)?,
        Some(odd) => {
            let theta = match (rule, odd) {
                (Rule::Paper, OddWidth::SineLast)
                | (Rule::RoundedUp, OddWidth::RoundUp) => {
                    odd_frequencies(width, base, odd)?
                }
                (Rule::Endpoint | Rule::Shifted(_), OddWidth::ZeroColumn) => {
                    even_frequencies(rule, width - 1, base)?
                }
                _ => return unsupported("频率规则与奇数宽度规则的这种搭配"),
            };
            let list = positions.list()?;
            odd_rows_at(list.view(), theta.view(), width, layout, odd)?
        }
    };
    if let Some(padding) = case.size("padding_idx")? {
        if padding >= table.nrows() {
            bad(format!("padding_idx = {padding} 越过了表的末尾"))?;
        }
        table.row_mut(padding).fill(0.0);
    }
    table *= scale;
    compare_tables(case, tally, &table.into_dyn(), positions.farthest())
}

/// 输出都是同一张表，精度由类型决定。
fn compare_tables(
    case: &Case,
    tally: &mut Tally,
    table: &ArrayD<f64>,
    farthest: f64,
) -> Checked {
    for name in case.outputs() {
        let known = name == "table" || name == "exact";
        let suffixed = name.ends_with("_float64") || name.ends_with("_float32");
        if known || suffixed {
            tally.compare(name, table, table_limit(case.dtype(name), farthest))?;
        }
    }
    Ok(())
}

/// 黄金值的 README 给出的界限。
pub fn table_limit(dtype: &str, farthest: f64) -> Limit {
    Limit::absolute(match dtype {
        "float32" => 5e-8 * farthest + 3e-7,
        _ => 1e-15 * farthest + 1e-15,
    })
}

fn column_layout(text: &str) -> Option<ColumnLayout> {
    match text {
        "interleaved: column 2i = sin(p * w_i), column 2i+1 = cos(p * w_i)" => {
            Some(ColumnLayout::Interleaved)
        }
        "concatenated: all sines, then all cosines" => Some(ColumnLayout::SinCos),
        "concatenated: all cosines, then all sines" => Some(ColumnLayout::CosSin),
        _ => None,
    }
}

fn frequency_rule(text: &str) -> Option<Rule> {
    let text: Vec<&str> = text.split_whitespace().collect();
    match text.join(" ").as_str() {
        "w_i = base ** (-2i / d)" => Some(Rule::Paper),
        "w_i = base ** (-2i / d_even), d_even = d rounded UP to even" => {
            Some(Rule::RoundedUp)
        }
        "w_i = base ** (-i / (d // 2 - 1))"
        | "w_i = base ** (-i / (d // 2 - 1)) (tensor2tensor: the last frequency is exactly 1 / base)" => {
            Some(Rule::Endpoint)
        }
        _ => None,
    }
}

fn odd_rule(text: &str, rule: Rule) -> Option<OddWidth> {
    match text {
        "exponent uses the odd d itself" | "(d+1)/2 sines, then (d-1)/2 cosines" => {
            Some(OddWidth::SineLast)
        }
        _ if rule == Rule::RoundedUp => Some(OddWidth::RoundUp),
        _ if text.contains("zero") && text.contains("column") => {
            Some(OddWidth::ZeroColumn)
        }
        _ => None,
    }
}

fn even_frequencies(rule: Rule, width: usize, base: f64) -> Result<Array1<f64>> {
    match rule {
        Rule::Paper | Rule::RoundedUp => frequencies(width, base),
        Rule::Endpoint => endpoint_frequencies(width, base),
        Rule::Shifted(shift) => shifted_frequencies(width, base, shift),
    }
}

/// 论文的规则、从零开始时用书里的 `sinusoidal_table`，否则用更一般的函数。
fn even_table(
    rule: Rule,
    positions: &Positions,
    width: usize,
    base: f64,
    layout: ColumnLayout,
) -> Result<Array2<f64>> {
    let theta = even_frequencies(rule, width, base)?;
    match positions {
        Positions::Run(0, len) if rule == Rule::Paper => {
            sinusoidal_table(*len, width, base, layout)
        }
        Positions::Run(start, len) => {
            table_with_frequencies(*start, *len, theta.view(), layout)
        }
        Positions::List(list) => rows_at(list.view(), theta.view(), layout),
    }
}

fn positions(case: &Case) -> Result<Positions> {
    let start = match (case.size("start_index")?, case.size("offset")?) {
        (Some(_), Some(_)) => return bad("start_index 与 offset 只能有一个"),
        (start, offset) => start.or(offset),
    };
    let len = case.size("seq_len")?;
    match (case.array("in_positions")?, len) {
        (Some(list), None) if start.is_none() => {
            let list = list
                .into_dimensionality()
                .map_err(|_| Error::BadData("in_positions 应当是一列数".to_string()))?;
            Ok(Positions::List(list))
        }
        (None, Some(len)) => Ok(Positions::Run(start.unwrap_or(0), len)),
        _ => bad("in_positions 与 seq_len 要有一个，而且只有一个"),
    }
}

impl Positions {
    fn list(&self) -> Result<Array1<f64>> {
        match self {
            Self::Run(start, len) => {
                exact_index(checked_add("start + len", *start, *len)?)?;
                room(*len, 1)?;
                Ok((*start..start + len).map(|n| n as f64).collect())
            }
            Self::List(list) => Ok(list.clone()),
        }
    }

    fn farthest(&self) -> f64 {
        match self {
            Self::Run(start, len) => *start as f64 + len.saturating_sub(1) as f64,
            Self::List(list) => list.fold(0.0, |far: f64, p| far.max(p.abs())),
        }
    }
}

/// 多维网格：通道按轴平分，每份凑成偶数，最后截到 `d_model`（positional-encodings）。
fn check_grid(case: &Case, tally: &mut Tally) -> Checked {
    let width = need("d_model", case.size("d_model")?)?;
    let base = need("base", case.number("base")?)?;
    let sizes: Vec<usize> = [case.size("x")?, case.size("y")?, case.size("z")?]
        .into_iter()
        .flatten()
        .collect();
    let known = "interleaved: column 2i = sin(p * w_i), column 2i+1 = cos(p * w_i), \
                 first d/2 for x, then d/2 for y";
    if case.text("layout")? != Some(known) || sizes.len() != 2 {
        return unsupported("不认识的网格排列");
    }
    let mut shape = sizes.clone();
    shape.push(width);
    let wanted = need("table", case.array("table")?)?;
    if shape != wanted.shape() {
        bad(format!("table 的形状应当是 {shape:?}"))?;
    }
    let share = 2 * width.div_ceil(4);
    let tables: Result<Vec<Array2<f64>>> = sizes
        .iter()
        .map(|&n| sinusoidal_table(n, share, base, ColumnLayout::Interleaved))
        .collect();
    let tables = tables?;
    let table = ArrayD::from_shape_fn(IxDyn(&shape), |at| {
        let column = at[sizes.len()];
        let axis = column / share;
        tables[axis][[at[axis], column % share]]
    });
    let farthest = sizes.iter().copied().max().unwrap_or(0).saturating_sub(1);
    compare_tables(case, tally, &table, farthest as f64)
}

/// 一个宽度是库不肯算的：看它的频率规则，本库也要报错。
fn check_refusal(case: &Case, tally: &mut Tally) -> Checked {
    let width = need("d_model", case.size("d_model")?)?;
    let len = case.size("seq_len")?.unwrap_or(1);
    let base = case.number("base")?.unwrap_or(10000.0);
    let callable = case.callable();
    let width = if callable.contains("get_2d_") {
        width / 2
    } else {
        width
    };
    let endpoint = ["M2M100", "Musicgen", "whisper", "Speech2Text", "Nllb"];
    let stated = match case.text("frequencies")?.map(frequency_rule) {
        Some(None) => return unsupported("不认识的频率规则"),
        Some(rule) => rule,
        None if endpoint.iter().any(|known| callable.contains(known)) => {
            Some(Rule::Endpoint)
        }
        None => None,
    };
    let layout = ColumnLayout::SinCos;
    let attempt = |rule| even_table(rule, &Positions::Run(0, len), width, base, layout);
    let result = match stated {
        Some(rule) => attempt(rule),
        None => {
            let (paper, other) = (attempt(Rule::Paper), attempt(Rule::Endpoint));
            if paper.is_ok() && other.is_err() {
                return unsupported("看不出用的是哪条频率规则");
            }
            paper
        }
    };
    let result = result.map(|table| table.sum_axis(Axis(0)));
    tally.compare_refusal(&result);
    Ok(())
}
