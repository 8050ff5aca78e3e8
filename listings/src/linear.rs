//! 最小二乘：一组列向量的线性组合，最好能多接近另一组。

use crate::error::{Error, Result, at_least, finite_positive, same_size};
use ndarray::{Array1, Array2, ArrayView2, Axis};

// ANCHOR: residual
/// 用 `inputs` 的列的线性组合去凑 `targets` 的每一列，返回凑完剩下的部分（形状同 `targets`）。
///
/// 先把 `inputs` 的列变成互相垂直的单位向量（每列减两遍，免得舍入误差混进来），
/// 再从 `targets` 里减掉沿它们的分量：剩下的就是最小二乘的残差。
///
/// # Errors
/// 行数不同；没有行；`inputs` 的某一列是前面各列的线性组合。
pub fn residual(
    inputs: ArrayView2<f64>,
    targets: ArrayView2<f64>,
) -> Result<Array2<f64>> {
    at_least("rows", inputs.nrows(), 1)?;
    same_size("rows", inputs.nrows(), targets.nrows())?;
    let mut basis: Vec<Array1<f64>> = Vec::new();
    for column in inputs.columns() {
        let mut rest = column.to_owned();
        for unit in basis.iter().chain(&basis) {
            let along = unit.dot(&rest);
            rest.scaled_add(-along, unit);
        }
        let left = rest.dot(&rest).sqrt();
        if left.is_nan() || left <= 1e-10 * column.dot(&column).sqrt() {
            return Err(Error::BadNumber {
                name: "column",
                value: left,
                rule: "每一列都要有前面各列凑不出来的部分",
            });
        }
        basis.push(rest / left);
    }
    let mut rest = targets.to_owned();
    for mut column in rest.axis_iter_mut(Axis(1)) {
        for unit in &basis {
            let along = unit.dot(&column);
            column.scaled_add(-along, unit);
        }
    }
    Ok(rest)
}
// ANCHOR_END: residual

/// 所有元素的均方根。
///
/// # Errors
/// 没有元素。
pub fn root_mean_square(values: ArrayView2<f64>) -> Result<f64> {
    let count = at_least("values", values.len(), 1)?;
    let sum: f64 = values.iter().map(|value| value * value).sum();
    Ok((sum / count as f64).sqrt())
}

/// 奇异值，从大到小：矩阵的各行沿多少个方向铺开、每个方向上铺多远（单边 Jacobi 法）。
///
/// 反复旋转每两行，直到所有的行互相垂直；那时各行的长度就是奇异值。
///
/// # Errors
/// 没有行；有 NaN 或无穷；二十轮以后行与行还不垂直。
pub fn singular_values(matrix: ArrayView2<f64>) -> Result<Vec<f64>> {
    at_least("rows", matrix.nrows(), 1)?;
    let mut rows: Vec<Array1<f64>> = matrix
        .rows()
        .into_iter()
        .map(|row| row.to_owned())
        .collect();
    for _ in 0..20 {
        let mut turned = false;
        for i in 0..rows.len() {
            for j in i + 1..rows.len() {
                let [a, b] = [rows[i].dot(&rows[i]), rows[j].dot(&rows[j])];
                let ab = rows[i].dot(&rows[j]);
                if ab.abs() <= 1e-13 * (a * b).sqrt() {
                    continue;
                }
                turned = true;
                let (sin, cos) = (0.5 * (2.0 * ab).atan2(a - b)).sin_cos();
                let first = &rows[i] * cos + &rows[j] * sin;
                let second = &rows[j] * cos - &rows[i] * sin;
                (rows[i], rows[j]) = (first, second);
            }
        }
        if !turned {
            let mut lengths: Vec<f64> =
                rows.iter().map(|row| row.dot(row).sqrt()).collect();
            lengths.sort_by(|a, b| b.total_cmp(a));
            return Ok(lengths);
        }
    }
    Err(Error::BadData(
        "奇异值没有收敛：检查有没有 NaN 或无穷".into(),
    ))
}

/// 要多少个方向，才占到长度平方总和的 `share`；`singular` 从大到小。
///
/// # Errors
/// 没有奇异值，或者它们全是零。
pub fn directions_for(singular: &[f64], share: f64) -> Result<usize> {
    let total: f64 = singular.iter().map(|value| value * value).sum();
    finite_positive("total", total)?;
    let mut sum = 0.0;
    let short = singular.iter().take_while(|&&value| {
        sum += value * value;
        sum < share * total
    });
    Ok((short.count() + 1).min(singular.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;
    use ndarray::array;

    #[test]
    fn residual_of_a_line_fit() {
        // 用 1 和 x 凑 y = x²，x = 0, 1, 2：最好的直线是 2x − 1/3，剩下 1/3, −2/3, 1/3。
        let inputs = array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]];
        let targets = array![[0.0], [1.0], [4.0]];
        let rest = residual(inputs.view(), targets.view()).unwrap();
        for (value, wanted) in rest.iter().zip([1.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0]) {
            assert_abs_diff_eq!(*value, wanted, epsilon = 1e-14);
        }
        assert_abs_diff_eq!(
            root_mean_square(rest.view()).unwrap(),
            2.0_f64.sqrt() / 3.0,
            epsilon = 1e-14
        );
    }

    #[test]
    fn residual_is_perpendicular_to_nearly_parallel_columns() {
        let inputs = array![[1.0, 1.0], [1.0, 1.0 + 1e-6], [1.0, 1.0]];
        let targets = array![[1.0, 0.0], [2.0, 5.0], [4.0, 1.0]];
        let rest = residual(inputs.view(), targets.view()).unwrap();
        for product in inputs.t().dot(&rest) {
            assert_abs_diff_eq!(product, 0.0, epsilon = 1e-12);
        }
    }

    #[test]
    fn small_columns_are_still_independent() {
        let inputs = array![[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]] * 1e-6;
        let targets = array![[2.0], [3.0], [4.0]];
        let rest = residual(inputs.view(), targets.view()).unwrap();
        for (value, wanted) in rest.iter().zip([0.0, 0.0, 4.0]) {
            assert_abs_diff_eq!(*value, wanted, epsilon = 1e-12);
        }
    }

    #[test]
    fn bad_shapes_are_refused() {
        let two = array![[1.0], [2.0]];
        let three = array![[1.0], [2.0], [3.0]];
        assert!(residual(two.view(), three.view()).is_err());
        let parallel = array![[1.0, 2.0], [2.0, 4.0]];
        assert!(residual(parallel.view(), two.view()).is_err());
        assert!(residual(array![[f64::NAN], [1.0]].view(), two.view()).is_err());
        let zero = array![[0.0], [0.0]];
        assert!(residual(zero.view(), two.view()).is_err());
        let empty = Array2::<f64>::zeros((0, 1));
        assert!(residual(empty.view(), empty.view()).is_err());
        assert!(root_mean_square(empty.view()).is_err());
    }

    #[test]
    fn singular_values_of_known_matrices() {
        let diagonal = array![[0.0, 3.0], [-4.0, 0.0]];
        let values = singular_values(diagonal.view()).unwrap();
        assert_abs_diff_eq!(values[0], 4.0, epsilon = 1e-14);
        assert_abs_diff_eq!(values[1], 3.0, epsilon = 1e-14);
        // [[3, 0], [4, 5]] 的奇异值是 3√5 与 √5。
        let values = singular_values(array![[3.0, 0.0], [4.0, 5.0]].view()).unwrap();
        assert_abs_diff_eq!(values[0], 3.0 * 5.0_f64.sqrt(), epsilon = 1e-13);
        assert_abs_diff_eq!(values[1], 5.0_f64.sqrt(), epsilon = 1e-13);
        // 放大一千亿倍，奇异值也放大一千亿倍。
        let large = array![[3.0, 0.0], [4.0, 5.0]] * 1e11;
        let values = singular_values(large.view()).unwrap();
        assert_abs_diff_eq!(values[0] / 1e11, 3.0 * 5.0_f64.sqrt(), epsilon = 1e-13);
        let same = array![[1.0, 2.0, 2.0], [1.0, 2.0, 2.0], [2.0, 4.0, 4.0]];
        let values = singular_values(same.view()).unwrap();
        assert_abs_diff_eq!(values[0], 54.0_f64.sqrt(), epsilon = 1e-13);
        assert!(values[1] < 1e-12 && values[2] < 1e-12);
        assert!(singular_values(array![[f64::NAN], [1.0]].view()).is_err());
        assert!(singular_values(Array2::zeros((0, 2)).view()).is_err());
    }

    #[test]
    fn twenty_rounds_are_plenty() {
        let layout = crate::sinusoidal::ColumnLayout::SinCos;
        let table = crate::sinusoidal::sinusoidal_table(50, 512, 10000.0, layout);
        let singular = singular_values(table.unwrap().view()).unwrap();
        // 各行长度的平方都是 256。
        let total: f64 = singular.iter().map(|value| value * value).sum();
        assert_abs_diff_eq!(total, 50.0 * 256.0, epsilon = 1e-8);
        assert_eq!(directions_for(&singular, 0.99).unwrap(), 16);
        let large = |value: &&f64| **value > 1e-10 * singular[0];
        assert_eq!(singular.iter().filter(large).count(), 31);
    }

    #[test]
    fn directions_are_counted_from_the_largest() {
        // 平方是 16、9、0：前一个占 0.64，前两个占全部。
        let singular = [4.0, 3.0, 0.0];
        assert_eq!(directions_for(&singular, 0.5).unwrap(), 1);
        assert_eq!(directions_for(&singular, 0.64).unwrap(), 1);
        assert_eq!(directions_for(&singular, 0.65).unwrap(), 2);
        assert_eq!(directions_for(&singular, 1.0).unwrap(), 2);
        assert_eq!(directions_for(&singular, 2.0).unwrap(), 3);
        assert!(directions_for(&[0.0], 0.5).is_err());
        assert!(directions_for(&[], 0.5).is_err());
    }
}
