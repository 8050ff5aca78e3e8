//! 断言清单的计算一侧：把书中每一条断言的数值算出来，一行一条。
//!
//! 一行是 `编号 ⇥ 类别 ⇥ 证明所在的小节 ⇥ 数值…`，数值用能还原每一位的最短写法。

mod daodu;
mod errata;
mod faq;
mod glossary;
mod learned;
mod map;
mod notation;
mod rotary;
mod sinusoidal;
mod why;

use std::error::Error;

/// 一条断言的数值，或者算不出来的原因。
pub type Outcome = Result<Vec<f64>, Box<dyn Error>>;

/// 一条断言：编号、类别、证明所在的小节（只有“证”有）、算出数值的函数。
pub struct Claim {
    id: &'static str,
    kind: &'static str,
    section: &'static str,
    values: fn() -> Outcome,
}

/// 算：数值由程序算出，句中的数字是它的舍入。
pub fn calc(id: &'static str, values: fn() -> Outcome) -> Claim {
    Claim {
        id,
        kind: "算",
        section: "",
        values,
    }
}

/// 界：句中的数字是一个上界或下界，函数先断言它成立。
pub fn bound(id: &'static str, values: fn() -> Outcome) -> Claim {
    Claim {
        id,
        kind: "界",
        section: "",
        values,
    }
}

/// 证：书中 `section` 这一节给出证明（`小节` 在本页，`页#小节` 在别的页），函数再用数值检查一遍。
pub fn proof(
    id: &'static str,
    section: &'static str,
    values: fn() -> Outcome,
) -> Claim {
    Claim {
        id,
        kind: "证",
        section,
        values,
    }
}

/// 误：流传的错误数值，函数算出它是怎么来的。只许出现在勘误页。
pub fn wrong(id: &'static str, values: fn() -> Outcome) -> Claim {
    Claim {
        id,
        kind: "误",
        section: "",
        values,
    }
}

/// 断言里能出现的数。
pub trait Number {
    /// 变成 `f64`；整数超过 2⁵³ 时会失真，断言里没有这么大的数。
    fn number(self) -> f64;
}

macro_rules! numbers {
    ($($kind:ty),*) => { $(impl Number for $kind {
        fn number(self) -> f64 { self as f64 }
    })* };
}
numbers!(f64, f32, usize, i64, i32, u64, u32);

/// 一列数值，按它们在句子里出现的次序。
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        Ok::<Vec<f64>, Box<dyn std::error::Error>>(vec![$($crate::Number::number($value)),*])
    };
}

/// 断言 `measured < limit`，返回 `limit`。NaN 不会通过。
pub fn below(measured: f64, limit: f64) -> Result<f64, Box<dyn Error>> {
    if measured < limit {
        Ok(limit)
    } else {
        Err(format!("{measured:e} 不小于 {limit:e}").into())
    }
}

/// 断言 `measured > limit`，返回 `limit`。NaN 不会通过。
pub fn above(measured: f64, limit: f64) -> Result<f64, Box<dyn Error>> {
    if measured > limit {
        Ok(limit)
    } else {
        Err(format!("{measured:e} 不大于 {limit:e}").into())
    }
}

/// 断言一个条件成立，否则给出原因。
pub fn ensure(holds: bool, rule: &str) -> Result<(), Box<dyn Error>> {
    if holds { Ok(()) } else { Err(rule.into()) }
}

/// 一条引来的断言的各个数，按句中的次序，从 `listings/data/cited.csv` 里读。
pub fn cited<const N: usize>(id: &str) -> Result<[f64; N], Box<dyn Error>> {
    let mut values = Vec::new();
    for line in include_str!("../../../data/cited.csv").lines() {
        let row = line.split_once(',').and_then(|(claim, rest)| {
            (claim == id).then(|| rest.rsplit(',').next().unwrap_or(rest))
        });
        if let Some(value) = row {
            values.push(value.parse()?);
        }
    }
    let found = values.len();
    values
        .try_into()
        .map_err(|_| format!("{id} 引了 {found} 个数，这里要 {N} 个").into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let pages = [
        daodu::claims(),
        errata::claims(),
        faq::claims(),
        glossary::claims(),
        learned::claims(),
        map::claims(),
        notation::claims(),
        rotary::claims(),
        sinusoidal::claims(),
        why::claims(),
    ];
    for claim in pages.iter().flatten() {
        let values = (claim.values)().map_err(|why| format!("{}：{why}", claim.id))?;
        let values: Vec<String> =
            values.iter().map(|value| format!("{value:?}")).collect();
        println!(
            "{}\t{}\t{}\t{}",
            claim.id,
            claim.kind,
            claim.section,
            values.join(" ")
        );
    }
    Ok(())
}
