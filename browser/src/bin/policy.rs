//! 打印建好的书用的 `Content-Security-Policy`：
//! `cargo run -p browser --bin policy -- 目录`。

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let dir = std::env::args_os().nth(1).unwrap_or_else(|| "book".into());
    match browser::policy::policy(Path::new(&dir)) {
        Ok(policy) => {
            println!("{policy}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
