//! `objir hash`: the structural hash of a graph.

use object_core::Result;
use serde_json::json;

use crate::args::HashArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict};

pub(crate) fn run(args: &HashArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load(reading)?.graph;
    let hash = args.options.options().hash(&graph.root).map_err(|error| args.file.name_in(error))?;
    let digits = format!("{hash:016x}");
    output.show(format_args!("{digits}  {}", args.file), || {
        json!({
            "file": args.file.to_string(),
            "hash": digits,
            "map_free_vars": args.options.map_free_vars,
            "lexical": args.options.lexical,
            "skip_tensor_content": args.options.skip_tensor_content,
        })
    })?;
    Ok(Verdict::Same)
}
