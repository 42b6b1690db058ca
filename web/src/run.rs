//! The requests `functions` and `run`: a function of a module with random arguments.

use object_core::meter::Meter;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Value as RunValue, value_text};
use object_ir::ir::IRModule;
use object_script::print::ScriptPrinter;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{File, Program};

/// The steps of a run, after which it is an error.
const STEPS: u64 = 2_000_000_000;

/// The functions that a run can begin with, with their parameters and the symbolic dimensions in them.
pub(crate) fn functions(file: &File<'_>, meter: &Meter) -> Result<Value, Failure> {
    let evaluator = evaluator(file, meter)?;
    let printer = ScriptPrinter::new().meter(meter);
    let mut functions = Vec::new();
    for name in evaluator.entries() {
        let mut parameters = Vec::new();
        for (parameter, info) in evaluator.parameters(name).unwrap_or_default() {
            let info = info.map(|info| printer.try_print_text(&info)).transpose()?;
            parameters.push(json!({ "name": &*parameter, "info": info }));
        }
        functions.push(json!({ "name": name, "parameters": parameters, "dimensions": evaluator.dimensions(name) }));
    }
    Ok(json!({ "functions": functions }))
}

/// The result of the function `function` with random arguments by `seed`; `dims` has the sizes of symbolic dimensions.
pub(crate) fn answer(file: &File<'_>, options: &Value, meter: &Meter) -> Result<Value, Failure> {
    let evaluator = evaluator(file, meter)?;
    let entries = evaluator.entries();
    let usual = if entries.contains(&"main") { "main" } else { entries.first().copied().unwrap_or("main") };
    let function = options["function"].as_str().unwrap_or(usual);
    let parameters = evaluator.parameters(function).unwrap_or_default();
    let mut inputs = Inputs::new(options["seed"].as_u64().unwrap_or_default()).meter(meter);
    for (name, size) in options["dims"].as_object().into_iter().flatten() {
        let size = size.as_u64().and_then(|size| u32::try_from(size).ok()).ok_or_else(|| {
            let message = format!("expected the size of `{name}` as an integer of at least 0, got {size}");
            Error::new(ErrorKind::OutOfRange, message)
        })?;
        inputs = inputs.dim(name, i64::from(size));
    }
    let values = inputs.arguments(&parameters, &[])?;
    let arguments: Vec<Value> = parameters
        .iter()
        .zip(&values)
        .map(|((name, _), value)| Ok(json!({ "name": &**name, "value": value_text(value, meter)? })))
        .collect::<object_core::Result<_>>()?;
    let result = evaluator.run(function, values)?;
    Ok(json!({
        "function": function,
        "arguments": arguments,
        "kind": RunValue::of(&result).to_string(),
        "value": value_text(&result, meter)?,
    }))
}

fn evaluator(file: &File<'_>, meter: &Meter) -> Result<Evaluator, Failure> {
    let module: IRModule = Program::of(file, meter)?.graph.root.cast()?;
    Ok(Evaluator::new(&module).max_steps(STEPS).meter(meter))
}
