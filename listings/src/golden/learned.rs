//! `learned`：读哪一行，加上输入，再做层归一化。

use super::data::{Case, agree, bad, integers, need, unsupported};
use super::tally::{Checked, Limit, Tally};
use crate::error::{Error, Result, checked_add, room};
use crate::learned::{LearnedTable, rows_after_offset, rows_after_padding};
use ndarray::{Array1, Array2, ArrayD, ArrayViewMut1, Axis, Ix2, IxDyn};
use std::path::Path;

pub fn check(case: &Case, tally: &mut Tally, _: Option<&Path>) -> Checked {
    if case.text("error")?.is_some() {
        return check_refusal(case, tally);
    }
    let limit = Limit::Near {
        absolute: 1e-12,
        relative: 1e-12,
    };
    let rows = row_numbers(case)?;
    if case.has("positions") {
        let found = rows.mapv(|row| row as f64).into_dyn();
        tally.compare("positions", &found, Limit::absolute(0.0))?;
    }
    let Some(table) = case.array("in_table")? else {
        return Ok(());
    };
    let table = table
        .into_dimensionality::<Ix2>()
        .map_err(|_| Error::BadData("in_table 应当有两轴".to_string()))?;
    let width = table.ncols();
    check_sizes(case, table.nrows(), width)?;
    let learned = LearnedTable::new(table)?;
    let mut shape = rows.shape().to_vec();
    shape.push(width);
    let mut looked_up = Vec::new();
    for &row in &rows {
        looked_up.extend(learned.row(row)?);
    }
    let looked_up = ArrayD::from_shape_vec(IxDyn(&shape), looked_up)
        .map_err(|why| Error::BadData(why.to_string()))?;
    if case.has("rows") {
        tally.compare("rows", &looked_up, Limit::absolute(0.0))?;
    }
    if case.has("output") {
        let x = need("in_x", case.array("in_x")?)?;
        if x.shape() != shape {
            bad(format!("in_x 的形状应当是 {shape:?}"))?;
        }
        let mut output = x + looked_up;
        if let Some(epsilon) = case.number("layer_norm_eps")? {
            for lane in output.lanes_mut(Axis(shape.len() - 1)) {
                layer_norm(lane, epsilon);
            }
        }
        tally.compare("output", &output, limit)?;
    }
    Ok(())
}

/// 每个词元读哪一行，形状 `(batch, seq)`。
fn row_numbers(case: &Case) -> std::result::Result<Array2<usize>, super::Trouble> {
    let cached = case.size("cache_length")?.unwrap_or(0);
    let (ids, mask) = (case.array("in_ids")?, case.array("in_attention_mask")?);
    let given = case.array("in_positions")?;
    let lines = |name: &str, array: ArrayD<f64>, rule: &dyn Fn(&[i64]) -> _| {
        let lines = array
            .into_dimensionality::<Ix2>()
            .map_err(|_| Error::BadData(format!("{name} 应当有两轴")))?;
        let mut rows = Vec::new();
        for line in lines.rows() {
            let line: Result<Vec<usize>> =
                rule(&integers(name, &line.to_owned().into_dyn())?);
            rows.push(line?);
        }
        let width = rows.first().map_or(0, Vec::len);
        let count = rows.len();
        Array2::from_shape_vec((count, width), rows.concat())
            .map_err(|why| Error::BadData(why.to_string()))
    };
    match (ids, mask, given) {
        (Some(ids), None, None) => {
            let padding = need("padding_idx", case.size("padding_idx")?)?;
            let rule = |ids: &[i64]| rows_after_padding(ids, padding, cached);
            Ok(lines("in_ids", ids, &rule)?)
        }
        (None, Some(mask), None) => {
            let offset = need("offset", case.size("offset")?)?;
            let rule = |mask: &[i64]| rows_after_offset(mask, offset, cached);
            Ok(lines("in_attention_mask", mask, &rule)?)
        }
        (None, None, Some(given)) => {
            let rule = |rows: &[i64]| rows.iter().map(|&row| index(row)).collect();
            Ok(lines("in_positions", given, &rule)?)
        }
        (None, None, None) => {
            let len = need("seq_len", case.size("seq_len")?)?;
            let start = checked_add("start", case.size("start")?.unwrap_or(0), cached)?;
            checked_add("start + seq_len", start, len)?;
            let batch = case.array("in_x")?.map_or(1, |x| x.len_of(Axis(0)));
            room(batch, len)?;
            Ok(Array2::from_shape_fn((batch, len), |(_, n)| start + n))
        }
        _ => unsupported("几种给出位置的方式混在一起"),
    }
}

fn index(row: i64) -> Result<usize> {
    usize::try_from(row).map_err(|_| Error::BadData(format!("行号 {row} 是负数")))
}

/// 参数里写的尺寸要与表相符。
fn check_sizes(case: &Case, rows: usize, width: usize) -> Result<()> {
    if let Some(d_model) = case.size("d_model")? {
        agree("d_model", width, d_model)?;
    }
    for name in ["max_position_embeddings", "max_positions"] {
        if let Some(max) = case.size(name)? {
            agree(name, rows, max)?;
        }
    }
    if let Some(count) = case.size("num_embeddings")? {
        let offset = case.size("offset")?.unwrap_or(0);
        agree("num_embeddings", rows, checked_add("rows", count, offset)?)?;
    }
    Ok(())
}

/// 减均值，除以标准差（方差加 `epsilon`），增益 1、偏置 0。
fn layer_norm(mut lane: ArrayViewMut1<f64>, epsilon: f64) {
    let count = lane.len() as f64;
    let mean = lane.sum() / count;
    let variance = lane.fold(0.0, |sum, x| sum + (x - mean).powi(2)) / count;
    lane.mapv_inplace(|x| (x - mean) / (variance + epsilon).sqrt());
}

/// 越过表的末尾要报错。
fn check_refusal(case: &Case, tally: &mut Tally) -> Checked {
    let names = ["max_positions", "max_position_embeddings", "num_embeddings"];
    let mut rows = None;
    for name in names {
        rows = rows.or(case.size(name)?);
    }
    let rows = need("max_positions", rows)?;
    let width = case.size("d_model")?.unwrap_or(1);
    room(rows, width)?;
    let learned = LearnedTable::new(Array2::zeros((rows, width)))?;
    let (start, len) = match (case.size("position")?, case.size("seq_len")?) {
        (Some(position), None) => (position, 1),
        (None, Some(len)) => (case.size("start")?.unwrap_or(0), len),
        _ => return unsupported("不知道读哪些位置"),
    };
    let result = learned
        .range(start, len)
        .map(|range| -> Array1<f64> { range.sum_axis(Axis(0)) });
    tally.compare_refusal(&result);
    Ok(())
}
