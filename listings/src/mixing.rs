//! 加还是拼：相加等于权重绑定的拼接，以及两种做法各要多少参数。

use crate::error::{Error, Result, at_least, same_size};
use ndarray::{Array2, ArrayView2, Axis, concatenate};

/// 相加等于权重绑定的拼接。
pub const EQ_TIED: &str = r"(\mathbf x + \mathbf p)\,W = \begin{pmatrix} \mathbf x & \mathbf p \end{pmatrix} \begin{pmatrix} W \\ W \end{pmatrix}";
/// 拼接以后两半各有自己的权重。
pub const EQ_UNTIED: &str = r"\begin{pmatrix} \mathbf x & \mathbf p \end{pmatrix} \begin{pmatrix} W_1 \\ W_2 \end{pmatrix} = \mathbf x\,W_1 + \mathbf p\,W_2";
/// 一层的权重数：四个 `d × d` 的注意力矩阵，两个 `d × f` 的前馈矩阵。
pub const EQ_LAYER_WEIGHTS: &str = r"A = 4d^2 + 2\,d f, \qquad f = 4d";

// ANCHOR: concat
/// 左右拼：`(rows, a)` 与 `(rows, b)` 拼成 `(rows, a + b)`。
///
/// # Errors
/// 行数不同。
pub fn beside(left: ArrayView2<f64>, right: ArrayView2<f64>) -> Result<Array2<f64>> {
    same_size("right rows", left.nrows(), right.nrows())?;
    Ok(joined(Axis(1), left, right))
}

/// 上下叠：`(a, columns)` 与 `(b, columns)` 叠成 `(a + b, columns)`。
///
/// # Errors
/// 列数不同。
pub fn above(top: ArrayView2<f64>, bottom: ArrayView2<f64>) -> Result<Array2<f64>> {
    same_size("bottom columns", top.ncols(), bottom.ncols())?;
    Ok(joined(Axis(0), top, bottom))
}
// ANCHOR_END: concat

fn joined(axis: Axis, a: ArrayView2<f64>, b: ArrayView2<f64>) -> Array2<f64> {
    // 形状已经检查过；真出错时给空表，不 panic。
    concatenate(axis, &[a, b]).unwrap_or_default()
}

// ANCHOR: weights
/// 一层的权重数（不算偏置和归一化）：`4·width²` 加 `2·width·hidden`。
///
/// # Errors
/// 宽度为零；结果超出整数的范围。
pub fn layer_weights(width: usize, hidden: usize) -> Result<usize> {
    at_least("width", width, 1)?;
    at_least("hidden", hidden, 1)?;
    let attention = width.checked_mul(width).and_then(|w| w.checked_mul(4));
    let forward = width.checked_mul(hidden).and_then(|w| w.checked_mul(2));
    attention
        .zip(forward)
        .and_then(|(a, f)| a.checked_add(f))
        .ok_or(Error::TooLarge {
            name: "width",
            value: width,
            max: usize::MAX,
        })
}
// ANCHOR_END: weights

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::LegacyRandom;
    use approx::assert_abs_diff_eq;
    use ndarray::array;

    #[test]
    fn adding_is_tied_concatenation() {
        let mut random = LegacyRandom::new(3);
        let (x, p) = (random.normal_matrix(5, 4), random.normal_matrix(5, 4));
        let w = random.normal_matrix(4, 3);
        let added = (&x + &p).dot(&w);
        let tied = above(w.view(), w.view()).unwrap();
        let joined = beside(x.view(), p.view()).unwrap().dot(&tied);
        for (a, b) in added.iter().zip(&joined) {
            assert_abs_diff_eq!(*a, *b, epsilon = 1e-13);
        }
        let other = random.normal_matrix(4, 3);
        let untied = above(w.view(), other.view()).unwrap();
        let free = beside(x.view(), p.view()).unwrap().dot(&untied);
        let wanted = x.dot(&w) + p.dot(&other);
        for (a, b) in free.iter().zip(&wanted) {
            assert_abs_diff_eq!(*a, *b, epsilon = 1e-13);
        }
    }

    #[test]
    fn joins_keep_the_order() {
        let (a, b) = (array![[1.0, 2.0]], array![[3.0, 4.0]]);
        assert_eq!(
            beside(a.view(), b.view()).unwrap(),
            array![[1.0, 2.0, 3.0, 4.0]]
        );
        assert_eq!(
            above(a.view(), b.view()).unwrap(),
            array![[1.0, 2.0], [3.0, 4.0]]
        );
        let tall = array![[1.0], [2.0]];
        assert!(beside(a.view(), tall.view()).is_err());
        assert!(above(a.view(), tall.view()).is_err());
    }

    #[test]
    fn weights_are_counted_matrix_by_matrix() {
        for (width, hidden) in [(1, 1), (3, 5), (512, 2048), (1024, 4096)] {
            let matrices = [
                (width, width),
                (width, width),
                (width, width),
                (width, width),
                (width, hidden),
                (hidden, width),
            ];
            let counted: usize = matrices.iter().map(|(r, c)| r * c).sum();
            assert_eq!(layer_weights(width, hidden).unwrap(), counted);
        }
        assert_eq!(layer_weights(512, 2048).unwrap(), 3_145_728);
        assert_eq!(layer_weights(1024, 4096).unwrap(), 12_582_912);
        assert!(layer_weights(0, 1).is_err());
        assert!(layer_weights(1, 0).is_err());
        assert!(layer_weights(usize::MAX, 1).is_err());
    }
}
