//! `numpy_rng`：旧式随机流的字、均匀数与正态数。

use super::data::{Case, agree, bad, integers, need, unsupported};
use super::tally::{Checked, Limit, Tally};
use crate::error::{Error, Result};
use crate::rng::LegacyRandom;
use ndarray::{ArrayD, IxDyn};
use std::path::Path;

/// 一条流按输出的次序依次抽；`reseeded_` 开头的输出先重新播种。
pub fn check(case: &Case, tally: &mut Tally, _: Option<&Path>) -> Checked {
    let mut random = seeded(case)?;
    let (count, shape) = (case.size("count")?, case.sizes("shape")?);
    let index = case.array("in_index")?;
    for name in in_order(case) {
        let wanted = need(name, case.array(name)?)?;
        let (draw, again, number) = parse_name(name);
        if !["randn", "random_sample", "uniform", "raw"].contains(&draw) {
            return unsupported(format!("不认识的输出：{name}"));
        }
        if again {
            random = seeded(case)?;
        }
        if let Some(len) = count.or(number) {
            agree(name, len, wanted.len())?;
        }
        if shape
            .as_deref()
            .is_some_and(|shape| shape != wanted.shape())
        {
            bad(format!("{name} 的形状与参数 shape 不符"))?;
        }
        let len = wanted.len();
        let (values, limit): (Vec<f64>, _) = match (draw, &index) {
            ("randn", None) => ((0..len).map(|_| random.normal()).collect(), 1),
            ("random_sample" | "uniform", None) => {
                ((0..len).map(|_| random.uniform()).collect(), 0)
            }
            ("raw", None) => ((0..len).map(|_| f64::from(random.raw())).collect(), 0),
            ("raw", Some(index)) => (words_at(&mut random, index)?, 0),
            _ => return unsupported("in_index 只能用来挑字"),
        };
        let found = ArrayD::from_shape_vec(IxDyn(wanted.shape()), values)
            .map_err(|why| Error::BadData(format!("{name}：{why}")))?;
        tally.compare(name, &found, Limit::Ulps(limit))?;
    }
    Ok(())
}

fn seeded(case: &Case) -> Result<LegacyRandom> {
    let word = |value: usize| {
        u32::try_from(value)
            .map_err(|_| Error::BadData(format!("种子 {value} 超过 32 位")))
    };
    match (case.size("seed")?, case.sizes("seed_array")?) {
        (Some(seed), None) => Ok(LegacyRandom::new(word(seed)?)),
        (None, Some(key)) => {
            let key: Result<Vec<u32>> = key.into_iter().map(word).collect();
            LegacyRandom::from_key(&key?)
        }
        _ => bad("seed 与 seed_array 要有一个，而且只有一个"),
    }
}

/// 输出的次序：说明里写着 `randn(3), random_sample(2), …` 就照它，否则照文件。
///
/// JSON 的对象没有次序，所以文件的次序只是退路。
fn in_order(case: &Case) -> Vec<&str> {
    let mut names: Vec<&str> = case.outputs();
    let place = |name: &str| {
        let (draw, again, number) = parse_name(name);
        let call = format!("{draw}({})", number?);
        if again {
            case.what.rfind(&call)
        } else {
            case.what.find(&call)
        }
    };
    names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    names
}

/// `reseeded_randn_2` 分成：抽什么、要不要重新播种、抽几个。
fn parse_name(name: &str) -> (&str, bool, Option<usize>) {
    let rest = name.strip_prefix("reseeded_");
    let (name, again) = (rest.unwrap_or(name), rest.is_some());
    let split = name.rsplit_once('_');
    match split.and_then(|(draw, n)| n.parse().ok().map(|n| (draw, n))) {
        Some((draw, number)) => (draw, again, Some(number)),
        None => (name, again, None),
    }
}

/// 第 `index` 个字，从零数起。
fn words_at(random: &mut LegacyRandom, index: &ArrayD<f64>) -> Result<Vec<f64>> {
    const FARTHEST: usize = 1_000_000;
    let index: Vec<usize> = integers("in_index", index)?
        .into_iter()
        .map(|n| usize::try_from(n).unwrap_or(usize::MAX))
        .collect();
    let last = index.iter().copied().max().unwrap_or(0);
    if last > FARTHEST {
        return bad(format!("in_index 要在 0 到 {FARTHEST} 之间"));
    }
    let words: Vec<u32> = (0..=last).map(|_| random.raw()).collect();
    Ok(index.into_iter().map(|n| f64::from(words[n])).collect())
}
