//! 这本书的全部检查，一个测试程序；同目录的每个文件都是它的模块。
#![allow(missing_docs)]

mod bless;
mod broken;
mod captions;
mod config;
mod figures;
mod formulas;
mod golden;
mod ledger;
mod lesson;
mod mutation;
mod numbers;
mod outputs;
mod page;
mod pages;
mod prose;
mod rendered;
mod search_text;
mod selftest;
mod source;
mod styles;
mod tex;
mod tips;
