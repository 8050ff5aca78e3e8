use crate::{Claim, below, bound, calc, ensure, proof, values, wrong};
use ndarray::aview1;
use posenc::attention::{Mask, SelfAttention, max_abs_diff};
use posenc::frequency::{frequencies, wavelengths};
use posenc::mixing::layer_weights;
use posenc::order::{equivariance_gap, invariance_gap, sentence};
use posenc::rotary::{PairLayout, rotate_vector};
use posenc::sinusoidal::distance;
use std::f64::consts::TAU;

/// 讲稿的头：种子 42，宽 6，头宽 3。
fn head() -> SelfAttention {
    SelfAttention::seeded(42, 6, 3)
}

pub fn claims() -> Vec<Claim> {
    vec![
        calc("errata-01", || {
            let (head, x) = (head(), sentence());
            values![invariance_gap(&head, x.view(), &[2, 1, 0], Mask::None)?]
        }),
        calc("errata-02", || {
            let (head, x) = (head(), sentence());
            values![equivariance_gap(&head, x.view(), &[2, 1, 0], Mask::Causal)?]
        }),
        wrong("errata-03", || values![TAU * 10000.0]),
        calc("errata-04", || {
            let lambda = wavelengths(&frequencies(512, 10000.0)?)?;
            values![512, lambda[255]]
        }),
        calc("errata-05", || {
            values![512, frequencies(512, 10000.0)?.len()]
        }),
        proof("errata-06", "sinusoidal#sinusoidal-unique", || {
            let mut sines: Vec<f64> = (0..10000).map(|n| f64::from(n).sin()).collect();
            sines.sort_by(f64::total_cmp);
            let apart = sines.windows(2).all(|pair| pair[1] > pair[0]);
            ensure(apart, "两个整数位置的正弦相等")?;
            values![]
        }),
        calc("errata-07", || {
            let theta = frequencies(512, 10000.0)?;
            let apart = |offset| distance(theta.view(), offset);
            values![512, 0, 62832, apart(62832), apart(1)]
        }),
        bound("errata-08", || {
            let x = aview1(&[1.0, 2.0, 3.0, 4.0]);
            let there = rotate_vector(x, 1000, 10000.0, PairLayout::Adjacent)?;
            let back =
                rotate_vector(there.view(), -1000, 10000.0, PairLayout::Adjacent)?;
            let shape = (1, 4);
            let gap =
                max_abs_diff(back.to_shape(shape)?.view(), x.to_shape(shape)?.view())?;
            values![below(gap, 1e-12)?]
        }),
        calc("errata-09", || {
            values![layer_weights(512, 2048)?, layer_weights(1024, 4096)?]
        }),
    ]
}
