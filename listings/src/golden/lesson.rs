//! `lesson_listings`：讲稿的三段代码与其中的函数，数组和印出的每个数字。

use super::data::{Case, agree, bad, need, unsupported};
use super::tally::{Checked, Limit, Tally};
use crate::attention::{Mask, SelfAttention, scaled_scores};
use crate::error::{Error, Result, room};
use crate::frequency::{check_base, check_width, frequencies};
use crate::rng::LegacyRandom;
use crate::rotary::{PairLayout, Rotary, consecutive, rotate_vector};
use crate::sinusoidal::{ColumnLayout, sinusoidal_table, table_with_frequencies};
use ndarray::{Array1, Array2, ArrayD, Axis, Ix1, Ix2};
use serde_json::Value;
use std::path::Path;

/// 讲稿代码里写死的种子、幅度和基数；`substitutions` 可以改前两个。
const SEED: u32 = 42;
const SPREAD: f64 = 0.5;
const BASE: f64 = 10000.0;

/// 相对误差 1e-12；绝对值小于 1 的数看绝对误差。
const LIMIT: Limit = Limit::Near {
    absolute: 1e-12,
    relative: 1e-12,
};

pub fn check(case: &Case, tally: &mut Tally, folder: Option<&Path>) -> Checked {
    case.value("listing");
    if case.text("error")?.is_some() {
        return check_refusal(case, tally);
    }
    if case
        .text("layout")?
        .is_some_and(|layout| layout != "interleaved")
    {
        return unsupported("不认识的排列");
    }
    let printed = if case.has("W_Q") {
        first_listing(case, tally)?
    } else if case.has("PE") {
        second_listing(case, tally)?
    } else if case.has("Q_raw") {
        third_listing(case, tally)?
    } else if case.has("in_Q") {
        let rows = need("seq_len", case.size("seq_len")?)?;
        let width = need("d_k", case.size("d_k")?)?;
        let [q, k] = [matrix(case, "in_Q")?, matrix(case, "in_K")?];
        agree("seq_len", rows, q.nrows())?;
        agree("d_k", width, q.ncols())?;
        rotated_scores(case, tally, &q, &k, "scores")?;
        None
    } else if case.has("rotated") {
        rotated_vector(case, tally)?;
        None
    } else {
        return unsupported("不认识的函数");
    };
    if let Some(name) = case.text("stdout")? {
        let Some(printed) = printed else {
            return unsupported("这个用例怎样打印");
        };
        let found = printed?;
        let text = read_beside(folder, name)?;
        let Some(text) = text else {
            return unsupported(format!("旁边没有 {name}"));
        };
        tally.compare_text(name, &found, &numbers(&text));
    }
    Ok(())
}

/// 印出的数字，逐个写成文字；印不出来（例如行数不够）是错误。
type Printed = Option<Result<Vec<String>>>;

/// 两轴的数组。
fn matrix(case: &Case, name: &str) -> Result<Array2<f64>> {
    let array = need(name, case.array(name)?)?;
    array
        .into_dimensionality::<Ix2>()
        .map_err(|_| Error::BadData(format!("{name} 应当有两轴")))
}

fn compare(tally: &mut Tally, name: &str, found: &Array2<f64>) -> Result<()> {
    tally.compare(name, &found.clone().into_dyn(), LIMIT)
}

/// 第一段：权重来自种子，两句话各做一次注意力。
fn first_listing(
    case: &Case,
    tally: &mut Tally,
) -> std::result::Result<Printed, super::Trouble> {
    let (seed, spread) = drawn(case)?;
    let width = need("d_model", case.size("d_model")?)?;
    let head_dim = need("d_k", case.size("d_k")?)?;
    room(width, head_dim)?;
    let mut head = SelfAttention::seeded(seed, width, head_dim);
    let weights = [&mut head.w_query, &mut head.w_key, &mut head.w_value];
    for (weight, name) in weights.into_iter().zip(["W_Q", "W_K", "W_V"]) {
        *weight *= spread / SPREAD;
        compare(tally, name, weight)?;
    }
    let mut attention = Vec::new();
    for n in 1..=2 {
        let x = matrix(case, &format!("in_X{n}"))?;
        let attended = head.forward(x.view(), Mask::None)?;
        compare(tally, &format!("attn{n}"), &attended.weights)?;
        compare(tally, &format!("output{n}"), &attended.output)?;
        attention.push(attended.weights);
    }
    Ok(Some(print_first(&attention)))
}

fn print_first(attention: &[Array2<f64>]) -> Result<Vec<String>> {
    let (one, two) = (cell(&attention[0], 0, 1)?, cell(&attention[1], 2, 1)?);
    let mut printed = words(&["1"]);
    printed.extend(numpy_numbers(attention[0].iter()));
    printed.extend(words(&["2"]));
    printed.extend(numpy_numbers(attention[1].iter()));
    printed.extend(words(&["1", "0", "1", "2", "2", "1", "1", "0", "1"]));
    printed.push(format!("{one:.4}"));
    printed.extend(words(&["2", "2", "1"]));
    printed.push(format!("{two:.4}"));
    Ok(printed)
}

/// 第二段：正弦位置编码表，频率写成 `exp(2i · (−ln base / d))`。
fn second_listing(
    case: &Case,
    tally: &mut Tally,
) -> std::result::Result<Printed, super::Trouble> {
    drawn(case)?;
    let rows = need("seq_len", case.size("seq_len")?)?;
    let width = need("d_model", case.size("d_model")?)?;
    let base = need("base", case.number("base")?)?;
    let layout = ColumnLayout::Interleaved;
    check_width("d_model", width)?;
    check_base(base)?;
    let step = -base.ln() / width as f64;
    let theta = Array1::from_shape_fn(width / 2, |i| (2.0 * i as f64 * step).exp());
    let table = table_with_frequencies(0, rows, theta.view(), layout)?;
    compare(tally, "PE", &table)?;
    let book = sinusoidal_table(rows, width, base, layout)?;
    tally.compare("PE", &book.into_dyn(), looser(rows as f64))?;
    Ok(Some(print_second(&table)))
}

/// 频率的两种写法在位置 `p` 处的角度相差约 `p` 个最小单位，不应要求更严。
fn looser(farthest: f64) -> Limit {
    Limit::Near {
        absolute: f64::max(1e-12, 2e-15 * farthest),
        relative: 1e-12,
    }
}

fn print_second(table: &Array2<f64>) -> Result<Vec<String>> {
    let (rows, width) = table.dim();
    let mut printed = vec![rows.to_string(), width.to_string()];
    printed.extend([rows.to_string(), width.to_string()]);
    printed.extend(words(&["5", "8"]));
    printed.extend((0..8).map(|d| d.to_string()));
    for n in 0..5 {
        printed.push(n.to_string());
        for d in 0..8 {
            printed.push(format!("{:.3}", cell(table, n, d)?));
        }
    }
    printed.extend(words(&["1"]));
    for n in [3, 4] {
        printed.extend([n.to_string(), "6".to_string()]);
        let row: Result<Vec<f64>> = (0..6).map(|d| cell(table, n, d)).collect();
        printed.extend(numpy_numbers(row?.iter()));
    }
    for d in [0, 8] {
        printed.push(d.to_string());
        for n in 0..10 {
            printed.extend([n.to_string(), format!("{:.4}", cell(table, n, d)?)]);
        }
    }
    Ok(printed)
}

/// 第三段：查询与键来自种子，旋转前后各算一次分数；旋转前的分数没有除以 `√d_k`。
fn third_listing(
    case: &Case,
    tally: &mut Tally,
) -> std::result::Result<Printed, super::Trouble> {
    let (seed, spread) = drawn(case)?;
    let rows = need("seq_len", case.size("seq_len")?)?;
    let width = need("d_k", case.size("d_k")?)?;
    let mut random = LegacyRandom::new(seed);
    let q = random.try_normal_matrix(rows, width)? * spread;
    let k = random.try_normal_matrix(rows, width)? * spread;
    compare(tally, "Q_raw", &q)?;
    compare(tally, "K_raw", &k)?;
    let plain = q.dot(&k.t());
    compare(tally, "scores_no_rope", &plain)?;
    let rotated = rotated_scores(case, tally, &q, &k, "scores_rope")?;
    Ok(Some(print_third(&plain, &rotated)))
}

/// 旋转后的查询、键与它们的分数。
struct Rotated {
    q: Array2<f64>,
    k: Array2<f64>,
    scores: Array2<f64>,
}

fn print_third(plain: &Array2<f64>, rotated: &Rotated) -> Result<Vec<String>> {
    let Rotated { q, k, scores } = rotated;
    let rounded = |x: &Array2<f64>| x.mapv(|x| (x * 1e3).round_ties_even() / 1e3);
    let mut printed = numpy_numbers(rounded(plain).iter());
    printed.extend(numpy_numbers(rounded(scores).iter()));
    if k.nrows() <= 4 {
        return bad("行数太少，印不出位置 1 与位置 4 的点积");
    }
    printed.extend(words(&["1", "4"]));
    printed.push(format!("{:.4}", q.row(1).dot(&k.row(4))));
    printed.extend(words(&["1", "4", "3"]));
    Ok(printed)
}

/// 讲稿的写法 `θ_i = 1 / base^(2i/d)`。
fn lesson_theta(width: usize, base: f64) -> Result<Array1<f64>> {
    check_width("d_k", width)?;
    check_base(base)?;
    Ok(Array1::from_shape_fn(width / 2, |i| {
        1.0 / base.powf(2.0 * i as f64 / width as f64)
    }))
}

/// 旋转查询与键，比较两者与缩放后的分数。
fn rotated_scores(
    case: &Case,
    tally: &mut Tally,
    q: &Array2<f64>,
    k: &Array2<f64>,
    name: &str,
) -> Result<Rotated> {
    let base = need("base", case.number("base")?)?;
    let (width, layout) = (q.ncols(), PairLayout::Adjacent);
    let literal = lesson_theta(width, base)?;
    let exact = (Rotary::with_frequencies(width, literal, layout)?, LIMIT);
    let far = looser(q.nrows() as f64);
    let book = (Rotary::new(width, base, layout)?, far);
    let mut last = None;
    for (rotary, limit) in [book, exact] {
        let q = rotary.rotate(q.view(), &consecutive(0, q.nrows())?)?;
        let k = rotary.rotate(k.view(), &consecutive(0, k.nrows())?)?;
        let scores = scaled_scores(q.view(), k.view())?;
        tally.compare("Q_rope", &q.clone().into_dyn(), limit)?;
        tally.compare("K_rope", &k.clone().into_dyn(), limit)?;
        tally.compare(name, &scores.clone().into_dyn(), limit)?;
        last = Some(Rotated { q, k, scores });
    }
    need(name, last)
}

/// 一个向量转到一个位置。
fn rotated_vector(case: &Case, tally: &mut Tally) -> Result<()> {
    let base = need("base", case.number("base")?)?;
    let position = need("position", case.position("position")?)?;
    let width = need("dim", case.size("dim")?)?;
    let x = need("in_x", case.array("in_x")?)?;
    let x = x
        .into_dimensionality::<Ix1>()
        .map_err(|_| Error::BadData("in_x 应当只有一轴".to_string()))?;
    agree("dim", width, x.len())?;
    let layout = PairLayout::Adjacent;
    let book = rotate_vector(x.view(), position, base, layout)?;
    let far = looser(position.unsigned_abs() as f64);
    tally.compare("rotated", &book.into_dyn(), far)?;
    let literal = Rotary::with_frequencies(width, lesson_theta(width, base)?, layout)?;
    let row = x.insert_axis(Axis(0));
    let found: ArrayD<f64> = literal
        .rotate(row.view(), &[position])?
        .index_axis(Axis(0), 0)
        .to_owned()
        .into_dyn();
    tally.compare("rotated", &found, LIMIT)
}

/// 讲稿的函数在这个宽度上报错，本库也要报错。
fn check_refusal(case: &Case, tally: &mut Tally) -> Checked {
    let base = case.number("base")?.unwrap_or(BASE);
    let len = case.size("seq_len")?.unwrap_or(1);
    let mut widths = Vec::new();
    for name in ["d_model", "d_k", "dim"] {
        widths.extend(case.size(name)?);
    }
    let [width] = widths[..] else {
        return unsupported("不知道哪个宽度应当报错");
    };
    let result = sinusoidal_table(len, width, base, ColumnLayout::Interleaved)
        .and_then(|_| frequencies(width, base));
    tally.compare_refusal(&result);
    Ok(())
}

/// 种子和幅度，来自 `seed` 参数或 `substitutions`。
fn drawn(case: &Case) -> std::result::Result<(u32, f64), super::Trouble> {
    let (mut seed, mut spread) = (SEED, SPREAD);
    let word = |value: f64| {
        let whole =
            value.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&value);
        if whole {
            Ok(value as u32)
        } else {
            bad(format!("种子 {value} 不是 32 位非负整数"))
        }
    };
    if let Some(stated) = case.number("seed")? {
        seed = word(stated)?;
    }
    for change in case.list("substitutions")?.unwrap_or(&[]) {
        let Some((old, new)) = change_pair(change) else {
            return unsupported("不认识的替换");
        };
        for (before, value) in changed_numbers(&old, &new).into_iter().flatten() {
            let name = before.trim_end_matches(['=', ' ', '(']);
            if name.ends_with("seed") {
                seed = word(value)?;
            } else if name.ends_with('*') {
                spread = value;
            } else if !stated_elsewhere(case, name, value)? {
                return unsupported(format!("替换“{new}”"));
            }
        }
        if changed_numbers(&old, &new).is_none() {
            return unsupported(format!("替换“{new}”"));
        }
    }
    Ok((seed, spread))
}

/// 一处替换：两段文字。
fn change_pair(change: &Value) -> Option<(String, String)> {
    let texts: Vec<&str> = match change {
        Value::Array(pair) => pair.iter().filter_map(Value::as_str).collect(),
        Value::Object(pair) => pair.values().filter_map(Value::as_str).collect(),
        Value::String(text) => text.split("->").map(str::trim).collect(),
        _ => return None,
    };
    match texts[..] {
        [old, new] => Some((old.to_string(), new.to_string())),
        _ => None,
    }
}

/// 两段文字只有数字不同时，每个变了的数字和它前面的文字。
fn changed_numbers(old: &str, new: &str) -> Option<Vec<(String, f64)>> {
    let (old_words, old_numbers) = split_numbers(old);
    let (new_words, new_numbers) = split_numbers(new);
    if old_words != new_words {
        return None;
    }
    let mut changed = Vec::new();
    for (place, (old, new)) in old_numbers.iter().zip(&new_numbers).enumerate() {
        if old != new {
            changed.push((new_words[place].clone(), new.parse().ok()?));
        }
    }
    Some(changed)
}

/// 替换成的尺寸已经写在参数里：以参数为准。
fn stated_elsewhere(case: &Case, name: &str, value: f64) -> Result<bool> {
    for known in ["seq_len", "d_model", "d_k"] {
        if name.ends_with(known) {
            return Ok(case.size(known)? == Some(value as usize));
        }
    }
    Ok(false)
}

/// 旁边的文件；名字里不许有路径。
fn read_beside(folder: Option<&Path>, name: &str) -> Result<Option<String>> {
    if name.contains(['/', '\\']) || name == ".." {
        return bad(format!("stdout 应当只是文件名，却是 {name}"));
    }
    let text = folder.map(|folder| std::fs::read_to_string(folder.join(name)));
    Ok(text.and_then(std::result::Result::ok))
}

fn words(numbers: &[&str]) -> Vec<String> {
    numbers.iter().map(|number| number.to_string()).collect()
}

/// 文字里的数字，按次序。
fn numbers(text: &str) -> Vec<String> {
    split_numbers(text).1
}

/// 把文字切成“数字之间的文字”和“数字”：负号紧贴数字时属于数字，小数点后可以没有数字。
fn split_numbers(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut between, mut numbers) = (vec![String::new()], Vec::new());
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let run = |mut at: usize| {
        while digit(at) {
            at += 1;
        }
        at
    };
    let mut at = 0;
    while at < chars.len() {
        let first = at + usize::from(chars[at] == '-');
        if !digit(first) {
            between
                .last_mut()
                .into_iter()
                .for_each(|text| text.push(chars[at]));
            at += 1;
            continue;
        }
        let mut end = run(first);
        if chars.get(end) == Some(&'.') {
            end = run(end + 1);
        }
        let sign = usize::from(matches!(chars.get(end + 1), Some('+' | '-')));
        if chars.get(end) == Some(&'e') && digit(end + 1 + sign) {
            end = run(end + 1 + sign);
        }
        numbers.push(chars[at..end].iter().collect());
        between.push(String::new());
        at = end;
    }
    (between, numbers)
}

/// NumPy 默认怎样印一个数组里的数：八位小数，去掉末尾的零；范围太大时全用科学记数法。
fn numpy_numbers<'a>(values: impl Iterator<Item = &'a f64>) -> Vec<String> {
    let values: Vec<f64> = values.copied().collect();
    let sizes = values.iter().map(|x| x.abs()).filter(|x| *x != 0.0);
    let (low, high) = sizes.fold((f64::INFINITY, 0.0), |(low, high), x| {
        (x.min(low), x.max(high))
    });
    if high >= 1e8 || low < 1e-4 || high / low > 1000.0 {
        return scientific(&values);
    }
    let positional = |x: &f64| format!("{x:.8}").trim_end_matches('0').to_string();
    values.iter().map(positional).collect()
}

/// 科学记数法：尾数的位数取最长的那个，指数至少两位。
fn scientific(values: &[f64]) -> Vec<String> {
    let fraction = |x: &f64| {
        let text = format!("{x:.8e}");
        let mantissa = text.split('e').next().unwrap_or_default().to_string();
        let kept = mantissa.trim_end_matches('0');
        kept.len() - kept.find('.').map_or(kept.len(), |dot| dot + 1)
    };
    let digits = values.iter().map(fraction).max().unwrap_or(0);
    let one = |x: &f64| {
        let text = format!("{x:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let dot = if digits == 0 { "." } else { "" };
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{dot}e{sign}{:02}", exponent.abs())
    };
    values.iter().map(one).collect()
}

/// 一格；表太小时是错误。
fn cell(table: &Array2<f64>, row: usize, column: usize) -> Result<f64> {
    let found = table.get((row, column)).copied();
    found.ok_or_else(|| Error::BadData(format!("没有第 {row} 行第 {column} 列")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str]) -> Vec<String> {
        words(texts)
    }

    #[test]
    fn numbers_in_a_text() {
        assert_eq!(
            numbers("attn1[0,1] = -0.3156，-x - 2 a-3. 4.e 1.5e-07 2e+10 6e5 7e"),
            list(&[
                "1", "0", "1", "-0.3156", "2", "-3.", "4.", "1.5e-07", "2e+10", "6e5",
                "7"
            ])
        );
        let (between, found) = split_numbers("a=1, b = 20)");
        assert_eq!(between, list(&["a=", ", b = ", ")"]));
        assert_eq!(found, list(&["1", "20"]));
        assert_eq!(split_numbers("").0, list(&[""]));
    }

    #[test]
    fn numpy_prints_eight_digits_without_trailing_zeros() {
        let printed = |values: &[f64]| numpy_numbers(values.iter());
        assert_eq!(
            printed(&[0.350_505_145_98, 0.29, -1.0, -0.0, 0.373_159_9]),
            list(&["0.35050515", "0.29", "-1.", "-0.", "0.3731599"])
        );
        assert_eq!(printed(&[1e-4, 0.1]), list(&["0.0001", "0.1"]));
        assert_eq!(
            printed(&[99_999_999.0, 1e5]),
            list(&["99999999.", "100000."])
        );
        assert_eq!(printed(&[0.0, 0.0]), list(&["0.", "0."]));
    }

    #[test]
    fn numpy_switches_to_powers_of_ten_for_the_whole_array() {
        let printed = |values: &[f64]| numpy_numbers(values.iter());
        assert_eq!(
            printed(&[0.001, 1.02, 0.0, -12.5]),
            list(&["1.00e-03", "1.02e+00", "0.00e+00", "-1.25e+01"])
        );
        assert_eq!(printed(&[1e8, 1e5]), list(&["1.e+08", "1.e+05"]));
        assert_eq!(printed(&[9.9e-5]), list(&["9.9e-05"]));
        assert_eq!(printed(&[1.0, 1000.0]), list(&["1.", "1000."]));
        assert_eq!(printed(&[1.0, 1001.0]), list(&["1.000e+00", "1.001e+03"]));
        assert_eq!(printed(&[1e300, 1.0]), list(&["1.e+300", "1.e+00"]));
    }

    fn changed(before: &str, value: f64) -> Option<Vec<(String, f64)>> {
        Some(vec![(before.to_string(), value)])
    }

    #[test]
    fn substitutions_change_numbers_only() {
        assert_eq!(
            changed_numbers("np.random.seed(42)", "np.random.seed(7)"),
            changed("np.random.seed(", 7.0)
        );
        assert_eq!(
            changed_numbers("f(d_model=6, d_k=3)", "f(d_model=6, d_k=4)"),
            changed(", d_k=", 4.0)
        );
        assert_eq!(changed_numbers("a = 1", "b = 1"), None);
        assert_eq!(changed_numbers("a = 1", "a = 1"), Some(vec![]));
        let pair = Some(("a".to_string(), "b".to_string()));
        for json in [
            r#"["a", "b"]"#,
            r#"{"from": "a", "to": "b"}"#,
            r#""a -> b""#,
        ] {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(change_pair(&value), pair, "{json}");
        }
        for json in ["3", r#"["a"]"#, r#""a""#] {
            let value: Value = serde_json::from_str(json).unwrap();
            assert_eq!(change_pair(&value), None, "{json}");
        }
    }

    #[test]
    fn files_lie_beside() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(read_beside(Some(folder), "Cargo.toml").unwrap().is_some());
        assert!(read_beside(Some(folder), "none.txt").unwrap().is_none());
        assert!(read_beside(None, "Cargo.toml").unwrap().is_none());
        for name in ["../Cargo.toml", "src\\lib.rs", ".."] {
            assert!(read_beside(Some(folder), name).is_err());
        }
    }

    #[test]
    fn cells_outside_are_errors() {
        let table = Array2::eye(2);
        assert_eq!(cell(&table, 1, 1), Ok(1.0));
        let error = cell(&table, 2, 0).unwrap_err().to_string();
        assert_eq!(error, "数据不合格式：没有第 2 行第 0 列");
    }
}
