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
        if x.is_sign_negative() { -bits } else { bits }
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
        let outputs: Vec<&str> =
            self.case.outputs().into_iter().filter(unchecked).collect();
        if !outputs.is_empty() {
            return Some(format!("不认识的输出：{}", outputs.join("、")));
        }
        let unread = self.case.unread();
        (!unread.is_empty()).then(|| format!("没有用到：{}", unread.join("、")))
    }
}

/// 大多数检查的返回值。
pub type Checked = std::result::Result<(), Trouble>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_apart() {
        for x in [1.0_f64, -1.0, 0.1, 1e300, 5e-324] {
            assert_eq!(ulps(x, x), 0);
            assert_eq!(ulps(x, x.next_up()), 1);
            assert_eq!(ulps(x.next_down(), x.next_up()), 2);
        }
        assert_eq!(ulps(0.0, -0.0), 0);
        assert_eq!(ulps(-5e-324, 5e-324), 2);
    }

    #[test]
    fn limits_take_the_larger_of_two() {
        let near = Limit::Near {
            absolute: 1e-3,
            relative: 1e-2,
        };
        assert_eq!(near.measure(1.5, 1.0), (0.5, 1e-2));
        assert_eq!(near.measure(-0.5, 0.0), (0.5, 1e-3));
        assert_eq!(near.measure(0.0, -10.0), (10.0, 0.1));
        assert_eq!(Limit::absolute(0.5).measure(3.0, 100.0), (97.0, 0.5));
        assert_eq!(Limit::Ulps(1).measure(1.0, 1.0_f64.next_up()), (1.0, 1.0));
        for limit in [near, Limit::Ulps(1)] {
            assert!(limit.measure(f64::NAN, 1.0).0.is_nan());
            assert!(limit.measure(1.0, f64::NAN).0.is_nan());
        }
        let (error, _) = Limit::Ulps(1).measure(f64::INFINITY, f64::INFINITY);
        assert!(error.is_nan());
    }

    fn with(values: &str) -> Case {
        let text = format!(
            r#"{{"kind": "k", "cases": [{{"name": "n", "shapes": {{"a": [3]}},
                "values": {{"a": {values}}}}}]}}"#
        );
        super::super::data::parse(&text).unwrap().cases.remove(0)
    }

    fn array(values: [f64; 3]) -> ArrayD<f64> {
        ndarray::arr1(&values).into_dyn()
    }

    #[test]
    fn the_worst_is_nearest_to_its_limit() -> Result<()> {
        let case = with("[1, 10, 100]");
        let limit = Limit::Near {
            absolute: 0.0,
            relative: 0.1,
        };
        let mut tally = Tally::new(&case);
        tally.compare("a", &array([1.05, 10.2, 101.0]), limit)?;
        let (error, allowed) = tally.worst();
        assert!((error - 0.05).abs() < 1e-12 && (allowed - 0.1).abs() < 1e-12);
        assert_eq!((tally.mismatch(), tally.compared()), (None, 3));
        tally.compare("a", &array([1.0, 10.0, 105.5]), limit)?;
        assert_eq!(tally.worst(), (5.5, 10.0));
        let mut tally = Tally::new(&case);
        tally.compare("a", &array([1.0, 10.0, 100.0]), limit)?;
        assert_eq!(tally.worst(), (0.0, 0.1));
        tally.compare("a", &array([1.0, 10.0, 101.0]), limit)?;
        assert_eq!(tally.worst(), (1.0, 10.0));
        tally.compare("a", &array([1.0, 11.0, 100.0]), Limit::absolute(10.0))?;
        assert_eq!(tally.worst(), (1.0, 10.0));
        let mut tally = Tally::new(&case);
        tally.compare("a", &array([1.5, 10.0, 100.0]), Limit::absolute(1.0))?;
        tally.compare("a", &array([1.0, 10.5, 100.0]), Limit::absolute(1.0))?;
        assert_eq!(tally.worst(), (0.5, 1.0));
        assert_eq!(tally.compared(), 3);
        assert_eq!(tally.left_over(), None);
        Ok(())
    }

    #[test]
    fn nan_never_passes() -> Result<()> {
        let case = with("[1, 2, 3]");
        let mut tally = Tally::new(&case);
        tally.compare("a", &array([1.0, f64::NAN, 3.0]), Limit::absolute(9.0))?;
        let why = tally.mismatch().unwrap().to_string();
        assert_eq!(why, "a 的第 1 个数应当是 2，算出 NaN");
        assert!(tally.worst().0.is_nan());
        tally.compare("a", &array([1.0, 200.0, 3.0]), Limit::absolute(1.0))?;
        assert!(tally.worst().0.is_nan());
        assert_eq!(tally.mismatch(), Some(why.as_str()));
        Ok(())
    }

    #[test]
    fn shapes_must_agree() {
        let case = with("[1, 2, 3]");
        let mut tally = Tally::new(&case);
        let two = ndarray::arr1(&[1.0, 2.0]).into_dyn();
        let error = tally.compare("a", &two, Limit::absolute(1.0)).unwrap_err();
        assert!(error.to_string().contains("a 的形状是 [3]，算出 [2]"));
        let missing = tally.compare("b", &two, Limit::absolute(1.0)).unwrap_err();
        assert!(missing.to_string().contains("缺少 b"));
        assert_eq!(tally.left_over(), Some("不认识的输出：a".to_string()));
        assert_eq!((tally.compared(), tally.worst()), (0, (0.0, 0.0)));
    }

    #[test]
    fn printed_numbers_are_compared_as_text() {
        let case = with("[1, 2, 3]");
        let list = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| word.to_string()).collect()
        };
        let mut tally = Tally::new(&case);
        tally.compare_text("t", &list(&["1", "2.0"]), &list(&["1", "2.0"]));
        assert_eq!((tally.mismatch(), tally.compared()), (None, 2));
        tally.compare_text("t", &list(&["1", "2"]), &list(&["1", "2.0"]));
        assert_eq!(tally.mismatch(), Some("t 的第 1 个数印作 2.0，算出 2"));
        let mut tally = Tally::new(&case);
        tally.compare_text("t", &list(&["1"]), &list(&["1", "2"]));
        assert_eq!(tally.mismatch(), Some("t 里有 2 个数，算出 1 个"));
    }

    #[test]
    fn refusals_are_counted() {
        let case = with("[1, 2, 3]");
        let mut tally = Tally::new(&case);
        tally.compare_refusal(&bad::<()>("不行"));
        assert_eq!((tally.mismatch(), tally.compared()), (None, 1));
        tally.compare_refusal(&Ok(()));
        assert_eq!(tally.mismatch(), Some("应当报错，却算出了结果"));
        assert_eq!(tally.compared(), 2);
    }
}
