//! Rules that replace the values of bindings. Each file in `tests/data/rules` has a module with the functions `pattern` and
//! `replacement`, and then the module after the rule. `BLESS=1` writes the latter.

use std::fs;
use std::path::PathBuf;

use object_core::limits::Limits;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter, Tolerance, compare};
use object_ir::ir::{Function, IRModule};
use object_relax::transform::{BindingRule, BindingRules};
use object_relax::well_formed::Checker;
use object_script::parse::parse;
use object_script::print::print;

use crate::common::at_root;

const MARK: &str = "\n# After the rule:\n";

/// The largest number of bytes of the values of a run.
const MAX_BYTES: u64 = 1 << 20;

fn module(script: &str) -> IRModule {
    parse(script).unwrap_or_else(|errors| panic!("{errors}\n{script}")).cast().expect("a module")
}

/// The module without the functions of the rule.
fn program(module: &IRModule) -> IRModule {
    let mut program = module.clone();
    let is_kept = |name: &Str| !["pattern", "replacement"].contains(&name.as_str());
    program.make_mut().functions = module.functions.iter().filter(|(var, _)| is_kept(&var.name_hint)).collect();
    program.make_mut().global_var_map = module.global_var_map.iter().filter(|(name, _)| is_kept(name)).collect();
    program
}

/// The results of `main` before and after are close, if it has one before.
fn check_results(file: &str, before: &IRModule, after: &IRModule) {
    let (before, after) = (Evaluator::new(before), Evaluator::new(after));
    let parameters = before.parameters("main").expect("a function");
    let mut inputs = Inputs::new(7);
    let args: Result<Vec<Any>, Error> =
        parameters.iter().map(|(_, info)| inputs.value(info.as_ref().expect("an annotation"))).collect();
    let Ok(args) = args else { return };
    let found =
        compare([&before, &after], "main", &args, Tolerance::new().relative(1e-5), &Meter::with_limit(MAX_BYTES))
            .expect("memory");
    assert!(found.is_same() || found.results[0].is_err(), "{file}: {:?}\n{:?}", found.difference, found.results);
}

#[test]
fn programs_after_rules() {
    let mut files: Vec<PathBuf> = fs::read_dir(at_root("tests/data/rules"))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut stale = Vec::new();
    for path in files {
        let file = path.display().to_string();
        let text = fs::read_to_string(&path).expect("a text");
        let (script, expected) = text.split_once(MARK).unwrap_or((&text, ""));
        let whole = module(script);
        let rules = BindingRules::new()
            .rule(BindingRule::from_module(&whole).unwrap_or_else(|error| panic!("{file}: {error}")));
        let before = program(&whole);
        let after = rules.run(&before).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(Checker::new().check(&before).is_well_formed(), "{file}: before the rule");
        let report = Checker::new().check(&after);
        assert!(report.is_well_formed(), "{file}: {:?}\n{}", report.diagnostics, print(&after));
        assert!(rules.run(&after).expect("a module").ptr_eq(&after), "{file}: the rule applies again");
        check_results(&file, &before, &after);
        let printed = print(&after).to_string();
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, format!("{}{MARK}{}\n", script.trim_end(), printed.trim_end())).expect("a text");
        } else if printed.trim() != expected.trim() {
            stale.push(format!("{file}:\n{printed}"));
        }
    }
    assert!(stale.is_empty(), "BLESS=1 writes these results:\n{}", stale.join("\n"));
}

fn function(script: &str) -> Function {
    let text = script.replacen("): ", "):\n    ", 1).replace("; ", "\n    ");
    parse(&format!("@R.function\n{text}")).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a function")
}

#[test]
fn wrong_rules_are_errors() {
    for (pattern, replacement, expected) in [
        (
            "def f(x: R.Tensor): return x",
            "def f(x: R.Tensor): return x",
            "expected a pattern that returns the value of a binding, got a parameter",
        ),
        (
            "def f(x: R.Tensor, y: R.Tensor): return R.exp(x)",
            "def f(x: R.Tensor, y: R.Tensor): return x",
            "got one that does not use `y`",
        ),
        (
            "def f(x: R.Tensor): return R.exp(x)",
            "def f(x: R.Tensor, y: R.Tensor): return x",
            "expected a replacement with the 1 parameters of the pattern, got 2",
        ),
        (
            "def f(x: R.Tensor((2,), 'float32')): return R.exp(x)",
            "def f(x: R.Tensor((3,), 'float32')): return x",
            "parameter 0 `x` of the rule: expected",
        ),
        (
            "def f(x: R.Tensor): return R.exp(x)",
            "def f(x: R.Tensor((2,), 'float32')): y = R.match_cast(x, R.Tensor); return y",
            "parameter 0 `x` of the rule: expected",
        ),
        (
            "def f(x: R.Tensor): y = R.match_cast(x, R.Tensor((2,), 'float32')); return y",
            "def f(x: R.Tensor): return x",
            "expected bindings of calls, tuples and constants, got another one for `y`",
        ),
    ] {
        let error = BindingRule::of(&function(pattern), &function(replacement)).expect_err(pattern);
        assert!(error.to_string().contains(expected), "{error}");
    }
    let error =
        BindingRule::from_module(&module("@I.ir_module\nclass Module:\n    pass\n")).expect_err("an empty module");
    assert_eq!(error.kind(), ErrorKind::MissingField);
}

/// A function of `count` sums, each of which uses the one before twice, so the last one as a tree has `2^count` leaves. Then
/// comes `last`, or the return of the last sum.
fn sums(count: usize, last: &str) -> Function {
    let sum = |level: usize| format!("v{} = R.add(v{level}, v{level}); ", level + 1);
    let sums: String = (0..count).map(sum).collect();
    let result = format!("return v{count}");
    let last = if last.is_empty() { &result } else { last };
    function(&format!("def f(v0: R.Tensor((2,), 'float32')): {sums}{last}"))
}

#[test]
fn patterns_are_bounded() {
    let same = function("def f(v0: R.Tensor((2,), 'float32')): return v0");
    let largest = BindingRule::of(&sums(1000, ""), &same).expect("a rule");
    let after = BindingRules::new().rule(largest).run(&sums(1000, "")).expect("a function");
    assert!(!print(&after).to_string().contains("R.add"));
    let error = BindingRule::of(&sums(1001, ""), &same).expect_err("a pattern above the limit");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert!(error.to_string().contains("at most 1000 bindings, got 1001"), "{error}");
}

#[test]
fn rules_that_go_on_are_errors() {
    let rule = |pattern: &str, replacement: &str| {
        let of = |value: &str| function(&format!("def f(x: R.Tensor): return {value}"));
        BindingRule::of(&of(pattern), &of(replacement)).expect("a rule")
    };
    let program = function("def f(x: R.Tensor((2,), 'float32')): y = R.exp(x); return y");
    let own = BindingRules::new().rule(rule("R.exp(x)", "R.negative(R.exp(R.exp(x)))"));
    let error = own.run(&program).expect_err("the pattern matches the replacement");
    assert!(error.kind() == ErrorKind::Malformed && error.to_string().contains("for ever"), "{error}");
    let (there, back) = (rule("R.exp(x)", "R.log(x)"), rule("R.log(x)", "R.exp(x)"));
    for limits in [Limits::new().max_nodes(100), Limits::new().max_steps(100)] {
        let error = BindingRules::new()
            .rule(there.clone())
            .rule(back.clone())
            .limits(limits)
            .run(&program)
            .expect_err("no end");
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    }
}

#[test]
fn deep_and_shared_patterns_match() {
    const LEVELS: usize = 300;
    let pattern = sums(LEVELS, "");
    let rule = BindingRule::of(&pattern, &function("def f(v0: R.Tensor((2,), 'float32')): return v0")).expect("a rule");
    let rules = BindingRules::new().rule(rule);
    let after = rules.run(&sums(LEVELS, &format!("w = R.exp(v{LEVELS}); return w"))).expect("a function");
    let text = print(&after).to_string();
    assert!(
        !text.contains("R.add") && text.contains(&format!("v{LEVELS}: R.Tensor((2,), dtype=\"float32\") = v0")),
        "{text}"
    );
}
