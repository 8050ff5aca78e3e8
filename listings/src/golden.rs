//! 黄金值：把别的库真正算出的数值与本库逐个比较。
//!
//! 文件的格式见 `tests/golden/README.md`。这里实现的是规则，由用例的参数（排列、频率规则、
//! 奇数宽度的规则、基数、起点、旋转宽度……）驱动，从不看用例的名字；不认识的参数、规则或输出
//! 记为“暂不支持”，从不算作通过。NaN 从不通过。
//!
//! ```
//! let report = posenc::golden::check_text(
//!     r#"{"kind": "numpy_rng", "cases": [{"name": "one", "parameters": {"seed": 42},
//!         "shapes": {"randn": [1]}, "values": {"randn": [0.4967141530112327]}}]}"#,
//!     None,
//! )?;
//! assert!(report.passed());
//! assert_eq!(report.compared(), 1);
//! # Ok::<(), posenc::Error>(())
//! ```

mod data;
mod learned;
mod lesson;
mod numpy_rng;
mod rotary;
mod sinusoidal;
mod tally;

use crate::error::{Error, Result, named};
use crate::print::pad;
use data::{Case, Trouble};
use std::path::Path;
use tally::Tally;

/// 认识的种类，与检查它的函数。
type Check = fn(&Case, &mut Tally, Option<&Path>) -> std::result::Result<(), Trouble>;

const KINDS: [(&str, Check); 9] = [
    ("lesson_listings", lesson::check),
    ("numpy_rng", numpy_rng::check),
    ("sinusoidal", sinusoidal::check),
    ("sinusoidal_large_positions", sinusoidal::check),
    ("sinusoidal_errors", sinusoidal::check),
    ("learned", learned::check),
    ("rope_half_split", rotary::check),
    ("rope_interleaved", rotary::check),
    ("rope_float64_frequencies", rotary::check),
];

const KIND_NAMES: &str = "lesson_listings、numpy_rng、sinusoidal、\
sinusoidal_large_positions、sinusoidal_errors、learned、rope_half_split、\
rope_interleaved、rope_float64_frequencies";

/// 一个用例的结论。
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// 每个输出都比较过，都在界限之内。
    Passed,
    /// 有一个数越界，或者用例本身不合格式；附原因。
    Failed(String),
    /// 有参数、规则或输出还不认识；附原因。
    Unsupported(String),
}

/// 一个用例的检查结果。
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// 种类。
    pub kind: String,
    /// 用例的名字，只用来打印。
    pub case: String,
    /// 比较了多少个数。
    pub compared: usize,
    /// 离界限最近的那个数的误差。
    pub error: f64,
    /// 那个数的界限。
    pub limit: f64,
    /// 结论。
    pub verdict: Verdict,
}

impl CaseReport {
    /// 打印用的一行：种类、用例、个数、最大误差、界限、结论。
    pub fn line(&self) -> String {
        let (word, why) = match &self.verdict {
            Verdict::Passed => ("通过", ""),
            Verdict::Failed(why) => ("不通过", why.as_str()),
            Verdict::Unsupported(why) => ("暂不支持", why.as_str()),
        };
        let line = format!(
            "{} {} {:>5} 个数  误差 {:<8.1e} 界限 {:<8.1e} {} {why}",
            pad(&self.kind, 26),
            pad(&self.case, 52),
            self.compared,
            self.error,
            self.limit,
            pad(word, 8),
        );
        line.trim_end().to_string()
    }
}

/// 一个文件的检查结果。
#[derive(Debug, Clone, PartialEq)]
pub struct FileReport {
    /// 每个用例的结果，次序与文件相同。
    pub cases: Vec<CaseReport>,
}

impl FileReport {
    /// 总共比较了多少个数。
    pub fn compared(&self) -> usize {
        self.cases.iter().map(|case| case.compared).sum()
    }

    /// 不通过的用例数。
    pub fn failed(&self) -> usize {
        let failed = |case: &&CaseReport| matches!(case.verdict, Verdict::Failed(_));
        self.cases.iter().filter(failed).count()
    }

    /// 暂不支持的用例数。
    pub fn unsupported(&self) -> usize {
        let unsupported =
            |case: &&CaseReport| matches!(case.verdict, Verdict::Unsupported(_));
        self.cases.iter().filter(unsupported).count()
    }

    /// 没有不通过的用例，而且真的比较过。
    pub fn passed(&self) -> bool {
        self.failed() == 0 && self.compared() > 0
    }

    /// 打印用的合计行。
    pub fn total(&self) -> String {
        let (failed, unsupported) = (self.failed(), self.unsupported());
        format!(
            "合计 {} 个用例：通过 {}，不通过 {failed}，暂不支持 {unsupported}；比较了 {} 个数",
            self.cases.len(),
            self.cases.len() - failed - unsupported,
            self.compared()
        )
    }
}

/// 检查一个文件；印出的文字（`lesson_*_stdout.txt`）在文件旁边找。
///
/// # Errors
/// 读不到文件；其余与 [`check_text`] 相同。
pub fn check_file(path: &Path) -> Result<FileReport> {
    let text = std::fs::read_to_string(path)
        .map_err(|why| Error::BadData(format!("读不到 {}：{why}", path.display())))?;
    check_text(&text, path.parent())
}

/// 检查一个文件的内容；`folder` 是印出的文字所在的文件夹。
///
/// # Errors
/// 不是规定格式的 JSON；种类不认识；没有用例。
pub fn check_text(text: &str, folder: Option<&Path>) -> Result<FileReport> {
    let file = data::parse(text)?;
    let check = named("黄金值种类", &file.kind, &KINDS, KIND_NAMES)?;
    if file.cases.is_empty() {
        return Err(Error::BadData("一个用例也没有".to_string()));
    }
    let report = |case| check_case(&file.kind, check, case, folder);
    Ok(FileReport {
        cases: file.cases.iter().map(report).collect(),
    })
}

fn check_case(
    kind: &str,
    check: Check,
    case: &Case,
    folder: Option<&Path>,
) -> CaseReport {
    let mut tally = Tally::new(case);
    let result = check(case, &mut tally, folder);
    let verdict = match (result, tally.mismatch()) {
        (Err(Trouble::Bad(error)), _) => Verdict::Failed(error.to_string()),
        (_, Some(mismatch)) => Verdict::Failed(mismatch.to_string()),
        (Err(Trouble::Unsupported(why)), None) => Verdict::Unsupported(why),
        (Ok(()), None) => match tally.left_over() {
            Some(why) => Verdict::Unsupported(why),
            None if tally.compared() == 0 => {
                Verdict::Failed("没有比较任何数值".to_string())
            }
            None => Verdict::Passed,
        },
    };
    let (error, limit) = tally.worst();
    CaseReport {
        kind: kind.to_string(),
        case: case.name.clone(),
        compared: tally.compared(),
        error,
        limit,
        verdict,
    }
}
