//! NumPy 的旧式随机流：`np.random.seed(整数)` 之后的 `randn`。
//!
//! 底层是 MT19937（[`rand_mt::Mt`]），正态数用极坐标法，每次算出两个、存下一个
//! （numpy `legacy-distributions.c`，`legacy_gauss`）。

use crate::error::{Error, Result};
use ndarray::Array2;
use rand_mt::Mt;

// ANCHOR: legacy
/// 与 `np.random.seed(seed)` 之后的全局随机流逐位相同。
pub struct LegacyRandom {
    twister: Mt,
    cached: Option<f64>,
}

impl LegacyRandom {
    /// `np.random.seed(seed)`。
    pub fn new(seed: u32) -> Self {
        Self {
            twister: Mt::new(seed),
            cached: None,
        }
    }

    /// `random_sample()`：`[0, 1)` 上的均匀数，用两个 32 位字拼出 53 位。
    pub fn uniform(&mut self) -> f64 {
        let high = f64::from(self.twister.next_u32() >> 5);
        let low = f64::from(self.twister.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    /// `randn()`：标准正态数（Marsaglia 极坐标法），一次得到两个，另一个留给下次。
    pub fn normal(&mut self) -> f64 {
        if let Some(value) = self.cached.take() {
            return value;
        }
        loop {
            let x1 = 2.0 * self.uniform() - 1.0;
            let x2 = 2.0 * self.uniform() - 1.0;
            let r2 = x1 * x1 + x2 * x2;
            if r2 < 1.0 && r2 != 0.0 {
                let scale = (-2.0 * r2.ln() / r2).sqrt();
                self.cached = Some(scale * x1);
                return scale * x2;
            }
        }
    }
}
// ANCHOR_END: legacy

impl LegacyRandom {
    /// `np.random.RandomState([...])`：用一列整数做种子，与单个整数是两条不同的流。
    ///
    /// # Errors
    /// 列表为空。
    pub fn from_key(key: &[u32]) -> Result<Self> {
        if key.is_empty() {
            return Err(Error::TooSmall {
                name: "key",
                value: 0,
                min: 1,
            });
        }
        Ok(Self {
            twister: Mt::new_with_key(key.iter().copied()),
            cached: None,
        })
    }

    /// `_bit_generator.random_raw()`：下一个 32 位字。
    pub fn raw(&mut self) -> u32 {
        self.twister.next_u32()
    }

    /// `randn(rows, columns)`：按行填满，形状 `(rows, columns)`。
    pub fn normal_matrix(&mut self, rows: usize, columns: usize) -> Array2<f64> {
        Array2::from_shape_simple_fn((rows, columns), || self.normal())
    }
}

impl std::fmt::Debug for LegacyRandom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LegacyRandom")
            .field("cached", &self.cached)
            .finish_non_exhaustive()
    }
}
