//! Writes random calls of operators with arguments, for `fixtures/make_op_values.py`, which runs them in another
//! implementation.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Parser;
use object_core::json::JsonWriter;
use object_core::prelude::*;
use object_eval::{Meter, Tensor};
use object_relax::normal_form::Normalizer;
use object_tests::op_calls::{RandomCall, RandomCalls, inferred, module_of, swept_calls, tensors};
use serde_json::{Value as Json, json};

/// Writes random calls with arguments as lines of JSON.
#[derive(Parser)]
struct Args {
    /// The file.
    file: PathBuf,

    /// Write all calls of the templates for sweeps instead.
    #[arg(long, conflicts_with = "count")]
    sweep: bool,

    /// The number of calls of a template for each of its choices.
    #[arg(long, value_name = "N", default_value_t = 3)]
    count: u64,
}

/// A tensor with its elements in order.
fn recorded(tensor: &Tensor) -> Result<Json, Box<dyn Error>> {
    let numbers = tensor.floats(&Meter::unlimited())?;
    let number = |number: &f64| if number.is_finite() { json!(number) } else { json!(number.to_string()) };
    let data: Vec<Json> = numbers.iter().map(number).collect();
    Ok(json!({ "dtype": tensor.dtype().to_string(), "shape": tensor.dims(), "data": data }))
}

/// The line of a call; none if inference rejects it, or if it has an argument that is not a tensor or that is empty, for which
/// TVM's programs often write no result.
fn line(call: &RandomCall) -> Result<Option<Json>, Box<dyn Error>> {
    let special = call.special();
    let (Ok(info), Ok(args)) = (inferred(&special), call.args()) else { return Ok(None) };
    let given: Vec<Tensor> = args.iter().flat_map(tensors).collect();
    if given.len() != args.len() || given.iter().any(Tensor::is_empty) {
        return Ok(None);
    }
    let module = Normalizer::new().module(&module_of(&special, None, &info))?;
    let module = JsonWriter::new().to_string(&Any::from(module))?;
    let args = given.iter().map(recorded).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(json!({ "call": call.text, "sizes": call.sizes, "args": args, "module": module })))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let calls = if args.sweep { swept_calls() } else { RandomCalls::listed().draw_all(args.count) };
    let mut file = BufWriter::new(File::create(&args.file)?);
    for call in &calls {
        if let Some(line) = line(call)? {
            writeln!(file, "{line}")?;
        }
    }
    Ok(file.flush()?)
}
