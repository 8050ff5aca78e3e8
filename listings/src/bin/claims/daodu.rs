use crate::{Claim, calc, ensure, values};
use posenc::sinusoidal::{ColumnLayout, sinusoidal_table};

pub fn claims() -> Vec<Claim> {
    vec![calc("daodu-01", || {
        let width = 512;
        let table = sinusoidal_table(2000, width, 10000.0, ColumnLayout::Interleaved)?;
        let squares = table.rows().into_iter().map(|row| row.dot(&row));
        let (low, high) = squares
            .fold((f64::INFINITY, 0.0_f64), |(low, high), square| {
                (low.min(square), high.max(square))
            });
        ensure(high - low < 1e-9, "每一行应当一样长")?;
        values![width, high]
    })]
}
