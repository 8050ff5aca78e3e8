//! 频率表：全书只有这一处计算频率。
//!
//! 频率的单位是“弧度每位置”，波长的单位是“位置”。`i` 是对的编号，不是列号。
//!
//! ```
//! use posenc::frequency::{endpoint_frequencies, frequencies};
//! let theta = frequencies(8, 10000.0)?;
//! assert!((theta[1] - 0.1).abs() < 1e-15);
//! let other = endpoint_frequencies(8, 10000.0)?;
//! assert!((other[3] - 0.0001).abs() < 1e-18);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::error::{Error, Result, at_least, finite, finite_positive, room};
use ndarray::{Array1, ArrayView1};

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
/// `width` 为零、奇数或大得放不下；`base` 不是大于 1 的有限数。
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
    shifted_frequencies(width, base, 1.0)
}

/// 分母带平移的频率表 `θ_i = base^(−i/(width/2−shift))`，形状 `(width/2,)`。
///
/// `shift = 0` 就是论文的规则，`shift = 1` 是 tensor2tensor 的规则
/// （diffusers `get_timestep_embedding` 的 `downscale_freq_shift`）。
///
/// # Errors
/// `width` 为零或奇数；`shift` 不是有限数，或不小于 `width/2`（分母不再是正数）；
/// `base` 不是大于 1 的有限数。
pub fn shifted_frequencies(width: usize, base: f64, shift: f64) -> Result<Array1<f64>> {
    check_width("width", width)?;
    check_base(base)?;
    finite("shift", shift)?;
    let pairs = width / 2;
    let denominator = pairs as f64 - shift;
    if denominator <= 0.0 {
        return Err(Error::BadNumber {
            name: "shift",
            value: shift,
            rule: "必须小于宽度的一半，否则指数的分母不是正数",
        });
    }
    Ok(Array1::from_shape_fn(pairs, |i| {
        base.powf(-(i as f64) / denominator)
    }))
}

// ANCHOR: wavelengths
/// 波长 `λ_i = 2π/θ_i`，形状与频率表相同，单位：位置。
///
/// # Errors
/// 某个频率不是有限的正数。
pub fn wavelengths(frequencies: &Array1<f64>) -> Result<Array1<f64>> {
    check_frequencies(frequencies.view())?;
    Ok(frequencies.mapv(|theta| std::f64::consts::TAU / theta))
}
// ANCHOR_END: wavelengths

/// 线性插值：每个频率除以 `factor`，等于把位置除以 `factor`（Chen 2023，arXiv:2306.15595）。
///
/// # Errors
/// `factor` 不是有限的正数；某个频率不是有限的正数。
pub fn interpolated(frequencies: ArrayView1<f64>, factor: f64) -> Result<Array1<f64>> {
    finite_positive("factor", factor)?;
    check_frequencies(frequencies)?;
    Ok(frequencies.mapv(|theta| theta / factor))
}

/// 换基数（NTK-aware）：`base · factor^(width/(width−2))`，最快的一对不变，最慢的一对慢 `factor` 倍。
///
/// # Errors
/// `width` 是奇数或小于 4（指数的分母会是零）；`base` 不是大于 1 的有限数；`factor` 不是有限的
/// 正数；结果不再是大于 1 的有限数。
pub fn ntk_base(width: usize, base: f64, factor: f64) -> Result<f64> {
    check_width("width", width)?;
    at_least("width", width, 4)?;
    check_base(base)?;
    finite_positive("factor", factor)?;
    let width = width as f64;
    check_base(base * factor.powf(width / (width - 2.0)))
}

/// 基数必须是大于 1 的有限数：等于 1 时所有的对同频，小于 1 时频率反而上升。
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

/// 宽度必须是正的偶数，而且一行放得进内存。
pub(crate) fn check_width(name: &'static str, width: usize) -> Result<usize> {
    at_least(name, width, 2)?;
    room(1, width)?;
    if width.is_multiple_of(2) {
        Ok(width)
    } else {
        Err(Error::OddWidth { name, value: width })
    }
}

/// 频率必须都是有限的正数。
pub(crate) fn check_frequencies(frequencies: ArrayView1<f64>) -> Result<()> {
    for &theta in frequencies {
        finite_positive("frequency", theta)?;
    }
    Ok(())
}

/// 最长的波长：最后一对的。
pub const EQ_LONGEST_WAVELENGTH: &str = r"\lambda_{d/2-1} = 2\pi\, b^{(d-2)/d}";

/// 最长的波长 `2π·base^((width−2)/width)`，单位：位置。
///
/// # Errors
/// 与 [`frequencies`] 相同。
pub fn longest_wavelength(width: usize, base: f64) -> Result<f64> {
    check_width("width", width)?;
    check_base(base)?;
    let exponent = (width - 2) as f64 / width as f64;
    Ok(std::f64::consts::TAU * base.powf(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn close(found: &Array1<f64>, expected: &[f64], digits: f64) {
        assert_eq!(found.len(), expected.len());
        for (&a, &b) in found.iter().zip(expected) {
            assert_relative_eq!(a, b, epsilon = 0.0, max_relative = digits);
        }
    }

    /// 公式的逐字翻译：`b` 的 `−2i/d` 次方，写成 `exp` 和 `ln`。
    #[test]
    fn transcribes_the_formula() -> Result<()> {
        for (d, b) in [
            (2, 10000.0),
            (8, 10000.0),
            (16, 500000.0),
            (128, 1e6),
            (6, 2.0),
        ] {
            let literal: Vec<f64> = (0..d / 2)
                .map(|i| (-(2 * i) as f64 / d as f64 * f64::ln(b)).exp())
                .collect();
            close(&frequencies(d as usize, b)?, &literal, 4e-15);
        }
        Ok(())
    }

    #[test]
    fn two_rules_with_one_name() -> Result<()> {
        let paper = frequencies(8, 10000.0)?;
        close(&paper, &[1.0, 0.1, 0.01, 0.001], 1e-15);
        let other = endpoint_frequencies(8, 10000.0)?;
        close(&other, &[1.0, 0.046415888336, 0.00215443469, 0.0001], 1e-9);
        let last = |theta| Ok::<f64, Error>(wavelengths(&theta)?[3]);
        assert_relative_eq!(last(paper)?, 6283.19, epsilon = 0.005, max_relative = 0.0);
        assert_relative_eq!(
            last(other)?,
            62831.85,
            epsilon = 0.005,
            max_relative = 0.0
        );
        close(&endpoint_frequencies(4, 10000.0)?, &[1.0, 0.0001], 1e-15);
        Ok(())
    }

    #[test]
    fn shift_zero_is_the_paper_and_shift_one_the_endpoint() -> Result<()> {
        let paper = frequencies(10, 100.0)?.to_vec();
        close(&shifted_frequencies(10, 100.0, 0.0)?, &paper, 1e-15);
        let endpoint = endpoint_frequencies(10, 100.0)?.to_vec();
        close(&shifted_frequencies(10, 100.0, 1.0)?, &endpoint, 1e-15);
        let half = shifted_frequencies(4, 100.0, 0.5)?;
        close(&half, &[1.0, 100f64.powf(-1.0 / 1.5)], 1e-15);
        close(&shifted_frequencies(2, 100.0, -1.0)?, &[1.0], 1e-15);
        Ok(())
    }

    #[test]
    fn slowest_waves() -> Result<()> {
        for (d, slowest) in [(64, 47117.24), (128, 54410.14), (512, 60611.48)] {
            let lambda = wavelengths(&frequencies(d, 10000.0)?)?;
            let last = lambda[d / 2 - 1];
            assert_relative_eq!(last, slowest, epsilon = 0.005, max_relative = 0.0);
            assert_relative_eq!(
                lambda[0],
                std::f64::consts::TAU,
                epsilon = 0.0,
                max_relative = 1e-15
            );
        }
        for (b, slowest) in [(1e4, 1.154782e-4), (5e5, 2.455141e-6), (1e6, 1.240938e-6)]
        {
            let theta = frequencies(128, b)?;
            assert_relative_eq!(theta[63], slowest, epsilon = 0.0, max_relative = 5e-7);
        }
        Ok(())
    }

    #[test]
    fn scaling() -> Result<()> {
        let theta = frequencies(8, 10000.0)?;
        let slower = interpolated(theta.view(), 4.0)?;
        close(&slower, &[0.25, 0.025, 0.0025, 0.00025], 1e-15);
        assert_relative_eq!(
            (10.0 * slower[0]).cos(),
            -0.801144,
            epsilon = 5e-7,
            max_relative = 0.0
        );
        close(&interpolated(theta.view(), 1.0)?, &theta.to_vec(), 0.0);
        assert_eq!(ntk_base(8, 10000.0, 1.0)?, 10000.0);
        let grown = frequencies(8, ntk_base(8, 10000.0, 8.0)?)?;
        assert_eq!(grown[0], 1.0);
        assert_relative_eq!(grown[3], 0.001 / 8.0, epsilon = 0.0, max_relative = 1e-14);
        assert_relative_eq!(
            ntk_base(4, 100.0, 3.0)?,
            900.0,
            epsilon = 0.0,
            max_relative = 1e-14
        );
        Ok(())
    }

    #[test]
    fn widths_are_even_and_positive() {
        for width in [1, 3, 5, 65] {
            let odd = Error::OddWidth {
                name: "width",
                value: width,
            };
            let found = frequencies(width, 10000.0).unwrap_err();
            if width == 1 {
                assert!(matches!(found, Error::TooSmall { min: 2, .. }));
            } else {
                assert_eq!(found, odd);
                assert_eq!(endpoint_frequencies(width, 10000.0).unwrap_err(), odd);
                assert_eq!(shifted_frequencies(width, 10000.0, 0.0).unwrap_err(), odd);
                assert_eq!(ntk_base(width, 10000.0, 2.0).unwrap_err(), odd);
            }
        }
        assert!(matches!(
            frequencies(0, 10000.0),
            Err(Error::TooSmall {
                value: 0,
                min: 2,
                ..
            })
        ));
        for refused in [
            endpoint_frequencies(2, 10000.0).map(|_| 0.0),
            ntk_base(2, 10000.0, 2.0),
        ] {
            assert!(matches!(
                refused,
                Err(Error::TooSmall {
                    value: 2,
                    min: 4,
                    ..
                })
            ));
        }
        assert!(matches!(
            frequencies(usize::MAX - 1, 10000.0),
            Err(Error::OutOfMemory { .. })
        ));
        assert!(matches!(
            frequencies(1 << 53, 10000.0),
            Err(Error::OutOfMemory { .. })
        ));
    }

    #[test]
    fn numbers_are_finite() {
        let bad = |result: Result<f64>, wanted: &str| match result {
            Err(Error::BadNumber { name, .. }) => assert_eq!(name, wanted),
            other => panic!("{wanted}：{other:?}"),
        };
        for base in [1.0, 0.5, 0.0, -2.0, f64::NAN, f64::INFINITY] {
            bad(frequencies(4, base).map(|_| 0.0), "base");
            bad(endpoint_frequencies(4, base).map(|_| 0.0), "base");
            bad(ntk_base(4, base, 2.0), "base");
        }
        bad(ntk_base(4, 10000.0, 1e-6), "base");
        bad(ntk_base(4, 10000.0, 1e300), "base");
        for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            bad(ntk_base(4, 10000.0, factor), "factor");
            let one = ndarray::array![1.0];
            bad(interpolated(one.view(), factor).map(|_| 0.0), "factor");
        }
        for shift in [2.0, 3.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            bad(shifted_frequencies(4, 100.0, shift).map(|_| 0.0), "shift");
        }
        for theta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let theta = ndarray::array![1.0, theta];
            bad(wavelengths(&theta).map(|_| 0.0), "frequency");
            bad(interpolated(theta.view(), 2.0).map(|_| 0.0), "frequency");
        }
    }
}

#[cfg(test)]
mod longest {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn it_is_the_last_wavelength() {
        for (width, base) in [(2, 10000.0), (8, 10000.0), (512, 10000.0), (16, 7.0)] {
            let all = wavelengths(&frequencies(width, base).unwrap()).unwrap();
            let longest = longest_wavelength(width, base).unwrap();
            assert_relative_eq!(
                longest,
                all[width / 2 - 1],
                epsilon = 0.0,
                max_relative = 1e-12
            );
        }
        let eight = std::f64::consts::TAU * 1000.0;
        assert_relative_eq!(
            longest_wavelength(8, 10000.0).unwrap(),
            eight,
            epsilon = 0.0,
            max_relative = 1e-12
        );
        assert!(longest_wavelength(7, 10000.0).is_err());
        assert!(longest_wavelength(8, 1.0).is_err());
    }
}
