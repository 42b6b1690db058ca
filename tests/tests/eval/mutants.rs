//! Modules with random changes in their JSON graphs: a module that the checker accepts runs, or stops with an error.

use fastrand::Rng;
use object_core::json::{JsonReader, JsonWriter};
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter, value_text};
use object_ir::ir::IRModule;
use object_relax::well_formed::Checker;
use object_tests::runnable;
use serde_json::Value as Json;

use crate::common::{json_fixture, text};
use crate::loop_programs::{argument, module_of, program};

/// The budgets of a run.
const MAX_STEPS: u64 = 200_000;
const MAX_BYTES: u64 = 1 << 22;

/// Integers that programs may not expect.
const ODD: [i64; 12] = [0, 1, 2, 3, -1, -2, 7, 300, 1 << 31, 1 << 40, i64::MAX, i64::MIN];

/// The number of modules with changes; `EVAL_MUTANTS` replaces it.
fn count() -> u64 {
    object_tests::setting("EVAL_MUTANTS", 100)
}

fn choice<'a, T>(random: &mut Rng, list: &'a [T]) -> Option<&'a T> {
    (!list.is_empty()).then(|| &list[random.usize(..list.len())])
}

/// Another value for `value` under the name `key`: of another place of the graph, or an odd one.
fn other(random: &mut Rng, nodes: &[Json], key: &str, value: &Json) -> Json {
    if let Some(index) = value.as_u64()
        && let Some(node) = nodes.get(usize::try_from(index).unwrap_or(usize::MAX))
        && random.usize(..4) > 0
    {
        // An index of an object of the same type is accepted most often.
        let same: Vec<usize> = (0..nodes.len()).filter(|it| nodes[*it]["type"] == node["type"]).collect();
        return choice(random, &same).map_or(Json::Null, |index| Json::from(*index));
    }
    if value.is_number() {
        return choice(random, &ODD).map_or(Json::Null, |it| Json::from(*it));
    }
    let known: Vec<&Json> = nodes.iter().filter_map(|node| node["data"].get(key)).filter(|it| it.is_string()).collect();
    choice(random, &known).map_or(Json::Null, |it| (*it).clone())
}

/// Changes a random part of a graph.
fn change(random: &mut Rng, graph: &mut Json) {
    let nodes = graph["nodes"].as_array().cloned().unwrap_or_default();
    let at = random.usize(..nodes.len());
    let data = &mut graph["nodes"][at]["data"];
    match data {
        Json::Object(fields) => {
            let keys: Vec<String> = fields.keys().cloned().collect();
            if let Some(key) = choice(random, &keys) {
                fields[key] = other(random, &nodes, key, &fields[key]);
            }
        }
        Json::Array(elements) if !elements.is_empty() => {
            let (a, b) = (random.usize(..elements.len()), random.usize(..elements.len()));
            match random.usize(..4) {
                0 => drop(elements.remove(a)),
                1 => elements.insert(a, elements[b].clone()),
                2 => elements.swap(a, b),
                _ => elements[a] = other(random, &nodes, "", &elements[a]),
            }
        }
        data => *data = other(random, &nodes, "", data),
    }
}

/// Runs the entries of a graph, if it is a module that the checker accepts, with `given` or random arguments. The number of
/// results, and of errors.
fn run(graph: &Json, given: &[Any]) -> (usize, usize) {
    let read = JsonReader::new().read(graph.to_string().as_bytes());
    let Some(module) = read.ok().and_then(|graph| graph.root.cast::<IRModule>().ok()) else { return (0, 0) };
    if !Checker::new().check(&module).is_well_formed() {
        return (0, 0);
    }
    let evaluator = Evaluator::new(&module).max_steps(MAX_STEPS).meter(&Meter::with_limit(MAX_BYTES));
    let (mut results, mut errors) = (0, 0);
    for entry in evaluator.entries() {
        let mut inputs = Inputs::new(0).meter(&Meter::with_limit(MAX_BYTES));
        let parameters = evaluator.parameters(entry).unwrap_or_default();
        let mut value = |info: Option<_>| info.and_then(|info| inputs.value(&info).ok()).unwrap_or(Any::None);
        let args: Vec<Any> = match parameters.len() == given.len() {
            true => given.to_vec(),
            false => parameters.into_iter().map(|(_, info)| value(info)).collect(),
        };
        match evaluator.run(entry, args) {
            Ok(result) => {
                results += 1;
                drop(value_text(&result, &Meter::unlimited()));
            }
            Err(error) => {
                errors += 1;
                assert!(!error.message().is_empty(), "{module}");
                if let Some(path) = error.path() {
                    path.find(&module).unwrap_or_else(|lost| panic!("{lost}: {error}: {module}"));
                }
            }
        }
    }
    (results, errors)
}

#[test]
fn changed_modules_run_or_stop_with_an_error() {
    let file = json_fixture("loop_programs.records.gz");
    let cases: Vec<&Json> = file.as_array().expect("a list of cases").iter().collect();
    let (mut results, mut errors) = (0, 0);
    for seed in 0..count() {
        let mut random = Rng::with_seed(seed);
        let (module, args) = match choice(&mut random, &cases).filter(|_| seed % 2 == 0) {
            Some(case) => {
                let args: Vec<Any> =
                    case["args"].as_array().into_iter().flatten().map(|arg| argument(arg).into()).collect();
                (module_of(program(text(case, "source")).expect("a program"), args.len()), args)
            }
            None => {
                let random = runnable::program(seed);
                (random.module, random.args)
            }
        };
        let written = JsonWriter::new().to_string(&module).expect("a graph");
        let mut graph: Json = serde_json::from_str(&written).expect("JSON");
        (0..=random.usize(..3)).for_each(|_| change(&mut random, &mut graph));
        // Shown with a panic.
        println!("seed {seed}");
        let (more_results, more_errors) = run(&graph, &args);
        (results, errors) = (results + more_results, errors + more_errors);
    }
    println!("{results} results, {errors} errors");
    assert!(results > 0 && errors > 0, "{results} results, {errors} errors");
}
