//! Writes the examples of the rules of the checker as modules of a version of TVM, for `fixtures/make_rule_verdicts.py`, which
//! records the verdicts of this version: one JSON object on a line.

#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Write};

use object_core::json::Graph;
use object_ir::tvm::TvmVersion;
use object_tests::rule_examples;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let version = TvmVersion::find(&name).ok_or("expected a version: 0.25, 0.26 or 0.27")?;
    let mut out = io::stdout().lock();
    for (rule, example, program) in rule_examples::all() {
        // A version does not have every program.
        let Ok(graph) = version.convert(Graph::new(program, None), TvmVersion::V0_25) else { continue };
        let module = version.to_json(&graph.root)?;
        writeln!(out, "{}", json!({"rule": rule.name, "example": example, "module": module}))?;
    }
    Ok(())
}
