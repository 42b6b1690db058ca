//! Writes random programs with arguments and the results of this project, for `fixtures/peer_runs.py`, which runs them in
//! another implementation.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use clap::Parser;
use object_core::json::JsonWriter;
use object_core::prelude::*;
use object_eval::{Evaluator, Tensor, Value, npy};
use object_relax::normal_form::Normalizer;
use object_relax::well_formed::Checker;
use object_tests::runnable;

/// Writes random programs with arguments and results.
#[derive(Parser)]
struct Args {
    /// The folder.
    dir: PathBuf,

    /// The number of programs.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: u64,

    /// The seed of the first program; the others follow.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// The tensors of a tuple, or a tensor.
fn tensors(value: &Any) -> Vec<Tensor> {
    match Value::of(value) {
        Value::Tuple(members) => members.iter().flat_map(|member| tensors(&member.to_any())).collect(),
        Value::Tensor(tensor) => vec![tensor.clone()],
        _ => Vec::new(),
    }
}

/// Writes tensors as `PREFIX0`, `PREFIX1` and so on.
fn write(path: &Path, prefix: &str, values: &[Tensor]) -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = (0..values.len()).map(|index| format!("{prefix}{index}")).collect();
    npy::write_npz(File::create(path)?, names.iter().map(String::as_str).zip(values))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    fs::create_dir_all(&args.dir)?;
    for seed in args.seed..args.seed.saturating_add(args.count) {
        let program = runnable::program(seed);
        let normal = Normalizer::new().module(&program.module).map_err(|error| format!("seed {seed}: {error}"))?;
        let report = Checker::new().check(&normal);
        if !report.is_well_formed() {
            return Err(format!("seed {seed}: {report}").into());
        }
        let name = |end: &str| args.dir.join(format!("{seed}{end}"));
        let given: Vec<Tensor> = program.args.iter().flat_map(tensors).collect();
        write(&name(".args.npz"), "a", &given)?;
        match Evaluator::new(&normal).run("main", program.args) {
            Ok(result) => write(&name(".results.npz"), "r", &tensors(&result))?,
            Err(error) => fs::write(name(".error.txt"), error.to_string())?,
        }
        fs::write(name(".json"), JsonWriter::new().to_string(&Any::from(normal))?)?;
    }
    Ok(())
}
