//! 比较与记账：比了几个数，离界限最近的是哪一个，哪些输出还没有比。

use super::data::{Case, Trouble, bad, need};
use crate::Result;
use ndarray::ArrayD;
use std::collections::BTreeSet;

/// 允许差多少。
#[derive(Debug, Clone, Copy)]
pub enum Limit {
    /// 绝对误差不超过 `absolute`，或相对误差不超过 `relative`。
    Near {
        /// 绝对误差的界限。
        absolute: f64,
        /// 相对误差的界限。
        relative: f64,
    },
    /// 相差不超过这么多个相邻的 `f64`。
    Ulps(u32),
}

impl Limit {
    /// 只看绝对误差。
    pub fn absolute(absolute: f64) -> Self {
        Self::Near {
            absolute,
            relative: 0.0,
        }
    }

    /// 误差与它的界限，单位相同。NaN 和无穷的误差是 NaN。
    fn measure(self, found: f64, expected: f64) -> (f64, f64) {
        let error = (found - expected).abs();
        match self {
            Self::Near { absolute, relative } => {
                (error, absolute.max(relative * expected.abs()))
            }
            Self::Ulps(limit) if error.is_finite() => {
                (ulps(found, expected) as f64, f64::from(limit))
            }
            Self::Ulps(limit) => (f64::NAN, f64::from(limit)),
        }
    }
}

/// 两个有限数之间隔着几个 `f64`。
fn ulps(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let bits = x.abs().to_bits() as i64;
        if x < 0.0 { -bits } else { bits }
    };
    place(a).abs_diff(place(b))
}

/// 一个用例的账。
pub struct Tally<'a> {
    case: &'a Case,
    done: BTreeSet<String>,
    compared: usize,
    worst: (f64, f64),
    mismatch: Option<String>,
}

impl<'a> Tally<'a> {
    /// 一页空账。
    pub fn new(case: &'a Case) -> Self {
        Self {
            case,
            done: BTreeSet::new(),
            compared: 0,
            worst: (0.0, 0.0),
            mismatch: None,
        }
    }

    /// 比较一个输出：形状相同，每个数都在界限之内。同一个输出可以用两种算法各比一次。
    pub fn compare(
        &mut self,
        name: &str,
        found: &ArrayD<f64>,
        limit: Limit,
    ) -> Result<()> {
        let expected = need(name, self.case.array(name)?)?;
        if found.shape() != expected.shape() {
            let (found, expected) = (found.shape(), expected.shape());
            return bad(format!("{name} 的形状是 {expected:?}，算出 {found:?}"));
        }
        for (place, (&found, &expected)) in found.iter().zip(&expected).enumerate() {
            let (error, limit) = limit.measure(found, expected);
            if self.is_worse(error, limit) {
                self.worst = (error, limit);
            }
            let within = error <= limit;
            if !within {
                self.fail(format!(
                    "{name} 的第 {place} 个数应当是 {expected}，算出 {found}"
                ));
            }
        }
        if self.done.insert(name.to_string()) {
            self.compared += expected.len();
        }
        Ok(())
    }

    /// 误差与界限之比是不是目前最大的；NaN 比谁都大。
    fn is_worse(&self, error: f64, limit: f64) -> bool {
        let (worst, worst_limit) = self.worst;
        if worst.is_nan() {
            return false;
        }
        let larger = error * worst_limit > worst * limit;
        error.is_nan() || larger || (self.worst == (0.0, 0.0))
    }

    /// 比较一列印出来的数字，逐字相同。
    pub fn compare_text(&mut self, what: &str, found: &[String], expected: &[String]) {
        if found.len() != expected.len() {
            let (found, expected) = (found.len(), expected.len());
            self.fail(format!("{what} 里有 {expected} 个数，算出 {found} 个"));
        }
        for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
            if found != expected {
                self.fail(format!(
                    "{what} 的第 {place} 个数印作 {expected}，算出 {found}"
                ));
            }
        }
        self.compared += expected.len();
    }

    /// 这个用例要求报错。
    pub fn compare_refusal<T>(&mut self, result: &Result<T>) {
        self.compared += 1;
        self.case.skip_inputs();
        if result.is_ok() {
            self.fail("应当报错，却算出了结果".to_string());
        }
    }

    fn fail(&mut self, why: String) {
        self.mismatch.get_or_insert(why);
    }

    /// 第一个越界的数。
    pub fn mismatch(&self) -> Option<&str> {
        self.mismatch.as_deref()
    }

    /// 比较了多少个数。
    pub fn compared(&self) -> usize {
        self.compared
    }

    /// 离界限最近（或越过最多）的误差和它的界限。
    pub fn worst(&self) -> (f64, f64) {
        self.worst
    }

    /// 还有没有比的输出或没有读的参数。
    pub fn left_over(&self) -> Option<String> {
        let unchecked = |name: &&str| !self.done.contains(*name);
        let outputs: Vec<&str> = self.case.outputs().filter(unchecked).collect();
        if !outputs.is_empty() {
            return Some(format!("不认识的输出：{}", outputs.join("、")));
        }
        let unread = self.case.unread();
        (!unread.is_empty()).then(|| format!("没有用到：{}", unread.join("、")))
    }
}

/// 大多数检查的返回值。
pub type Checked = std::result::Result<(), Trouble>;
