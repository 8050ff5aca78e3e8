//! 全库唯一的错误类型：每条消息都说出收到的值和被违反的规则。

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
    /// 整数运算溢出。
    #[error("{name}：{left} + {right} 超出了整数的范围")]
    Overflow {
        /// 在算什么。
        name: &'static str,
        /// 左边的数。
        left: usize,
        /// 右边的数。
        right: usize,
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
    left.checked_add(right)
        .ok_or(Error::Overflow { name, left, right })
}
