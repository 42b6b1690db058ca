//! `objir hash`: the structural hashes of graphs.

use clap::Args as ClapArgs;
use object_core::Result;
use serde_json::json;

use crate::batch;
use crate::file_set::Arguments;
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::Source;
use crate::structural_args::StructuralArgs;

/// `objir hash`.
#[derive(ClapArgs)]
pub(crate) struct HashArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Source>,

    /// Hash each module as its version of TVM has it. Without it, a module has one hash in all versions that can express it.
    #[arg(long)]
    own_version: bool,

    #[command(flatten)]
    options: StructuralArgs,
}

pub(crate) fn run(args: &HashArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let files = Arguments::of(&args.files)?.sources;
    let options = args.options.options();
    let hash = |source: &Source| {
        let loaded = source.load(reading)?;
        let graph = if args.own_version { loaded.graph } else { loaded.into_common().graph };
        let hash = options.hash(&graph.root).map_err(|error| source.name_in(error))?;
        if files.len() == 1 {
            // The process ends, which releases all memory at once.
            std::mem::forget(graph);
        }
        Ok((source.to_string(), format!("{hash:016x}")))
    };
    batch::for_each_file(&files, output, hash, |(file, digits): (String, String)| {
        output.show(format_args!("{digits}  {file}"), || {
            json!({
                "file": file,
                "hash": digits,
                "map_free_vars": args.options.map_free_vars,
                "lexical": args.options.lexical,
                "own_version": args.own_version,
                "skip_tensor_content": args.options.skip_tensor_content,
            })
        })
    })
}
