//! 频率表：全书只有这一处计算频率。
//!
//! 频率的单位是“弧度每位置”，波长的单位是“位置”。
//!
//! ```
//! let theta = posenc::frequency::frequencies(8, 10000.0)?;
//! assert!((theta[1] - 0.1).abs() < 1e-15);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Error, Result, at_least, finite_positive};
use ndarray::Array1;

/// 频率的定义（Vaswani 2017 第三章第五节；Su 2021 式 15）。
pub const EQ_FREQUENCY: &str = r"\theta_i = b^{-2i/d}, \qquad i = 0, 1, \dots, d/2-1";

/// 波长的定义：一对转满一圈要走多少个位置。
pub const EQ_WAVELENGTH: &str = r"\lambda_i = \frac{2\pi}{\theta_i} = 2\pi\, b^{2i/d}";

/// 另一条同名的规则：指数的分母是对数减一。
pub const EQ_ENDPOINT_FREQUENCY: &str = r"\theta_i = b^{-i/(d/2-1)}";

// ANCHOR: frequencies
/// 频率表 `θ_i = base^(−2i/width)`，形状 `(width/2,)`，单位：弧度每位置。
///
/// # Errors
/// `width` 为零或奇数；`base` 不是大于 1 的有限数。
pub fn frequencies(width: usize, base: f64) -> Result<Array1<f64>> {
    check_width("width", width)?;
    check_base(base)?;
    let pairs = width / 2;
    Ok(Array1::from_shape_fn(pairs, |i| {
        base.powf(-2.0 * i as f64 / width as f64)
    }))
}
// ANCHOR_END: frequencies

/// tensor2tensor 的频率表 `θ_i = base^(−i/(width/2−1))`，形状 `(width/2,)`：最后一个恰好是 `1/base`。
///
/// # Errors
/// `width` 是奇数或小于 4（分母会是零）；`base` 不是大于 1 的有限数。
pub fn endpoint_frequencies(width: usize, base: f64) -> Result<Array1<f64>> {
    check_width("width", width)?;
    at_least("width", width, 4)?;
    check_base(base)?;
    let pairs = width / 2;
    Ok(Array1::from_shape_fn(pairs, |i| {
        base.powf(-(i as f64) / (pairs - 1) as f64)
    }))
}

// ANCHOR: wavelengths
/// 波长 `λ_i = 2π/θ_i`，形状与频率表相同，单位：位置。
///
/// # Errors
/// 某个频率不是有限的正数。
pub fn wavelengths(frequencies: &Array1<f64>) -> Result<Array1<f64>> {
    for &theta in frequencies {
        finite_positive("frequency", theta)?;
    }
    Ok(frequencies.mapv(|theta| std::f64::consts::TAU / theta))
}
// ANCHOR_END: wavelengths

pub(crate) fn check_base(base: f64) -> Result<f64> {
    if base.is_finite() && base > 1.0 {
        Ok(base)
    } else {
        Err(Error::BadNumber {
            name: "base",
            value: base,
            rule: "基数必须是大于 1 的有限数",
        })
    }
}

pub(crate) fn check_width(name: &'static str, width: usize) -> Result<usize> {
    at_least(name, width, 2)?;
    if width.is_multiple_of(2) {
        Ok(width)
    } else {
        Err(Error::OddWidth { name, value: width })
    }
}
