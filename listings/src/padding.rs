//! 填充与行号：有的模型第一个词元不读第 0 行，填充词元另占一行。
//!
//! ```
//! // RoBERTa：填充编号 1，第一个词元读第 2 行。
//! let rows = posenc::padding::token_rows(&[true, true, false], 1, 0)?;
//! assert_eq!(rows, [2, 3, 1]);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Result, checked_add};

/// 词元 `t` 读哪一行：填充都读第 `a` 行，词元从 `a + 1` 行数起（fairseq、RoBERTa）。
pub const EQ_TOKEN_ROW: &str = r"r_t = \begin{cases} a + v_0 + v_1 + \dots + v_t & v_t = 1 \\ a & v_t = 0 \end{cases}";
/// 表有 `N` 行，词元从第 `a + 1` 行数起，只装得下这么多个词元。
pub const EQ_CAPACITY: &str = r"C = N - (a + 1)";

// ANCHOR: token_rows
/// 每个词元读哪一行：`is_token[t]` 为假就是填充，读第 `padding_row` 行；
/// 第一个词元读 `padding_row + 1 + cached` 行，以后每个词元加一，填充不占位置。
///
/// `cached` 是前面已经算过的词元数。RoBERTa 的 `padding_row` 是填充词元的编号，OPT 的固定是 1。
///
/// # Errors
/// 行号溢出。
pub fn token_rows(
    is_token: &[bool],
    padding_row: usize,
    cached: usize,
) -> Result<Vec<usize>> {
    let mut last = checked_add("padding_row + cached", padding_row, cached)?;
    let mut rows = Vec::with_capacity(is_token.len());
    for &token in is_token {
        if token {
            last = checked_add("row + 1", last, 1)?;
        }
        rows.push(if token { last } else { padding_row });
    }
    Ok(rows)
}

/// 有 `rows` 行的表，填充占到第 `padding_row` 行为止，还装得下多少个词元。
pub fn token_capacity(rows: usize, padding_row: usize) -> usize {
    rows.saturating_sub(padding_row).saturating_sub(1)
}
// ANCHOR_END: token_rows

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roberta_rows_of_two_sentences() {
        // tests/golden/learned.json 的 roberta_positions_pad1_cache0 与 pad0_cache3。
        let first = [true, true, true, false, false];
        assert_eq!(token_rows(&first, 1, 0).unwrap(), [2, 3, 4, 1, 1]);
        let second = [false, true, false, true, true];
        assert_eq!(token_rows(&second, 1, 0).unwrap(), [1, 2, 1, 3, 4]);
        assert_eq!(token_rows(&[true, true, false], 0, 3).unwrap(), [4, 5, 0]);
        assert_eq!(token_rows(&[], 5, 9).unwrap(), Vec::<usize>::new());
    }

    #[test]
    fn opt_rows_are_the_same_rule_with_one() {
        // 直译 OPT：row = cumsum(mask)·mask − 1 + 2。
        let mask = [false, false, true, true, false, true];
        let mut sum = 0_usize;
        let literal: Vec<usize> = mask
            .iter()
            .map(|&m| {
                sum += usize::from(m);
                sum * usize::from(m) + 1
            })
            .collect();
        assert_eq!(token_rows(&mask, 1, 0).unwrap(), literal);
    }

    #[test]
    fn capacity_is_the_number_of_tokens_that_fit() {
        for (rows, padding_row) in [(514, 1), (514, 3), (2050, 1), (4, 0), (3, 2)] {
            let fits = token_capacity(rows, padding_row);
            let all = token_rows(&vec![true; fits], padding_row, 0).unwrap();
            assert_eq!(all.last().copied().unwrap_or(padding_row), rows - 1);
        }
        assert_eq!(token_capacity(2, 5), 0);
        assert_eq!(token_capacity(0, 0), 0);
    }

    #[test]
    fn overflow_is_an_error() {
        assert!(token_rows(&[true], usize::MAX, 0).is_err());
        assert!(token_rows(&[true], usize::MAX, 1).is_err());
        assert_eq!(token_rows(&[false], usize::MAX, 0).unwrap(), [usize::MAX]);
    }
}
