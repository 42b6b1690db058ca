//! Transforms keep results: random programs and fixtures have the same result before and after normalization, and with and
//! without the bindings that nothing needs and values that are computed again, and after rules.

use std::sync::LazyLock;

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter, Tolerance, compare};
use object_ir::ir::{Function, IRModule};
use object_relax::normal_form::Normalizer;
use object_relax::transform::{BindingRule, BindingRules, eliminate_common_subexpressions, remove_all_unused};
use object_script::parse::parse;
use object_tests::runnable;

use crate::common::fixture;

/// The number of random programs.
const PROGRAMS: u64 = 300;

/// The largest number of bytes of the values of a run.
const MAX_BYTES: u64 = 1 << 30;

/// Parameters, a pattern, and a replacement with the same value to the last bit.
const EQUATIONS: [(&str, &str, &str); 3] = [
    ("x: R.Tensor, y: R.Tensor", "R.subtract(x, y)", "R.add(x, R.negative(y))"),
    ("x: R.Tensor, y: R.Tensor", "R.multiply(x, R.minimum(y, y))", "R.multiply(y, x)"),
    ("x: R.Tensor(dtype='float32')", "R.exp(R.tanh(x))", "R.exp(R.maximum(R.tanh(x), R.const(-1.0, 'float32')))"),
];

static RULES: LazyLock<BindingRules> = LazyLock::new(|| {
    let function = |params: &str, value: &str| -> Function {
        let script = format!("@R.function\ndef f({params}):\n    return {value}\n");
        parse(&script).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a function")
    };
    EQUATIONS.iter().fold(BindingRules::new(), |rules, (params, pattern, replacement)| {
        rules.rule(BindingRule::of(&function(params, pattern), &function(params, replacement)).expect("a rule"))
    })
});

/// The changes of a module whose results are compared.
fn changed(module: &IRModule) -> [(&'static str, Result<IRModule, Error>); 4] {
    [
        ("normalized", Normalizer::new().module(module)),
        ("without unused bindings", remove_all_unused(module)),
        ("without common subexpressions", eliminate_common_subexpressions(module)),
        ("after rules", RULES.run(module)),
    ]
}

/// Compares the entry `name` of a module before and after the changes; whether the entry has a result.
fn check(module: &IRModule, name: &str, args: &[Any], label: &str) -> bool {
    let exact = Tolerance::new().relative(0.0).absolute(0.0);
    let before = Evaluator::new(module).max_steps(1 << 30);
    let mut has_result = false;
    for (change, after) in changed(module) {
        let after = after.unwrap_or_else(|error| panic!("{label} {change}: {error}"));
        let after = Evaluator::new(&after).max_steps(1 << 30);
        let found = compare([&before, &after], name, args, exact, &Meter::with_limit(MAX_BYTES)).expect("memory");
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
    let (mut results, mut with_rules) = (0, 0);
    for seed in 0..PROGRAMS {
        let program = runnable::program(seed);
        results += usize::from(check(&program.module, "main", &program.args, &format!("seed {seed}")));
        let normal = Normalizer::new().module(&program.module).expect("a normal program");
        with_rules += usize::from(!structural_equal(&normal, &RULES.run(&normal).expect("a program")));
    }
    assert!(results > PROGRAMS as usize / 2, "{results} of {PROGRAMS} programs have a result");
    assert!(with_rules > PROGRAMS as usize / 4, "rules apply to {with_rules} of {PROGRAMS} programs");
}
