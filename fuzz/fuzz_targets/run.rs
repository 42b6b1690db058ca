//! Reads any bytes as a JSON graph, and runs the entries of modules, also of ill-formed ones: each run ends with a result or an
//! error, within its limits.

#![no_main]

use libfuzzer_sys::fuzz_target;
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter, value_text};
use object_ir::ir::IRModule;

/// The budgets of a run.
const MAX_STEPS: u64 = 200_000;
const MAX_BYTES: u64 = 1 << 22;

fuzz_target!(|text: &[u8]| {
    let Ok(graph) = JsonReader::new().read(text) else { return };
    let Ok(module) = graph.root.cast::<IRModule>() else { return };
    let evaluator = Evaluator::new(&module).max_steps(MAX_STEPS).meter(&Meter::with_limit(MAX_BYTES));
    for entry in evaluator.entries() {
        let Some(parameters) = evaluator.parameters(entry) else { continue };
        let mut inputs = Inputs::new(0).meter(&Meter::with_limit(MAX_BYTES));
        let value = |info: Option<_>| info.and_then(|info| inputs.value(&info).ok()).unwrap_or(Any::None);
        let args: Vec<Any> = parameters.into_iter().map(|(_, info)| info).map(value).collect();
        match evaluator.run(entry, args) {
            Ok(result) => drop(value_text(&result, &Meter::with_limit(MAX_BYTES))),
            Err(error) => {
                assert!(!error.message().is_empty(), "{module}");
                if let Some(path) = error.path() {
                    path.find(&module).unwrap_or_else(|lost| panic!("{lost}: {error}: {module}"));
                }
            }
        }
    }
});
