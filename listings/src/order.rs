//! 词序实验：把一句话的词重排，看自注意力的输出怎么变。
//!
//! 一个次序 `order` 表示“新句的第 `r` 行是旧句的第 `order[r]` 行”，与
//! [`permute_rows`] 相同；公式里它写作 `π`，左乘的置换矩阵写作 `P`。
//!
//! ```
//! use posenc::attention::{Mask, SelfAttention};
//! use posenc::order::{equivariance_gap, sentence};
//! let head = SelfAttention::seeded(42, 6, 3);
//! let gap = equivariance_gap(&head, sentence().view(), &[2, 1, 0], Mask::None)?;
//! assert!(gap < 1e-12);
//! # Ok::<(), posenc::Error>(())
//! ```

use crate::attention::{
    Mask, SelfAttention, attend, max_abs_diff, permute_rows, scaled_scores,
};
use crate::error::{Error, Result, same_size};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, array};

/// 置换：新句的第 `r` 行是旧句的第 `π(r)` 行（[`permute_rows`]）。
pub const EQ_PERMUTED: &str = r"(PX)_ r = \mathbf x_{\pi(r)}";
/// 等变：输入怎么重排，输出就怎么重排（[`equivariance_gap`] 量它的误差）。
pub const EQ_EQUIVARIANT: &str = r"\operatorname{Attn}(PX) = P\operatorname{Attn}(X)";
/// 不变：输入重排，输出一个数也不动（[`invariance_gap`] 量它的误差）。
pub const EQ_INVARIANT: &str = r"f(PX) = f(X)";
/// 第 `m` 行的输出，逐行写开（[`attend_literally`] 逐字照抄）。
pub const EQ_ROW: &str = r"\mathbf a_m = \sum_{n} w_{m,n}\, \mathbf v_n";
/// 这一行的权重：softmax 写开。
pub const EQ_ROW_WEIGHT: &str = r"w_{m,n} = \frac{e^{s_{m,n}}}{\sum_{j} e^{s_{m,j}}}, \qquad s_{m,n} = \frac{\mathbf q_m \cdot \mathbf k_n}{\sqrt{d_h}}";
/// 分数展开：右边只有两个词的嵌入和权重（[`score_of_pair`]）。
pub const EQ_SCORE: &str =
    r"s_{m,n} = \frac{\mathbf x_m W_Q W_K^\top \mathbf x_n^\top}{\sqrt{d_h}}";
/// 证明第一步：查询跟着词走。
pub const EQ_PROOF_QUERY: &str =
    r"\mathbf q_r' = \mathbf x_{\pi(r)} W_Q = \mathbf q_{\pi(r)}";
/// 键和值也一样。
pub const EQ_PROOF_ROWS: &str =
    r"\mathbf k_r' = \mathbf k_{\pi(r)}, \qquad \mathbf v_r' = \mathbf v_{\pi(r)}";
/// 证明第二步：分数跟着一对词走。
pub const EQ_PROOF_SCORES: &str = r"s_{r,c}' = s_{\pi(r),\pi(c)}";
/// 证明第三步：分母是同一堆数的和。
pub const EQ_PROOF_SUM: &str =
    r"\sum_{c} e^{s_{\pi(r),\pi(c)}} = \sum_{n} e^{s_{\pi(r),n}}";
/// 所以权重也跟着一对词走。
pub const EQ_PROOF_WEIGHTS: &str = r"w_{r,c}' = w_{\pi(r),\pi(c)}";
/// 证明第四步：新的加权和。
pub const EQ_PROOF_OUTPUT: &str =
    r"\mathbf a_r' = \sum_{c} w_{\pi(r),\pi(c)}\, \mathbf v_{\pi(c)}";
/// 它是同一堆向量的和。
pub const EQ_PROOF_END: &str = r"\sum_{c} w_{\pi(r),\pi(c)}\, \mathbf v_{\pi(c)} = \sum_{n} w_{\pi(r),n}\, \mathbf v_n = \mathbf a_{\pi(r)}";
/// 带残差的一摞注意力层（[`run_layers`]）。
pub const EQ_STACK: &str =
    r"H_{\ell+1} = H_\ell + \operatorname{Attn}_ \ell(H_\ell), \qquad H_0 = X";

/// 讲稿例句里的三个词，次序与 [`sentence`] 的行相同。
pub const WORDS: [&str; 3] = ["猫", "追", "老鼠"];

/// 讲稿的例句“猫 追 老鼠”：一行一个词，形状 `(3, 6)`。
pub fn sentence() -> Array2<f64> {
    array![
        [0.9, 0.1, 0.2, 0.1, 0.3, 0.1],
        [0.2, 0.8, 0.3, 0.1, 0.5, 0.2],
        [0.1, 0.2, 0.9, 0.1, 0.1, 0.3],
    ]
}

/// 例句后面加一个句号：第四行是“。”，它读完全句。形状 `(4, 6)`。
pub fn sentence_with_stop() -> Array2<f64> {
    let mut x = Array2::zeros((4, 6));
    x.slice_mut(ndarray::s![..3, ..]).assign(&sentence());
    x.row_mut(3).assign(&array![0.2, 0.3, 0.1, 0.8, 0.2, 0.4]);
    x
}

/// `words` 按 `order` 重排后连成的一句话，词间空一格。
///
/// # Errors
/// `order` 里有越界的行号。
pub fn words_in(words: &[&str], order: &[usize]) -> Result<String> {
    let picked: Result<Vec<&str>> = order
        .iter()
        .map(|&row| {
            words.get(row).copied().ok_or(Error::PositionOutOfTable {
                position: row,
                rows: words.len(),
            })
        })
        .collect();
    Ok(picked?.join(" "))
}

/// `0..count` 的全部排列，按字典序；第一个是原次序。
///
/// # Errors
/// `count` 超过 8（排列的个数是阶乘）。
pub fn permutations(count: usize) -> Result<Vec<Vec<usize>>> {
    if count > 8 {
        return Err(Error::TooLarge {
            name: "count",
            value: count,
            max: 8,
        });
    }
    let mut found = vec![vec![]];
    for _ in 0..count {
        found = found
            .iter()
            .flat_map(|start: &Vec<usize>| {
                (0..count)
                    .filter(|next| !start.contains(next))
                    .map(|next| [start.as_slice(), &[next]].concat())
            })
            .collect();
    }
    Ok(found)
}

// ANCHOR: gaps
/// 离等变差多少：`max|Attn(PX) − P·Attn(X)|`。
///
/// # Errors
/// `order` 不是 `x` 的行号的一个排列；形状或数值不合 [`SelfAttention::forward`]。
pub fn equivariance_gap(
    head: &SelfAttention,
    x: ArrayView2<f64>,
    order: &[usize],
    mask: Mask,
) -> Result<f64> {
    let moved = permute_rows(x, order)?;
    let left = head.forward(moved.view(), mask)?.output;
    let right = permute_rows(head.forward(x, mask)?.output.view(), order)?;
    max_abs_diff(left.view(), right.view())
}

/// 离不变差多少：`max|Attn(PX) − Attn(X)|`，同一行号相比。
///
/// # Errors
/// 与 [`equivariance_gap`] 相同。
pub fn invariance_gap(
    head: &SelfAttention,
    x: ArrayView2<f64>,
    order: &[usize],
    mask: Mask,
) -> Result<f64> {
    let moved = permute_rows(x, order)?;
    let left = head.forward(moved.view(), mask)?.output;
    let right = head.forward(x, mask)?.output;
    max_abs_diff(left.view(), right.view())
}
// ANCHOR_END: gaps

/// 各列的平均，形状 `(columns,)`：把一句话的输出合成一个向量（平均池化）。
///
/// # Errors
/// 没有行。
pub fn mean_pool(x: ArrayView2<f64>) -> Result<Array1<f64>> {
    x.mean_axis(Axis(0)).ok_or(Error::TooSmall {
        name: "rows",
        value: 0,
        min: 1,
    })
}

/// 两个等长向量逐元素之差的最大绝对值。
///
/// # Errors
/// 长度不同；任何一个元素是 NaN。
pub fn max_abs_diff_row(left: ArrayView1<f64>, right: ArrayView1<f64>) -> Result<f64> {
    max_abs_diff(left.insert_axis(Axis(0)), right.insert_axis(Axis(0)))
}

/// 一对词的分数，照 [`EQ_SCORE`] 从左到右相乘；两个嵌入的形状都是 `(width,)`。
///
/// # Errors
/// 嵌入的长度不是 `width`。
pub fn score_of_pair(
    head: &SelfAttention,
    query_word: ArrayView1<f64>,
    key_word: ArrayView1<f64>,
) -> Result<f64> {
    same_size("query_word", head.w_query.nrows(), query_word.len())?;
    same_size("key_word", head.w_key.nrows(), key_word.len())?;
    let form = query_word.dot(&head.w_query).dot(&head.w_key.t());
    Ok(form.dot(&key_word) / (head.w_query.ncols() as f64).sqrt())
}

/// 把 [`EQ_ROW`] 逐字照抄成循环：没有掩码，没有减最大值，形状 `(seq, head_dim)`。
///
/// 只用来检验 [`attend`]；分数很大时 `exp` 会溢出。
///
/// # Errors
/// `x` 的列数不是 `width`。
pub fn attend_literally(
    head: &SelfAttention,
    x: ArrayView2<f64>,
) -> Result<Array2<f64>> {
    same_size("x", head.w_query.nrows(), x.ncols())?;
    let (q, k, v) = (
        x.dot(&head.w_query),
        x.dot(&head.w_key),
        x.dot(&head.w_value),
    );
    let mut output = Array2::zeros((x.nrows(), v.ncols()));
    for m in 0..x.nrows() {
        let score = |n: usize| q.row(m).dot(&k.row(n)) / (q.ncols() as f64).sqrt();
        let sum: f64 = (0..x.nrows()).map(|j| score(j).exp()).sum();
        for n in 0..x.nrows() {
            let weight = score(n).exp() / sum;
            output.row_mut(m).scaled_add(weight, &v.row(n));
        }
    }
    Ok(output)
}

/// 证明的四步各自的最大误差，次序与书中相同。
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProofGaps {
    /// 查询、键、值跟着词走。
    pub rows: f64,
    /// 分数跟着一对词走。
    pub scores: f64,
    /// 权重跟着一对词走。
    pub weights: f64,
    /// 输出跟着词走。
    pub output: f64,
}

/// 把等变的证明一步一步算一遍，给出每一步两边之差的最大绝对值。
///
/// # Errors
/// 与 [`equivariance_gap`] 相同。
pub fn proof_gaps(
    head: &SelfAttention,
    x: ArrayView2<f64>,
    order: &[usize],
) -> Result<ProofGaps> {
    let moved = permute_rows(x, order)?;
    let mut rows = 0.0_f64;
    for weight in [&head.w_query, &head.w_key, &head.w_value] {
        let follow = permute_rows(x.dot(weight).view(), order)?;
        rows = rows.max(max_abs_diff(moved.dot(weight).view(), follow.view())?);
    }
    let pairs = |matrix: ArrayView2<f64>| -> Result<Array2<f64>> {
        let rows = permute_rows(matrix, order)?;
        Ok(permute_rows(rows.t(), order)?.reversed_axes())
    };
    let scores = |x: ArrayView2<f64>| {
        scaled_scores(x.dot(&head.w_query).view(), x.dot(&head.w_key).view())
    };
    let (before, after) = (
        head.forward(x, Mask::None)?,
        head.forward(moved.view(), Mask::None)?,
    );
    Ok(ProofGaps {
        rows,
        scores: max_abs_diff(
            scores(moved.view())?.view(),
            pairs(scores(x)?.view())?.view(),
        )?,
        weights: max_abs_diff(
            after.weights.view(),
            pairs(before.weights.view())?.view(),
        )?,
        output: max_abs_diff(
            after.output.view(),
            permute_rows(before.output.view(), order)?.view(),
        )?,
    })
}

// ANCHOR: layers
/// 一摞注意力层，每层加上残差；头宽要等于宽度。形状不变。
///
/// # Errors
/// 某一层的头宽不是 `x` 的宽度；形状或数值不合 [`SelfAttention::forward`]。
pub fn run_layers(
    layers: &[SelfAttention],
    x: ArrayView2<f64>,
    mask: Mask,
) -> Result<Array2<f64>> {
    let mut hidden = x.to_owned();
    for layer in layers {
        let update = layer.forward(hidden.view(), mask)?.output;
        same_size("head_dim", hidden.ncols(), update.ncols())?;
        hidden += &update;
    }
    Ok(hidden)
}
// ANCHOR_END: layers

/// 一个固定的查询看一组键值，得到一个向量，形状 `(value_dim,)`。
///
/// # Errors
/// 与 [`attend`] 相同。
pub fn attend_one(
    query: ArrayView1<f64>,
    key: ArrayView2<f64>,
    value: ArrayView2<f64>,
) -> Result<Array1<f64>> {
    let query = query.insert_axis(Axis(0));
    Ok(attend(query, key, value, Mask::None)?
        .output
        .row(0)
        .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> SelfAttention {
        SelfAttention::seeded(42, 6, 3)
    }

    #[test]
    fn fast_attention_equals_the_written_out_row() -> Result<()> {
        let x = sentence_with_stop();
        let fast = head().forward(x.view(), Mask::None)?.output;
        let slow = attend_literally(&head(), x.view())?;
        assert_eq!(fast.dim(), (4, 3));
        assert!(max_abs_diff(fast.view(), slow.view())? < 1e-14);
        assert!(attend_literally(&head(), x.slice(ndarray::s![.., ..5])).is_err());
        Ok(())
    }

    #[test]
    fn the_score_is_a_bilinear_form_of_two_words() -> Result<()> {
        let (x, head) = (sentence(), head());
        let (q, k) = (x.dot(&head.w_query), x.dot(&head.w_key));
        let scores = scaled_scores(q.view(), k.view())?;
        for ((m, n), &score) in scores.indexed_iter() {
            let pair = score_of_pair(&head, x.row(m), x.row(n))?;
            assert!((pair - score).abs() < 1e-14);
        }
        assert!(score_of_pair(&head, q.row(0), x.row(0)).is_err());
        assert!(score_of_pair(&head, x.row(0), q.row(0)).is_err());
        Ok(())
    }

    #[test]
    fn permutations_are_all_there_in_order() -> Result<()> {
        let all = permutations(3)?;
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [0, 1, 2]);
        assert_eq!(all[1], [0, 2, 1]);
        assert_eq!(all[5], [2, 1, 0]);
        assert!(all.is_sorted());
        assert_eq!(permutations(0)?, [Vec::<usize>::new()]);
        assert_eq!(permutations(4)?.len(), 24);
        assert_eq!(
            permutations(9),
            Err(Error::TooLarge {
                name: "count",
                value: 9,
                max: 8
            })
        );
        assert_eq!(permutations(8)?.len(), 40_320);
        Ok(())
    }

    #[test]
    fn words_follow_the_order() -> Result<()> {
        assert_eq!(words_in(&WORDS, &[2, 1, 0])?, "老鼠 追 猫");
        assert_eq!(words_in(&WORDS, &[])?, "");
        assert_eq!(
            words_in(&WORDS, &[3]),
            Err(Error::PositionOutOfTable {
                position: 3,
                rows: 3
            })
        );
        Ok(())
    }

    #[test]
    fn every_step_of_the_proof_holds_and_each_gap_can_fail() -> Result<()> {
        let x = sentence_with_stop();
        for order in permutations(4)? {
            let gaps = proof_gaps(&head(), x.view(), &order)?;
            for gap in [gaps.rows, gaps.scores, gaps.weights, gaps.output] {
                assert!(gap < 1e-14, "{order:?} {gaps:?}");
            }
            let follow = equivariance_gap(&head(), x.view(), &order, Mask::None)?;
            assert!(follow < 1e-14);
        }
        let back = [3, 2, 1, 0];
        assert!(invariance_gap(&head(), x.view(), &back, Mask::None)? > 1e-2);
        assert!(equivariance_gap(&head(), x.view(), &back, Mask::Causal)? > 0.1);
        assert!(
            equivariance_gap(&head(), x.view(), &[0, 0, 1, 2], Mask::None).is_err()
        );
        assert!(invariance_gap(&head(), x.view(), &[0, 1], Mask::None).is_err());
        Ok(())
    }

    #[test]
    fn layers_add_their_output_to_their_input() -> Result<()> {
        let x = sentence();
        let layers = [7, 8].map(|seed| SelfAttention::seeded(seed, 6, 6));
        assert_eq!(run_layers(&[], x.view(), Mask::Causal)?, x);
        let first = &x + &attend_literally(&layers[0], x.view())?;
        let second = &first + &attend_literally(&layers[1], first.view())?;
        let stacked = run_layers(&layers, x.view(), Mask::None)?;
        assert!(max_abs_diff(stacked.view(), second.view())? < 1e-13);
        assert_eq!(
            run_layers(&[head()], x.view(), Mask::None),
            Err(Error::Shape {
                name: "head_dim",
                expected: 6,
                found: 3
            })
        );
        Ok(())
    }

    #[test]
    fn pooling_and_single_queries() -> Result<()> {
        let x = array![[1.0, 4.0], [3.0, 0.0]];
        assert_eq!(mean_pool(x.view())?, array![2.0, 2.0]);
        assert!(mean_pool(Array2::zeros((0, 2)).view()).is_err());
        let one =
            attend_one(array![0.0].view(), array![[1.0], [2.0]].view(), x.view())?;
        assert_eq!(one, array![2.0, 2.0]);
        let gap = max_abs_diff_row(one.view(), array![2.0, -1.0].view())?;
        assert_eq!(gap, 3.0);
        assert!(max_abs_diff_row(one.view(), array![2.0].view()).is_err());
        Ok(())
    }

    #[test]
    fn the_lesson_is_reproduced() -> std::result::Result<(), Box<dyn std::error::Error>>
    {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/golden/lesson_listings.json"
        );
        let golden: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path)?)?;
        let values = &golden["cases"][0]["values"];
        let back = permute_rows(sentence().view(), &[2, 1, 0])?;
        let (first, second) = (
            head().forward(sentence().view(), Mask::None)?,
            head().forward(back.view(), Mask::None)?,
        );
        let mut compared = 0;
        for (name, ours) in [
            ("in_X1", sentence()),
            ("in_X2", back),
            ("attn1", first.weights),
            ("attn2", second.weights),
            ("output1", first.output),
            ("output2", second.output),
        ] {
            let theirs = values[name].as_array().ok_or(name)?;
            assert_eq!(theirs.len(), ours.len(), "{name}");
            for (theirs, ours) in theirs.iter().zip(&ours) {
                let gap = (theirs.as_f64().ok_or(name)? - ours).abs();
                assert!(gap < 1e-12, "{name}");
                compared += 1;
            }
        }
        assert_eq!(compared, 4 * 9 + 2 * 18);
        let four = sentence_with_stop();
        assert_eq!(four.slice(ndarray::s![..3, ..]), sentence());
        assert_eq!(four.row(3), array![0.2, 0.3, 0.1, 0.8, 0.2, 0.4]);
        Ok(())
    }
}
