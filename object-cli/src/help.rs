//! The command line as clap knows it: examples first in the help of each command, and limits in `--help-all` alone.

use std::ffi::OsString;

use clap::{Command, CommandFactory};

use crate::args::Args;
use crate::examples::examples;

/// The parts of a text of help: the examples come before the usage.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Which options a text of help has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// All options except limits.
    Usual,
    /// All options.
    All,
}

impl Shown {
    /// The options that the help has for these arguments of the program.
    pub(crate) fn of(args: &[OsString]) -> Self {
        let mut options = args.iter().take_while(|arg| *arg != "--");
        if options.any(|arg| arg == "--help-all") { Shown::All } else { Shown::Usual }
    }
}

/// The command `objir`. Its help has the examples.
pub(crate) fn command(shown: Shown) -> Command {
    let mut command = unadorned(shown);
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    for name in names {
        if let Some(examples) = examples(&name) {
            let text = format!("Examples:\n{}\n\n", indented(&examples));
            command = command.mut_subcommand(name, |it| it.before_help(text).help_template(TEMPLATE));
        }
    }
    command
}

/// The command `objir`, with the examples beside it.
pub(crate) fn unadorned(shown: Shown) -> Command {
    let command = Args::command();
    if shown == Shown::Usual {
        return command;
    }
    command.mut_args(|arg| arg.hide(false))
}

fn indented(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}
