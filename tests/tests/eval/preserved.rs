//! Transforms keep results: random programs and fixtures have the same result before and after normalization, and with and
//! without the bindings that nothing needs.

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_ir::eval::{Evaluator, Inputs, Tolerance, compare};
use object_ir::ir::IRModule;
use object_ir::normal_form::Normalizer;
use object_ir::transform::remove_all_unused;
use object_tests::runnable;

use crate::common::fixture;

/// The number of random programs.
const PROGRAMS: u64 = 300;

/// The largest number of bytes of the values of a run.
const MAX_BYTES: u64 = 1 << 30;

/// The changes of a module whose results are compared.
fn changed(module: &IRModule) -> [(&'static str, Result<IRModule, Error>); 2] {
    [("normalized", Normalizer::new().module(module)), ("without unused bindings", remove_all_unused(module))]
}

/// Compares the entry `name` of a module before and after the changes; whether the entry has a result.
fn check(module: &IRModule, name: &str, args: &[Any], label: &str) -> bool {
    let exact = Tolerance::new().relative(0.0).absolute(0.0);
    let before = Evaluator::new(module).max_steps(1 << 30);
    let mut has_result = false;
    for (change, after) in changed(module) {
        let after = after.unwrap_or_else(|error| panic!("{label} {change}: {error}"));
        let after = Evaluator::new(&after).max_steps(1 << 30);
        let found = compare([&before, &after], name, args, exact, MAX_BYTES).expect("memory");
        // A transform may drop a failing binding of a dataflow block that nothing uses.
        let is_dropped = change != "normalized" && found.results[0].is_err() && found.results[1].is_ok();
        assert!(found.is_same() || is_dropped, "{label} {change}: {:?}\n{:?}", found.difference, found.results);
        has_result = found.results[0].is_ok();
    }
    has_result
}

#[test]
fn fixtures_keep_their_results() {
    for (file, entries) in [
        ("mlp.json.gz", &["main"][..]),
        ("mlp_changed.json.gz", &["main"]),
        ("decoder_small.json.gz", &["prefill", "decode"]),
    ] {
        let module: IRModule = JsonReader::new().read(&fixture(file)[..]).expect(file).root.cast().expect(file);
        for name in entries {
            let parameters = Evaluator::new(&module).parameters(name).expect("a function");
            let mut inputs = Inputs::new(3);
            let args: Vec<Any> = parameters
                .iter()
                .map(|(_, info)| inputs.value(info.as_ref().expect("an annotation")).expect("a value"))
                .collect();
            assert!(check(&module, name, &args, file), "{file} runs");
        }
    }
}

#[test]
fn random_programs_keep_their_results() {
    let mut results = 0;
    for seed in 0..PROGRAMS {
        let program = runnable::program(seed);
        results += usize::from(check(&program.module, "main", &program.args, &format!("seed {seed}")));
    }
    assert!(results > PROGRAMS as usize / 2, "{results} of {PROGRAMS} programs have a result");
}
