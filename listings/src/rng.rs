//! NumPy 的旧式随机流：`np.random.seed(整数)` 之后的 `randn`。
//!
//! 底层是 MT19937（[`rand_mt::Mt`]），正态数用极坐标法，每次算出两个、存下一个
//! （numpy `legacy-distributions.c`，`legacy_gauss`）。
//!
//! ```
//! let mut random = posenc::rng::LegacyRandom::new(42);
//! assert_eq!(format!("{:.8}", random.normal()), "0.49671415");
//! ```

use crate::error::{Result, at_least, room};
use ndarray::Array2;
use rand_mt::Mt;

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

impl LegacyRandom {
    /// `np.random.RandomState([...])`：用一列整数做种子，与单个整数是两条不同的流。
    ///
    /// # Errors
    /// 列表为空。
    pub fn from_key(key: &[u32]) -> Result<Self> {
        at_least("key", key.len(), 1)?;
        Ok(Self {
            twister: Mt::new_with_key(key.iter().copied()),
            cached: None,
        })
    }

    /// `_bit_generator.random_raw()`：下一个 32 位字。
    pub fn raw(&mut self) -> u32 {
        self.twister.next_u32()
    }

    /// `np.random.seed(seed)` 再来一次：流从头开始，存下的那个数作废。
    pub fn reseed(&mut self, seed: u32) {
        *self = Self::new(seed);
    }

    /// 与 [`LegacyRandom::normal_matrix`] 相同，但先问内存放不放得下。
    ///
    /// # Errors
    /// `rows × columns` 个数放不进内存；出错时流没有前进。
    pub fn try_normal_matrix(
        &mut self,
        rows: usize,
        columns: usize,
    ) -> Result<Array2<f64>> {
        room(rows, columns)?;
        Ok(self.normal_matrix(rows, columns))
    }

    /// `randn(rows, columns)`：按行填满，形状 `(rows, columns)`。
    ///
    /// # Panics
    /// `rows × columns` 放不进内存；尺寸来自外部数据时用 [`LegacyRandom::try_normal_matrix`]。
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn words_and_uniforms() {
        let mut random = LegacyRandom::new(42);
        assert_eq!(random.raw(), 1_608_637_542);
        assert_eq!(random.raw(), 3_421_126_067);
        random.reseed(42);
        assert_eq!(random.uniform(), 0.374_540_118_847_362_5);
        assert_eq!(random.uniform(), 0.950_714_306_409_916_2);
    }

    /// 极坐标法逐字翻译：`f·x2` 在前，`f·x1` 留给下次；种子清掉留下的数。
    #[test]
    fn normals_come_in_pairs() {
        let mut random = LegacyRandom::new(42);
        let mut uniform = LegacyRandom::new(42);
        for _ in 0..1000 {
            let (x1, x2, r2) = loop {
                let x1 = 2.0 * uniform.uniform() - 1.0;
                let x2 = 2.0 * uniform.uniform() - 1.0;
                let r2 = x1.powi(2) + x2.powi(2);
                if 0.0 < r2 && r2 < 1.0 {
                    break (x1, x2, r2);
                }
            };
            let f = (-2.0 * r2.ln() / r2).sqrt();
            assert_eq!(random.normal(), f * x2);
            assert_eq!(random.normal(), f * x1);
        }
        random.normal();
        assert!(random.cached.is_some());
        random.reseed(42);
        assert_eq!(random.cached, None);
    }

    #[test]
    fn the_cached_value_survives_a_uniform() {
        let mut random = LegacyRandom::new(42);
        let mut plain = LegacyRandom::new(42);
        let first = [random.normal(), plain.normal()];
        assert_eq!(first[0], first[1]);
        random.uniform();
        assert_eq!(random.normal(), plain.normal());
    }

    #[test]
    fn a_list_is_another_stream() -> Result<()> {
        let mut random = LegacyRandom::from_key(&[42])?;
        assert_eq!(random.raw(), 2_746_317_213);
        assert_eq!(
            LegacyRandom::from_key(&[]).unwrap_err(),
            Error::TooSmall {
                name: "key",
                value: 0,
                min: 1
            }
        );
        Ok(())
    }

    #[test]
    fn matrices_fill_row_by_row() -> Result<()> {
        let mut random = LegacyRandom::new(7);
        let matrix = random.try_normal_matrix(2, 3)?;
        let mut one = LegacyRandom::new(7);
        for &value in &matrix {
            assert_eq!(value, one.normal());
        }
        let next = one.normal();
        let huge = random.try_normal_matrix(usize::MAX, 2);
        assert!(matches!(huge, Err(Error::OutOfMemory { .. })));
        assert_eq!(random.normal(), next);
        Ok(())
    }

    #[test]
    fn debug_shows_what_is_kept() {
        let mut random = LegacyRandom::new(42);
        assert_eq!(format!("{random:?}"), "LegacyRandom { cached: None, .. }");
        random.normal();
        assert!(format!("{random:?}").starts_with("LegacyRandom { cached: Some("));
    }
}
