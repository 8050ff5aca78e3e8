//! `golden FILE…`：检查黄金值文件，一个用例一行，最后合计。
//!
//! 有用例不通过、种类不认识、文件读不了，或者什么也没有比较时，退出码不是零。

use posenc::golden::check_file;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut passed = true;
    let (mut cases, mut compared, mut unsupported) = (0, 0, 0);
    for path in std::env::args_os().skip(1) {
        let path = Path::new(&path);
        match check_file(path) {
            Ok(report) => {
                for case in &report.cases {
                    println!("{}", case.line());
                }
                println!("{}：{}", path.display(), report.total());
                passed &= report.passed();
                cases += report.cases.len();
                compared += report.compared();
                unsupported += report.unsupported();
            }
            Err(error) => {
                println!("{}：{error}", path.display());
                passed = false;
            }
        }
    }
    let passed = passed && compared > 0;
    let word = if passed { "通过" } else { "不通过" };
    println!(
        "全部：{cases} 个用例，{compared} 个数，暂不支持 {unsupported} 个用例：{word}"
    );
    if passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
