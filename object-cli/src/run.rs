//! `objir run`: runs a function of a module.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use object_core::Result;
use object_core::json::Graph;
use object_eval::{Evaluator, Value, value_text};
use object_ir::ir::IRModule;
use serde_json::json;

use crate::input::{Program, Reading};
use crate::output::{Output, Verdict};
use crate::progress::Progress;
use crate::run_args::RunArgs;
use crate::source::Source;
use crate::{run_arguments, run_compare, run_error, run_results};

pub(crate) fn run(args: &RunArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let (graph, mut evaluator, script) = evaluator(&args.file, reading)?;
    if let Some(other) = &args.other {
        let given = run_arguments::given(args, &evaluator, &reading.meter)?;
        let (_other, second, _) = self::evaluator(other, reading)?;
        return run_compare::run(args, other, [evaluator, second], (given, &reading.meter), output);
    }
    let profile = Arc::new(Mutex::new(Profile::new()));
    if args.trace || args.profile {
        let (trace, times) = (args.trace, profile.clone());
        evaluator = evaluator.observe(move |event| {
            if let Some(variable) = event.variable.filter(|_| trace) {
                let value = Value::of(event.value);
                eprintln!("{}.{variable} = {}: {value}", event.function, event.operation);
            }
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            let (count, time) = times.entry(event.operation.to_owned()).or_default();
            *count += 1;
            *time += event.elapsed;
        });
    }
    let values = run_arguments::arguments(args, &evaluator, &reading.meter)?;
    let result = {
        let progress = Progress::new(args.trace);
        progress.of(evaluator).run(&args.func, values)
    };
    if args.profile {
        print_profile(&profile.lock().unwrap_or_else(PoisonError::into_inner));
    }
    let result = match result {
        Ok(result) => result,
        Err(error) => {
            return run_error::show(
                &args.file,
                script.as_deref(),
                &graph.root.cast()?,
                (reading.printer(), error),
                output,
            );
        }
    };
    if let Some(path) = &args.out {
        run_results::write(path, &result, &reading.meter)?;
    }
    let text = value_text(&result, &reading.meter)?;
    output.show(&text, || json!({ "kind": Value::of(&result).to_string(), "value": text }))?;
    Ok(Verdict::Same)
}

/// The graph in a file, its evaluator with the limits of the command line, and the text of the file if it is a script.
fn evaluator(file: &Source, reading: &Reading) -> Result<(Graph, Evaluator, Option<String>)> {
    let Program { graph, script, .. } = file.load_program("run", reading)?;
    let module: IRModule = graph.root.clone().cast().map_err(|error| file.name_in(error))?;
    let evaluator = Evaluator::new(&module).max_steps(reading.limits.max_steps).meter(&reading.meter);
    Ok((graph, evaluator, script))
}

/// For each operator the number of its calls and their time.
type Profile = BTreeMap<String, (u64, Duration)>;

/// Prints the times on standard error, the longest first.
fn print_profile(profile: &Profile) {
    let mut rows: Vec<_> = profile.iter().collect();
    rows.sort_by_key(|(_, (_, time))| std::cmp::Reverse(*time));
    eprintln!("{:>12} {:>8}  operator", "time", "calls");
    for (operator, (count, time)) in rows {
        eprintln!("{:>12} {count:>8}  {operator}", format!("{:.3} ms", time.as_secs_f64() * 1e3));
    }
}
