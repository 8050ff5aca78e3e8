//! 全库唯一的错误类型：每条消息都说出收到的值和被违反的规则。
//!
//! ```
//! let error = posenc::frequency::frequencies(3, 10000.0).unwrap_err();
//! assert_eq!(error.to_string(), "width = 3：正弦与余弦成对出现，宽度必须是偶数");
//! ```

use thiserror::Error;

/// 本库的错误。消息是中文，带着收到的值与规则。
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// 宽度是奇数，而这里每两列组成一对。
    #[error("{name} = {value}：正弦与余弦成对出现，宽度必须是偶数")]
    OddWidth {
        /// 参数名。
        name: &'static str,
        /// 收到的宽度。
        value: usize,
    },
    /// 尺寸太小。
    #[error("{name} = {value}：至少要是 {min}")]
    TooSmall {
        /// 参数名。
        name: &'static str,
        /// 收到的值。
        value: usize,
        /// 允许的最小值。
        min: usize,
    },
    /// 尺寸太大。
    #[error("{name} = {value}：不能超过 {max}")]
    TooLarge {
        /// 参数名。
        name: &'static str,
        /// 收到的值。
        value: usize,
        /// 允许的最大值。
        max: usize,
    },
    /// 一个实数参数不合规则（NaN、无穷、非正……）。
    #[error("{name} = {value}：{rule}")]
    BadNumber {
        /// 参数名。
        name: &'static str,
        /// 收到的值。
        value: f64,
        /// 规则，一句话。
        rule: &'static str,
    },
    /// 两个尺寸应当相等。
    #[error("{name} 的尺寸是 {found}，这里需要 {expected}")]
    Shape {
        /// 参数名。
        name: &'static str,
        /// 需要的尺寸。
        expected: usize,
        /// 收到的尺寸。
        found: usize,
    },
    /// 位置越过了表的末尾。
    #[error("位置 {position} 越界：表只有 {rows} 行，合法位置是 0 到 {}", rows.saturating_sub(1))]
    PositionOutOfTable {
        /// 请求的位置（行号）。
        position: usize,
        /// 表的行数。
        rows: usize,
    },
    /// 位置太远：超过 2^53 以后，`f64` 已经分不清相邻的两个整数。
    #[error("位置 {position} 太远：绝对值不能超过 2^53，否则相邻位置会变成同一个数")]
    PositionTooFar {
        /// 请求的位置。
        position: i128,
    },
    /// 数组太大，还没有分配就拒绝。
    #[error("{rows} × {columns} 的数组放不进内存")]
    OutOfMemory {
        /// 行数。
        rows: usize,
        /// 列数。
        columns: usize,
    },
    /// 整数运算溢出。
    #[error("{name}：{left} + {right} 超出了整数的范围")]
    Overflow {
        /// 在算什么。
        name: &'static str,
        /// 左边的数。
        left: i128,
        /// 右边的数。
        right: i128,
    },
    /// 不认识的名字。
    #[error("不认识的{what}“{name}”，只接受：{allowed}")]
    UnknownName {
        /// 这是什么的名字。
        what: &'static str,
        /// 收到的名字。
        name: String,
        /// 接受的名字。
        allowed: &'static str,
    },
    /// 一份数据（例如黄金值文件）的内容不合格式。
    #[error("数据不合格式：{0}")]
    BadData(String),
}

/// 以 [`enum@Error`] 为错误的结果。
pub type Result<T> = std::result::Result<T, Error>;

/// 要求 `value` 是有限数。
pub(crate) fn finite(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::BadNumber {
            name,
            value,
            rule: "必须是有限数",
        })
    }
}

/// 要求 `value` 是有限的正数，否则给出带名字和值的错误。
pub(crate) fn finite_positive(name: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(Error::BadNumber {
            name,
            value,
            rule: "必须是有限的正数",
        })
    }
}

/// 要求 `value >= min`。
pub(crate) fn at_least(name: &'static str, value: usize, min: usize) -> Result<usize> {
    if value >= min {
        Ok(value)
    } else {
        Err(Error::TooSmall { name, value, min })
    }
}

/// 要求 `found == expected`。
pub(crate) fn same_size(
    name: &'static str,
    expected: usize,
    found: usize,
) -> Result<()> {
    if expected == found {
        Ok(())
    } else {
        Err(Error::Shape {
            name,
            expected,
            found,
        })
    }
}

/// 相加，溢出时给出错误。
pub(crate) fn checked_add(
    name: &'static str,
    left: usize,
    right: usize,
) -> Result<usize> {
    left.checked_add(right).ok_or(Error::Overflow {
        name,
        left: left as i128,
        right: right as i128,
    })
}

/// 能被 `f64` 精确表示的最远位置。
const FARTHEST: u64 = 9_007_199_254_740_992;

/// 位置变成 `f64`；太远的位置是错误，不会悄悄与邻居重合。
pub(crate) fn exact(position: i64) -> Result<f64> {
    if position.unsigned_abs() <= FARTHEST {
        Ok(position as f64)
    } else {
        Err(Error::PositionTooFar {
            position: position.into(),
        })
    }
}

/// 非负位置的 [`exact`]。
pub(crate) fn exact_index(position: usize) -> Result<f64> {
    match i64::try_from(position) {
        Ok(position) => exact(position),
        Err(_) => Err(Error::PositionTooFar {
            position: position as i128,
        }),
    }
}

/// 分配之前先问一句：`rows × columns` 个 `f64` 放不放得下。
pub(crate) fn room(rows: usize, columns: usize) -> Result<()> {
    let fits = rows
        .checked_mul(columns)
        .is_some_and(|len| Vec::<f64>::new().try_reserve_exact(len).is_ok());
    if fits {
        Ok(())
    } else {
        Err(Error::OutOfMemory { rows, columns })
    }
}

/// 在一张名字表里找 `name`；找不到时把接受的名字都列出来。
pub(crate) fn named<T: Copy>(
    what: &'static str,
    name: &str,
    known: &[(&str, T)],
    allowed: &'static str,
) -> Result<T> {
    known
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, value)| value)
        .ok_or_else(|| Error::UnknownName {
            what,
            name: name.to_string(),
            allowed,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_carry_value_and_rule() {
        let text = |error: Error| error.to_string();
        assert_eq!(
            text(at_least("width", 1, 2).unwrap_err()),
            "width = 1：至少要是 2"
        );
        assert_eq!(
            text(finite_positive("base", 0.0).unwrap_err()),
            "base = 0：必须是有限的正数"
        );
        assert_eq!(
            text(finite("shift", f64::NAN).unwrap_err()),
            "shift = NaN：必须是有限数"
        );
        assert_eq!(
            text(same_size("key", 4, 3).unwrap_err()),
            "key 的尺寸是 3，这里需要 4"
        );
        assert_eq!(
            text(checked_add("start + len", usize::MAX, 2).unwrap_err()),
            "start + len：18446744073709551615 + 2 超出了整数的范围"
        );
        assert_eq!(
            text(Error::PositionOutOfTable {
                position: 4,
                rows: 4
            }),
            "位置 4 越界：表只有 4 行，合法位置是 0 到 3"
        );
        assert_eq!(
            text(exact(i64::MIN).unwrap_err()),
            "位置 -9223372036854775808 太远：绝对值不能超过 2^53，否则相邻位置会变成同一个数"
        );
        assert_eq!(
            text(room(usize::MAX, 2).unwrap_err()),
            "18446744073709551615 × 2 的数组放不进内存"
        );
        assert_eq!(
            text(named("排列", "x", &[("a", 1)], "a").unwrap_err()),
            "不认识的排列“x”，只接受：a"
        );
        assert_eq!(
            text(Error::TooLarge {
                name: "queries",
                value: 3,
                max: 2
            }),
            "queries = 3：不能超过 2"
        );
    }

    #[test]
    fn checks_accept_what_is_right() -> Result<()> {
        assert_eq!(at_least("width", 2, 2)?, 2);
        assert_eq!(finite_positive("base", 1e-300)?, 1e-300);
        assert_eq!(finite("shift", -1.5)?, -1.5);
        same_size("key", 3, 3)?;
        assert_eq!(checked_add("sum", usize::MAX - 1, 1)?, usize::MAX);
        assert_eq!(named("排列", "b", &[("a", 1), ("b", 2)], "a、b")?, 2);
        Ok(())
    }

    #[test]
    fn numbers_that_are_refused() {
        for value in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(finite_positive("x", value).is_err());
        }
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(finite("x", value).is_err());
        }
    }

    #[test]
    fn positions_stay_exact() -> Result<()> {
        let far = 1_i64 << 53;
        for position in [0, 1, -1, far, -far] {
            assert_eq!(exact(position)? as i64, position);
        }
        assert_eq!(exact_index(1 << 53)?, far as f64);
        for position in [far + 1, -far - 1, i64::MAX, i64::MIN] {
            let position_128 = i128::from(position);
            assert_eq!(
                exact(position),
                Err(Error::PositionTooFar {
                    position: position_128
                })
            );
        }
        assert_eq!(
            exact_index(usize::MAX),
            Err(Error::PositionTooFar {
                position: usize::MAX as i128
            })
        );
        Ok(())
    }

    #[test]
    fn room_is_asked_before_allocating() -> Result<()> {
        room(0, usize::MAX)?;
        room(1000, 1000)?;
        for (rows, columns) in [
            (usize::MAX, 2),
            (usize::MAX, 1),
            (1 << 53, 1),
            (1 << 30, 1 << 30),
        ] {
            assert_eq!(
                room(rows, columns),
                Err(Error::OutOfMemory { rows, columns })
            );
        }
        Ok(())
    }
}
