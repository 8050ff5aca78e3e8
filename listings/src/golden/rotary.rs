//! `rope_half_split`、`rope_interleaved`、`rope_float64_frequencies`。

use super::data::{Case, Trouble, agree, bad, integers, need, unsupported};
use super::sinusoidal::table_limit;
use super::tally::{Checked, Limit, Tally};
use crate::error::{Error, Result, exact};
use crate::frequency::{frequencies, interpolated, ntk_base};
use crate::rotary::{PairLayout, Rotary, adjacent_to_half_split, consecutive};
use crate::sinusoidal::{ColumnLayout, rows_at};
use ndarray::{Array1, Array2, ArrayD, ArrayViewMutD, Axis, IxDyn, Slice};
use std::path::Path;

/// 一个用例的旋转。
struct Setup {
    /// 库报告的频率（还没有插值）。
    reported: Array1<f64>,
    /// 真正用来旋转的频率。
    used: Array1<f64>,
    layout: Option<PairLayout>,
    /// 读相邻配对，写前后对半（DeepSeek）。
    half_out: bool,
    rotary_dim: usize,
}

pub fn check(case: &Case, tally: &mut Tally, _: Option<&Path>) -> Checked {
    let setup = setup(case)?;
    check_frequencies(case, tally, &setup)?;
    let scale_base = case.number("xpos_scale_base")?;
    let mut query_length = None;
    for (name, input) in [("q", "in_q"), ("k", "in_k"), ("x", "in_x")] {
        if !case.has(name) {
            continue;
        }
        let mut tensor = need(input, case.array(input)?)?;
        let mut view = tensor.view_mut();
        let (batch, seq) = tensor_axes(case, name, &mut view)?;
        if name != "x"
            && query_length
                .replace(seq)
                .is_some_and(|queries| queries != seq)
            && case.size("query_offset")?.is_none()
        {
            return unsupported("查询与键不一样长，又没有给出查询的起点");
        }
        let positions = positions(case, name, batch, seq)?;
        let farthest = positions
            .iter()
            .flatten()
            .fold(0, |far: u64, p| far.max(p.unsigned_abs()));
        let Some(layout) = setup.layout else {
            return unsupported("没有给出配对方式");
        };
        let head_dim = view.len_of(Axis(view.ndim() - 1));
        let rotary = Rotary::with_frequencies(head_dim, setup.used.clone(), layout)?;
        for (b, mut one) in view.axis_iter_mut(Axis(0)).enumerate() {
            let positions = &positions[b.min(positions.len() - 1)];
            rotary.rotate_inplace(one.view_mut(), positions)?;
            if let Some(scale_base) = scale_base {
                let direction = match name {
                    "q" => 1.0,
                    "k" => -1.0,
                    _ => return unsupported("不知道是查询还是键的 xPos"),
                };
                let factor = case.number("interpolate_factor")?.unwrap_or(1.0);
                let scales =
                    xpos_scales(&setup, positions, factor, direction / scale_base)?;
                scale_pairs(&mut one, &scales, layout);
            }
            if setup.half_out {
                write_half_split(&mut one, setup.rotary_dim)?;
            }
        }
        let limit = Limit::absolute(5e-8 * farthest as f64 + 1e-6);
        tally.compare(name, &tensor, limit)?;
    }
    Ok(())
}

fn setup(case: &Case) -> std::result::Result<Setup, Trouble> {
    let (layout, half_out) = match case.text("layout")? {
        None => (None, false),
        Some(text) => match pair_layout(text) {
            Some((layout, half_out)) => (Some(layout), half_out),
            None => return unsupported("不认识的配对方式"),
        },
    };
    let rotary_dim = rotary_dim(case)?;
    let mut base = need("base", case.number("base")?)?;
    if case.number("theta")?.is_some_and(|theta| theta != base) {
        bad("theta 与 base 不符")?;
    }
    if let Some(factor) = case.number("ntk_factor")? {
        base *= factor;
    }
    for name in ["theta_rescale_factor", "base_rescale_factor"] {
        if let Some(factor) = case.number(name)? {
            base = ntk_base(rotary_dim, base, factor)?;
        }
    }
    let reported = frequencies(rotary_dim, base)?;
    let mut used = reported.clone();
    for name in [
        "linear_factor",
        "interpolate_factor",
        "interpolation_factor",
    ] {
        if let Some(factor) = case.number(name)? {
            used = interpolated(used.view(), factor)?;
        }
    }
    Ok(Setup {
        reported,
        used,
        layout,
        half_out,
        rotary_dim,
    })
}

fn pair_layout(text: &str) -> Option<(PairLayout, bool)> {
    match text {
        "half-split: pairs (j, j + rot/2); out[j] = x[j] cos - x[j+rot/2] sin, out[j+rot/2] = x[j+rot/2] cos + x[j] sin" => {
            Some((PairLayout::HalfSplit, false))
        }
        "interleaved: pairs (2j, 2j+1); out[2j] = x[2j] cos - x[2j+1] sin, out[2j+1] = x[2j+1] cos + x[2j] sin" => {
            Some((PairLayout::Adjacent, false))
        }
        "interleaved in, half-split out" => Some((PairLayout::Adjacent, true)),
        _ => None,
    }
}

/// 旋转宽度：直接给出、由比例算出（向下取整），或者就是头宽；给了几种就要相符。
fn rotary_dim(case: &Case) -> Result<usize> {
    let head_dim = case.size("head_dim")?;
    let mut found = case.size("rotary_dim")?;
    for name in ["partial_rotary_factor", "rotary_pct"] {
        if let Some(share) = case.number(name)? {
            let rotated = (need("head_dim", head_dim)? as f64 * share) as usize;
            agree("rotary_dim", rotated, found.unwrap_or(rotated))?;
            found = Some(rotated);
        }
    }
    need("rotary_dim", found.or(head_dim))
}

/// 频率、余弦、正弦。
fn check_frequencies(case: &Case, tally: &mut Tally, setup: &Setup) -> Checked {
    if case.has("inv_freq") {
        let limit = Limit::Near {
            absolute: 0.0,
            relative: 1e-6,
        };
        tally.compare("inv_freq", &setup.reported.clone().into_dyn(), limit)?;
    }
    for (name, offset) in [("sin", 0), ("cos", setup.used.len())] {
        if !case.has(name) {
            continue;
        }
        let positions = need("in_positions", case.array("in_positions")?)?;
        let flat: Array1<f64> = positions.iter().copied().collect();
        let table = rows_at(flat.view(), setup.used.view(), ColumnLayout::SinCos)?;
        let wanted = need(name, case.array(name)?)?;
        let columns = wanted.shape().last().copied().unwrap_or(0);
        let Some(pairs) = column_pairs(setup, columns) else {
            return unsupported(format!("{name} 的列怎样对应到每一对"));
        };
        let mut shape = positions.shape().to_vec();
        shape.push(columns);
        let mut values = Vec::new();
        for row in table.rows() {
            values.extend(pairs.iter().map(|pair| row[offset + pair]));
        }
        let found = ArrayD::from_shape_vec(IxDyn(&shape), values)
            .map_err(|why| Error::BadData(why.to_string()))?;
        let farthest = flat.fold(0.0, |far: f64, p| far.max(p.abs()));
        let limit = match case.dtype(name) {
            "float64" => table_limit("float64", farthest),
            _ => Limit::absolute(5e-8 * farthest + 1e-6),
        };
        tally.compare(name, &found, limit)?;
    }
    Ok(())
}

/// 每一列属于哪一对。
fn column_pairs(setup: &Setup, columns: usize) -> Option<Vec<usize>> {
    let pairs = setup.used.len();
    if columns == pairs {
        return Some((0..pairs).collect());
    }
    if columns != setup.rotary_dim {
        return None;
    }
    match setup.layout? {
        PairLayout::Adjacent if !setup.half_out => {
            Some((0..columns).map(|column| column / 2).collect())
        }
        _ => Some((0..columns).map(|column| column % pairs).collect()),
    }
}

/// 把张量的轴排成 `(batch, …, seq, head_dim)`，核对参数里的尺寸，返回 `(batch, seq)`。
fn tensor_axes(
    case: &Case,
    name: &str,
    view: &mut ArrayViewMutD<f64>,
) -> std::result::Result<(usize, usize), Trouble> {
    let axes = case.text("axes")?.unwrap_or("batch, heads, seq, head_dim");
    let axes: Vec<&str> = axes.split(", ").collect();
    if view.ndim() != axes.len() {
        return unsupported(format!("{name} 有 {} 个轴", view.ndim()));
    }
    let place = |wanted: &str| axes.iter().position(|axis| *axis == wanted);
    let (last, Some(seq)) = (axes.len() - 1, place("seq")) else {
        return unsupported("axes 里没有 seq");
    };
    if place("batch") != Some(0) || place("head_dim") != Some(last) || last != 3 {
        return unsupported("不认识的 axes");
    }
    if let Some(head_dim) = case.size("head_dim")? {
        agree("head_dim", head_dim, view.len_of(Axis(last)))?;
    }
    let heads = place("heads").map(|heads| view.len_of(Axis(heads)));
    let stated = match (name, case.size("heads")?, case.size("kv_heads")?) {
        ("k", heads, kv_heads) => kv_heads.or(heads),
        (_, heads, _) => heads,
    };
    if let (Some(stated), Some(heads)) = (stated, heads) {
        agree("heads", stated, heads)?;
    }
    view.swap_axes(seq, last - 1);
    Ok((view.len_of(Axis(0)), view.len_of(Axis(last - 1))))
}

/// 每个样本一列位置；只有一列时大家共用。
fn positions(
    case: &Case,
    name: &str,
    batch: usize,
    seq: usize,
) -> std::result::Result<Vec<Vec<i64>>, Trouble> {
    let offset = case.position("offset")?;
    let query_offset = case.position("query_offset")?;
    let Some(given) = case.array("in_positions")? else {
        let from_zero = case.number("xpos_scale_base")?.is_some();
        if offset.or(query_offset).is_none() && !from_zero {
            return unsupported("没有给出位置");
        }
        let start = match name {
            "q" => query_offset.or(offset),
            _ => offset,
        };
        return Ok(vec![consecutive(start.unwrap_or(0), seq)?]);
    };
    if offset.is_some() || query_offset.is_some() {
        return unsupported("in_positions 与起点同时给出");
    }
    let flat = integers("in_positions", &given)?;
    match *given.shape() {
        [len] if len == seq => Ok(vec![flat]),
        [1, len] if len == seq => Ok(vec![flat]),
        [lines, len] if lines == batch && len == seq => {
            let line = |b: usize| flat[b * len..(b + 1) * len].to_vec();
            Ok((0..lines).map(line).collect())
        }
        _ => Ok(bad(format!("in_positions 的形状是 {:?}", given.shape()))?),
    }
}

/// xPos 的幅度 `((2j + 0.4d)/(1.4d))^((p − seq/2)/scale_base)`，形状 `(seq, pairs)`。
fn xpos_scales(
    setup: &Setup,
    positions: &[i64],
    factor: f64,
    power: f64,
) -> std::result::Result<Array2<f64>, Trouble> {
    if positions.first().is_some_and(|&first| first != 0) {
        return unsupported("不从零开始的 xPos");
    }
    let width = setup.rotary_dim as f64;
    let mut scales = Array2::zeros((positions.len(), setup.used.len()));
    let middle = (positions.len() / 2) as f64;
    for (&p, mut row) in positions.iter().zip(scales.rows_mut()) {
        let steps = exact(p)? / factor - middle;
        for (j, scale) in row.iter_mut().enumerate() {
            let decay: f64 = (2.0 * j as f64 + 0.4 * width) / (1.4 * width);
            *scale = decay.powf(steps * power);
        }
    }
    Ok(scales)
}

/// 每一对的两个分量乘以同一个幅度。
fn scale_pairs(one: &mut ArrayViewMutD<f64>, scales: &Array2<f64>, layout: PairLayout) {
    let last = one.ndim() - 1;
    let pairs = scales.ncols();
    for (row, mut slice) in one.axis_iter_mut(Axis(last - 1)).enumerate() {
        for mut lane in slice.lanes_mut(Axis(last - 1)) {
            for column in 0..2 * pairs {
                let pair = match layout {
                    PairLayout::Adjacent => column / 2,
                    PairLayout::HalfSplit => column % pairs,
                };
                lane[column] *= scales[[row, pair]];
            }
        }
    }
}

/// 把旋转过的部分从相邻配对改写成前后对半。
fn write_half_split(one: &mut ArrayViewMutD<f64>, rotary_dim: usize) -> Result<()> {
    let last = one.ndim() - 1;
    for mut lane in one.lanes_mut(Axis(last)) {
        let mut rotated = lane.slice_axis_mut(Axis(0), Slice::from(..rotary_dim));
        let half = adjacent_to_half_split(rotated.view())?;
        rotated.assign(&half);
    }
    Ok(())
}
