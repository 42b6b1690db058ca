//! The program `objir`: the command of the crate `object_cli` on the arguments of the process.

#![forbid(unsafe_code)]

use std::env;
use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(object_cli::run(env::args_os()))
}
