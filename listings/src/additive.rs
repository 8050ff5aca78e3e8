//! 加法编码进了注意力以后：缩放、四项展开、位置对位置的分数。

use crate::error::{Result, at_least, finite_positive, same_size};
use ndarray::{Array1, ArrayView1, ArrayView2};

/// 送进第一层的向量：嵌入先乘宽度的平方根，再加编码（Vaswani 2017 第三章第四、五节）。
pub const EQ_EMBED: &str = r"\mathbf x_n = \sqrt{d}\,\mathbf e_n + \mathbf p_n";
/// 查询与键的两个矩阵在分数里合成一个。
pub const EQ_BILINEAR: &str = r"W = W_Q W_K^\top";
/// 分数的四项：内容对内容、内容对位置、位置对内容、位置对位置（Dai 2019 第三章第三节）。
pub const EQ_FOUR_TERMS: &str = r"\begin{aligned} & (\mathbf c_m + \mathbf p_m)^\top W\,(\mathbf c_n + \mathbf p_n) \\ &\qquad = \mathbf c_m^\top W\,\mathbf c_n + \mathbf c_m^\top W\,\mathbf p_n \\ &\qquad + \mathbf p_m^\top W\,\mathbf c_n + \mathbf p_m^\top W\,\mathbf p_n \end{aligned}";
/// 两个位置一起平移时，位置项里的 `W` 被夹在两个平移矩阵中间。
pub const EQ_TRANSPORT: &str = r"\mathbf p_{m+t}^\top W\,\mathbf p_{n+t} = \mathbf p_m^\top \left( M_t^\top W M_t \right) \mathbf p_n";

// ANCHOR: embed
/// 送进第一层的向量 `√width · e + p`；两个输入的形状都是 `(width,)`。
///
/// # Errors
/// 宽度为零，或两边不等宽。
pub fn embed(
    embedding: ArrayView1<f64>,
    encoding: ArrayView1<f64>,
) -> Result<Array1<f64>> {
    let width = at_least("width", embedding.len(), 1)?;
    same_size("encoding", width, encoding.len())?;
    Ok(&embedding * (width as f64).sqrt() + encoding)
}
// ANCHOR_END: embed

// ANCHOR: bilinear
/// 未缩放的分数 `xᵀ W y`；`w` 的形状是 `(x 的宽度, y 的宽度)`。
///
/// # Errors
/// 形状对不上。
pub fn bilinear(
    x: ArrayView1<f64>,
    w: ArrayView2<f64>,
    y: ArrayView1<f64>,
) -> Result<f64> {
    same_size("W 的行", x.len(), w.nrows())?;
    same_size("W 的列", y.len(), w.ncols())?;
    Ok(x.dot(&w.dot(&y)))
}

/// 分数 `(c_m + p_m)ᵀ W (c_n + p_n)` 的四项，次序：内容内容、内容位置、位置内容、位置位置。
///
/// # Errors
/// 形状对不上。
pub fn four_terms(
    [content_m, position_m]: [ArrayView1<f64>; 2],
    w: ArrayView2<f64>,
    [content_n, position_n]: [ArrayView1<f64>; 2],
) -> Result<[f64; 4]> {
    Ok([
        bilinear(content_m, w, content_n)?,
        bilinear(content_m, w, position_n)?,
        bilinear(position_m, w, content_n)?,
        bilinear(position_m, w, position_n)?,
    ])
}
// ANCHOR_END: bilinear

/// 位置对位置的分数 `p_nᵀ W p_{n+Δ}`：`queries` 与 `keys` 同一行的两个位置配成一对。
///
/// # Errors
/// 行数不同，或形状对不上。
pub fn position_scores(
    queries: ArrayView2<f64>,
    w: ArrayView2<f64>,
    keys: ArrayView2<f64>,
) -> Result<Array1<f64>> {
    same_size("keys", queries.nrows(), keys.nrows())?;
    queries
        .rows()
        .into_iter()
        .zip(keys.rows())
        .map(|(query, key)| bilinear(query, w, key))
        .collect::<Result<Vec<f64>>>()
        .map(Array1::from_vec)
}

/// 平均值和标准差（除以个数）。
///
/// # Errors
/// 没有数，或者有 NaN、无穷。
pub fn mean_and_spread(values: ArrayView1<f64>) -> Result<(f64, f64)> {
    let count = at_least("values", values.len(), 1)? as f64;
    let mean = values.sum() / count;
    let variance = values.mapv(|value| (value - mean).powi(2)).sum() / count;
    finite_positive("1 + variance", 1.0 + variance)?;
    Ok((mean, variance.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequency::frequencies;
    use crate::rng::LegacyRandom;
    use crate::sinusoidal::{
        ColumnLayout, kernel, rows_at, shift_matrix, sinusoidal_table,
    };
    use approx::assert_abs_diff_eq;
    use ndarray::{Array2, array, s};

    #[test]
    fn embed_scales_only_the_embedding() {
        let x = embed(
            array![1.0, -2.0, 0.0, 3.0].view(),
            Array1::from_elem(4, 0.5).view(),
        );
        assert_eq!(x.unwrap(), array![2.5, -3.5, 0.5, 6.5]);
        assert!(embed(array![1.0].view(), array![1.0, 2.0].view()).is_err());
        let none = Array1::zeros(0);
        assert!(embed(none.view(), none.view()).is_err());
    }

    #[test]
    fn bilinear_is_the_double_sum() {
        let w = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let (x, y) = (array![1.0, 10.0], array![1.0, 0.0, -1.0]);
        // 1·(1 − 3) + 10·(4 − 6)
        assert_eq!(bilinear(x.view(), w.view(), y.view()).unwrap(), -22.0);
        assert!(bilinear(y.view(), w.view(), y.view()).is_err());
        assert!(bilinear(x.view(), w.view(), x.view()).is_err());
    }

    #[test]
    fn four_terms_add_up_and_keep_their_order() {
        let w = array![[1.0, 2.0], [0.0, 3.0]];
        let (cm, pm) = (array![1.0, 0.0], array![0.0, 1.0]);
        let (cn, pn) = (array![1.0, 1.0], array![0.0, 5.0]);
        let terms =
            four_terms([cm.view(), pm.view()], w.view(), [cn.view(), pn.view()]);
        assert_eq!(terms.unwrap(), [3.0, 10.0, 3.0, 15.0]);
        let whole = bilinear((&cm + &pm).view(), w.view(), (&cn + &pn).view());
        assert_eq!(whole.unwrap(), 31.0);
    }

    #[test]
    fn the_identity_gives_the_kernel_and_a_random_matrix_does_not() {
        let rows =
            sinusoidal_table(40, 16, 10000.0, ColumnLayout::Interleaved).unwrap();
        let (queries, keys) = (rows.slice(s![..35, ..]), rows.slice(s![5.., ..]));
        let eye = Array2::eye(16);
        let theta = frequencies(16, 10000.0).unwrap();
        let flat = position_scores(queries, eye.view(), keys).unwrap();
        for &score in &flat {
            assert_abs_diff_eq!(score, kernel(theta.view(), 5), epsilon = 1e-12);
        }
        let w = LegacyRandom::new(1).normal_matrix(16, 16);
        let bumpy = position_scores(queries, w.view(), keys).unwrap();
        assert!(mean_and_spread(bumpy.view()).unwrap().1 > 1.0);
        assert!(position_scores(queries, w.view(), rows.view()).is_err());
    }

    #[test]
    fn shifting_both_positions_conjugates_w() {
        let theta = frequencies(8, 10000.0).unwrap();
        let at = |position: f64| {
            let one = array![position];
            rows_at(one.view(), theta.view(), ColumnLayout::Interleaved)
                .unwrap()
                .row(0)
                .to_owned()
        };
        let w = LegacyRandom::new(5).normal_matrix(8, 8);
        let shift = shift_matrix(8, 10000.0, 6).unwrap();
        let inner = shift.t().dot(&w).dot(&shift);
        let moved = bilinear(at(9.0).view(), w.view(), at(13.0).view()).unwrap();
        let kept = bilinear(at(3.0).view(), inner.view(), at(7.0).view()).unwrap();
        assert_abs_diff_eq!(moved, kept, epsilon = 1e-12);
    }

    #[test]
    fn mean_and_spread_of_four_numbers() {
        let (mean, spread) =
            mean_and_spread(array![1.0, 3.0, 5.0, 7.0].view()).unwrap();
        assert_abs_diff_eq!(mean, 4.0, epsilon = 1e-15);
        assert_abs_diff_eq!(spread, 5.0_f64.sqrt(), epsilon = 1e-15);
        assert_eq!(mean_and_spread(array![2.0].view()).unwrap(), (2.0, 0.0));
        assert!(mean_and_spread(Array1::zeros(0).view()).is_err());
        assert!(mean_and_spread(array![1.0, f64::NAN].view()).is_err());
    }
}
