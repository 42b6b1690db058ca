//! `objir patch`: a program after the edits that `objir diff --json` found.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_core::edit::EditScript;
use object_core::{Error, ErrorKind, Result};
use serde_json::Value;

use crate::file_program::FileProgram;
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::Source;

/// `objir patch`.
#[derive(ClapArgs)]
pub(crate) struct PatchArgs {
    /// The file of the first program of the diff, or `-`.
    pub(crate) file: Source,

    /// The output of `objir diff --json`.
    pub(crate) edits: Source,

    /// Make the first program of the second one.
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Write the program into this file. Without it, the program is the output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(args: &PatchArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let program = FileProgram::load("patch", &args.file, reading)?;
    let script = script(args, reading).map_err(|error| args.edits.name_in(error))?;
    let script = if args.reverse { script.inverted() } else { script };
    let root = script.apply(&program.graph.root).map_err(|error| args.file.name_in(error))?;
    program.write_alike(&root, args.out.as_deref(), output)?;
    Ok(Verdict::Same)
}

/// The script in the output of `objir diff --json`.
fn script(args: &PatchArgs, reading: &Reading) -> Result<EditScript> {
    let text = args.edits.read(&reading.limits)?;
    let malformed = |message: String| Error::new(ErrorKind::Malformed, message);
    let report: Value = serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
    if report["equal"] == true {
        return Ok(EditScript::default());
    }
    match &report["script"] {
        Value::Null => {
            Err(malformed("expected the output of `objir diff --json` of two files, with `script`".to_owned()))
        }
        script => EditScript::from_json(script.to_string().as_bytes(), reading.types.json_reader(reading.limits)),
    }
}
