//! 读前须知用到的几件小工具，都照定义逐字写出：点积、矩阵乘法、角度相加、平面旋转。
//!
//! 库里别处用 ndarray 自带的 `dot`；这里的写法慢，但每一步都看得见，测试拿两者相比。
//!
//! ```
//! use ndarray::aview1;
//! let product = posenc::basics::dot_product(aview1(&[2.0, 3.0]), aview1(&[5.0, 1.0]))?;
//! assert_eq!(product, 13.0);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Result, same_size};
use ndarray::{Array2, ArrayView1, ArrayView2, s};

/// 点积的定义。
pub const EQ_DOT: &str = r"\mathbf q \cdot \mathbf k = \sum_{i=0}^{d-1} q_i\, k_i";

/// 矩阵乘法的定义：行与列的点积。
pub const EQ_MATRIX_PRODUCT: &str =
    r"Y = XW, \qquad Y_{n,j} = \sum_{i=0}^{d-1} X_{n,i}\, W_{i,j}";

/// 平面上逆时针转一个角。
pub const EQ_TURN: &str = r"\begin{pmatrix} x' \\ y' \end{pmatrix} = \begin{pmatrix} \cos\alpha & -\sin\alpha \\ \sin\alpha & \cos\alpha \end{pmatrix} \begin{pmatrix} x \\ y \end{pmatrix}";

/// 偏移：键的位置减查询的位置。
pub const EQ_OFFSET: &str = r"\Delta = n - m";

/// 偏移（式 [`EQ_OFFSET`]）：负数表示键在查询前面；放不进 `i64` 时停在边界。
pub fn offset(query: i64, key: i64) -> i64 {
    key.saturating_sub(query)
}

/// 两个等长向量的点积：逐个相乘，再加起来（式 [`EQ_DOT`]）。
///
/// # Errors
/// 长度不同。
pub fn dot_product(left: ArrayView1<f64>, right: ArrayView1<f64>) -> Result<f64> {
    same_size("right", left.len(), right.len())?;
    let mut sum = 0.0;
    for (a, b) in left.iter().zip(right) {
        sum += a * b;
    }
    Ok(sum)
}

// ANCHOR: matrix_product
/// 矩阵乘法：`x` 的形状是 `(n, d)`，`w` 是 `(d, j)`，结果是 `(n, j)`。
///
/// # Errors
/// `x` 的列数不等于 `w` 的行数。
pub fn matrix_product(x: ArrayView2<f64>, w: ArrayView2<f64>) -> Result<Array2<f64>> {
    same_size("w", x.ncols(), w.nrows())?;
    let mut y = Array2::zeros((x.nrows(), w.ncols()));
    for n in 0..x.nrows() {
        for j in 0..w.ncols() {
            y[[n, j]] = x.row(n).dot(&w.slice(s![.., j]));
        }
    }
    Ok(y)
}
// ANCHOR_END: matrix_product

/// 由两个角各自的正弦和余弦，算出两角之和的（正弦，余弦）；角的单位：弧度。
///
/// 公式见 [`crate::sinusoidal::EQ_ANGLE_SIN`] 与 [`crate::sinusoidal::EQ_ANGLE_COS`]。
pub fn angle_sum(alpha: f64, beta: f64) -> (f64, f64) {
    let (sin_a, cos_a) = alpha.sin_cos();
    let (sin_b, cos_b) = beta.sin_cos();
    (sin_a * cos_b + cos_a * sin_b, cos_a * cos_b - sin_a * sin_b)
}

/// 把平面上的点逆时针转 `alpha` 弧度。
pub fn turn((x, y): (f64, f64), alpha: f64) -> (f64, f64) {
    let (sin, cos) = alpha.sin_cos();
    (x * cos - y * sin, x * sin + y * cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use ndarray::{arr2, aview1};

    #[test]
    fn products_follow_the_definition() {
        let x = arr2(&[[2.0, 3.0, -1.0], [0.5, -4.0, 7.0]]);
        let w = arr2(&[[1.0, 5.0], [2.0, 4.0], [-3.0, 0.25]]);
        let y = matrix_product(x.view(), w.view()).expect("形状合适");
        assert_eq!(y, arr2(&[[11.0, 21.75], [-28.5, -11.75]]));
        for ((n, j), &cell) in y.indexed_iter() {
            let product = dot_product(x.row(n), w.column(j)).expect("等长");
            assert_eq!(cell, product);
        }
    }

    #[test]
    fn an_offset_is_key_minus_query() {
        assert_eq!([offset(5, 3), offset(3, 5), offset(4, 4)], [-2, 2, 0]);
        assert_eq!(offset(1, i64::MIN), i64::MIN);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        let wrong = Err(Error::Shape {
            name: "right",
            expected: 2,
            found: 1,
        });
        assert_eq!(dot_product(aview1(&[1.0, 2.0]), aview1(&[1.0])), wrong);
        let x = arr2(&[[1.0, 2.0, 3.0]]);
        let w = arr2(&[[1.0], [2.0]]);
        let wrong = Err(Error::Shape {
            name: "w",
            expected: 3,
            found: 2,
        });
        assert_eq!(matrix_product(x.view(), w.view()), wrong);
    }

    #[test]
    fn angles_add_and_turning_is_counter_clockwise() {
        for (alpha, beta) in [(0.5, 0.3), (-2.0, 7.5), (100.0, -0.25)] {
            let (sin, cos) = angle_sum(alpha, beta);
            assert!((sin - f64::sin(alpha + beta)).abs() < 1e-14);
            assert!((cos - f64::cos(alpha + beta)).abs() < 1e-14);
            let twice = turn(turn((3.0, 4.0), alpha), beta);
            let once = turn((3.0, 4.0), alpha + beta);
            assert!(
                (twice.0 - once.0).abs() < 1e-14 && (twice.1 - once.1).abs() < 1e-14
            );
            assert!((once.0.hypot(once.1) - 5.0).abs() < 1e-14);
        }
        let (x, y) = turn((1.0, 0.0), std::f64::consts::FRAC_PI_2);
        assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15);
    }
}
