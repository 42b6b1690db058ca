//! `objir parse`: a script as a JSON graph.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_core::Result;
use object_core::json::JsonWriter;
use serde_json::json;

use object_ir::tvm::TvmVersion;

use crate::format::FormatArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};
use crate::source::Source;
use crate::tvm_arg::version;

/// `objir parse`.
#[derive(ClapArgs)]
pub(crate) struct ParseArgs {
    /// The file, or `-`.
    file: Source,

    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the graph for this version of TVM: 0.25, 0.26 or 0.27. Without it, the words of the script determine the version.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    to: Option<TvmVersion>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

pub(crate) fn run(args: &ParseArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let loaded = args.file.load(reading)?;
    let graph = match args.to {
        Some(to) => loaded.into_version(to, "parse").map_err(|error| args.file.name_in(error))?,
        None => loaded.graph,
    };
    let text = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root)?;
    match &args.output {
        // The findings of the other forms are the errors of the script.
        None if output.is_text() || output.is_json() => output.show_text(text)?,
        None => {}
        Some(path) => {
            write_file(path, &text)?;
            if output.is_json() {
                output.show_text(json!({
                    "file": args.file.to_string(),
                    "root": graph.root.type_key(),
                    "output": path.display().to_string(),
                    "bytes": text.len(),
                }))?;
            }
        }
    }
    Ok(Verdict::Same)
}
