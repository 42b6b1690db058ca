//! [`Format`]: the form in which a command writes its results and its errors.

use std::ffi::OsString;

use clap::{Args as ClapArgs, ValueEnum};

/// The form of results and errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Text for people. Errors are on standard error.
    #[default]
    Text,
    /// JSON. Errors are on standard output, too.
    Json,
    /// A log of SARIF 2.1.0 with all errors and findings.
    Sarif,
    /// A command for workflows of GitHub for each error and finding, which shows it at its line.
    Github,
}

/// The option of commands whose results are findings.
#[derive(ClapArgs)]
pub(crate) struct FormatArgs {
    /// The form of the results and errors; `--json` is short for `--format json`.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    pub(crate) format: Option<Format>,
}

impl Format {
    /// The form that these arguments of the program ask for, as far as words without their meaning tell it. It decides about the errors
    /// of arguments that clap rejects.
    pub(crate) fn asked_by(args: &[OsString]) -> Self {
        let mut words = args.iter().take_while(|arg| *arg != "--").filter_map(|arg| arg.to_str());
        let mut format = Format::Text;
        while let Some(word) = words.next() {
            let name = match word.strip_prefix("--format=") {
                Some(name) => name,
                None if word == "--json" => "json",
                None if word == "--format" => words.next().unwrap_or_default(),
                None => continue,
            };
            format = Format::from_str(name, false).unwrap_or(format);
        }
        format
    }
}
