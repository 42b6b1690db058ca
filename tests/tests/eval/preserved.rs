//! Transforms keep results: random programs and fixtures have the same result before and after normalization, and with and
//! without the bindings that nothing needs and values that are computed again, after rules and after transforms of modules.

use std::sync::LazyLock;

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter, Tensor, Tolerance, compare, first_difference};
use object_ir::ir::{Function, IRModule};
use object_relax::normal_form::Normalizer;
use object_relax::transform::{
    BindingRule, BindingRules, ModuleCompiler, SharedTransform, SortDirection, SortOrder, bind_params,
    eliminate_common_subexpressions, fold_constants, inline_private_functions, lift_transform_params,
    remove_all_unused, remove_unused_params, topological_sort,
};
use object_relax::well_formed::Checker;
use object_script::parse::parse;
use object_tests::runnable;

use crate::common::fixture;

/// The number of random programs.
const PROGRAMS: u64 = 100;

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
fn changed(module: &IRModule) -> [(&'static str, Result<IRModule, Error>); 10] {
    let compile = |calls: &IRModule| Evaluator::new(calls).max_steps(1 << 20).into_compiled();
    let inlined = inline_private_functions(module);
    [
        ("normalized", Normalizer::new().module(module)),
        ("without unused bindings", remove_all_unused(module)),
        ("without common subexpressions", eliminate_common_subexpressions(module)),
        ("after rules", RULES.run(module)),
        ("with folded constants", fold_constants(module, ModuleCompiler(&compile))),
        ("without unused parameters", remove_unused_params(module)),
        ("inlined without unused parameters", inlined.clone().and_then(|module| remove_unused_params(&module))),
        ("inlined", inlined),
        ("sorted from inputs", topological_sort(module, SortOrder::BreadthFirst, SortDirection::FromInputs)),
        ("sorted from outputs", topological_sort(module, SortOrder::DepthFirst, SortDirection::FromOutputs)),
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

/// Private functions with symbolic dimensions, arguments of unknown shape, a function as a value, and weights.
const CALLS: &str = r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3, "k"), "float32"), w: R.Tensor(("k", 3), "float32"), v: R.Tensor((3, 3), "float32")):
        k = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            twice = R.add(w, w)
            ones = R.ones(R.shape([3, 3]), "float32")
            sum = R.add(v, ones)
            a = R.matmul(x, twice)
            h = cls.chosen(a)
            b = R.matmul(R.add(h, a), sum)
            R.output(b)
        u: R.Tensor(dtype="float32", ndim=2) = R.match_cast(b, R.Tensor(dtype="float32", ndim=2))
        c = cls.flat(u)
        d = cls.flat(x)
        e = cls.size(x, R.prim_value(k + 1), v)
        f = cls.flat
        g = cls.constants(v)
        return (c, d, e, f(w), g, u)
    @R.function
    def scaled(x: R.Tensor(("m", "n"), "float32"), w: R.Tensor(("m * n",), "float32")):
        m = T.int64(); n = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            twice = R.add(w, w)
            y = R.multiply(x, R.reshape(twice, R.shape([m, n])))
            R.output(y)
        return y
    @R.function(private=True)
    def chosen(x: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
        if R.const(True, "bool"):
            y = R.add(x, x)
        else:
            y = x
        return y
    @R.function(private=True)
    def flat(x: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n * m",), "float32"):
        n = T.int64(); m = T.int64()
        return R.reshape(x, (n * m,))
    @R.function(private=True)
    def size(x: R.Tensor(("n", "m"), "float32"), p: R.Prim(value="q"), v: R.Tensor((3, 3), "float32")) -> R.Tensor(("n * m", "q"), "float32"):
        n = T.int64(); m = T.int64(); q = T.int64()
        y = R.zeros(R.shape([n * m, q]), "float32")
        return R.add(y, Module.one(v, v))
    @R.function(private=True)
    def one(x: R.Tensor((3, 3), "float32"), y: R.Tensor((3, 3), "float32")) -> R.Tensor((), "float32"):
        return R.sum(x)
    @R.function(private=True)
    def constants(x: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
        with R.dataflow():
            a = R.add(R.const([1.0, 2.0, 3.0], "float32"), R.const([1.0, 2.0, 3.0], "float32"))
            b = R.add(x, R.exp(a))
            R.output(b)
        return b
"#;

#[test]
fn calls_and_weights_keep_their_results() {
    let module: IRModule = parse(CALLS).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a module");
    let evaluator = Evaluator::new(&module);
    let parameters = evaluator.parameters("main").expect("a function");
    let args = Inputs::new(3).dim("k", 4).arguments(&parameters, &[]).expect("values");
    assert!(check(&module, "main", &args, "calls"), "the program runs");
    let tolerance = Tolerance::new().relative(0.0).absolute(0.0);
    let exact = |a: &Any, b: &Any| first_difference(a, b, tolerance).expect("tensors").is_none();
    let expected = evaluator.run("main", args.clone()).expect("a result");

    for shared in [SharedTransform::No, SharedTransform::Of(&["main"])] {
        let lifted = lift_transform_params(&module, shared).expect("a module");
        let report = Checker::new().check(&lifted);
        assert!(report.is_well_formed(), "{report}");
        let lifted = Evaluator::new(&lifted);
        let transform = if shared == SharedTransform::No { "main_transform_params" } else { "transform_params" };
        let weights = Array::<Any>::from_anys(args[1..].to_vec());
        let weights: Array<Any> = lifted.run(transform, [weights]).expect("weights").cast().expect("a tuple");
        let result = lifted.run("main", std::iter::once(args[0].clone()).chain(weights.iter())).expect("a result");
        assert!(exact(&expected, &result), "lifted weights have another result");
    }

    let weight = args[1].clone().cast::<Tensor>().and_then(|tensor| tensor.to_constant()).expect("a tensor");
    let bound = bind_params(&module, "main", &[("w", weight)]).expect("a module");
    let result = Evaluator::new(&bound).run("main", [args[0].clone(), args[2].clone()]).expect("a result");
    assert!(exact(&expected, &result), "constants as weights have another result");
}
