//! `objir completions`: the script with which a shell completes commands, options and files.

use clap::{Args as ClapArgs, Command};
use clap_complete::Shell;
use object_core::Result;
use serde_json::json;

use crate::output::{Output, Verdict};

/// `objir completions`.
#[derive(ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Prints the script for a command with all of its options.
pub(crate) fn run(args: &CompletionsArgs, command: &mut Command, output: &Output) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "objir", &mut script);
    let script = String::from_utf8_lossy(&script);
    output.show(script.trim_end(), || json!({"shell": args.shell.to_string(), "script": script}))?;
    Ok(Verdict::Same)
}
