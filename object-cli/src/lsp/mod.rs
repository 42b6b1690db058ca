//! `objir lsp`: a language server for the scripts of Python files.

mod service;

use clap::Args as ClapArgs;
use object_core::{Error, ErrorKind, Result};
use object_lsp::{Services, serve};

use crate::input::Reading;
use crate::output::Verdict;

use service::ScriptService;

/// `objir lsp`.
#[derive(ClapArgs)]
pub(crate) struct LspArgs {
    /// Serve over standard input and standard output. This is the only way, so the option changes nothing.
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(_: &LspArgs, reading: &Reading) -> Result<Verdict> {
    let scripts = ScriptService::new(reading.meter.clone());
    let services = Services::new().add(&[".py", ".pyi", ".python"], scripts);
    serve(services).map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
    Ok(Verdict::Same)
}
