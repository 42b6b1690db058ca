//! Reductions of programs: seeded failures of random programs end at few bindings, and long programs need few tests.

use std::cell::Cell;

use object_core::prelude::*;
use object_core::reduce::Reducer;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{Position, walk};
use object_eval::{Evaluator, Trials, Verdict};
use object_ir::ir::{Binding, BindingBlock, CallNode, Function, IRModule, Op, OpNode, RelaxExpr, VarBinding};
use object_relax::analysis::{used_vars, var_values};
use object_relax::normal_form::Normalizer;
use object_relax::reduce::{is_whole, reduce, violates_no_more};
use object_relax::well_formed::{Checker, Severity};
use object_script::parse::parse;
use object_tests::runnable;

/// The failures of each kind, and the largest number of bindings at which one ends.
const FAILURES: usize = 10;
const FEW: usize = 10;

/// The most steps of a run.
const MAX_STEPS: u64 = 100_000;

/// The smallest program for which `fails` still holds, and the number of tests.
fn smallest(program: &Any, fails: impl Fn(&Any) -> bool) -> (Any, usize) {
    assert!(fails(program), "the original fails");
    let tests = Cell::new(0);
    let test = |candidate: &Any| {
        tests.set(tests.get() + 1);
        Ok(fails(candidate))
    };
    let is_valid = violates_no_more(program, Checker::new());
    let mut reducer = Reducer::new(program.clone(), test).valid(&is_valid).whole(is_whole);
    reduce(&mut reducer).expect("the test has no errors");
    let found = reducer.into_value();
    assert!(fails(&found) && is_valid(&found), "{}", shown(&found));
    (found, tests.get())
}

fn shown(program: &Any) -> String {
    object_script::print::print(program).to_string()
}

fn bindings(program: &Any) -> usize {
    let mut count = 0;
    walk(program, |_: &Binding, _| count += 1);
    count
}

/// The operator that an expression calls.
fn operator(value: &RelaxExpr) -> Option<Str> {
    let call = value.as_object().view().node::<CallNode>()?;
    call.op.as_object().view().node::<OpNode>().map(|op| op.name.clone())
}

/// The pairs of operators in a function of which the second takes a result of the first, directly or not.
fn dependences(program: &Any) -> Vec<(Str, Str)> {
    let mut pairs = Vec::new();
    walk(program, |function: &Function, _| pairs.extend(dependences_in(function)));
    pairs
}

fn dependences_in(function: &Function) -> Vec<(Str, Str)> {
    let values = var_values(function);
    let mut pairs = Vec::new();
    for (var, value) in values.iter() {
        let Some(last) = operator(value) else { continue };
        let mut open = vec![var.clone()];
        let mut seen = Vec::new();
        while let Some(var) = open.pop() {
            let Some(value) = values.get(&var).filter(|_| !seen.contains(&var)) else { continue };
            if !seen.is_empty() {
                pairs.extend(operator(value).map(|first| (first, last.clone())));
            }
            open.extend(used_vars(value));
            seen.push(var);
        }
    }
    pairs
}

/// A random program in normal form.
fn program(seed: u64) -> IRModule {
    Normalizer::new().module(&runnable::program(seed).module).expect("a program")
}

#[test]
fn crashes_on_two_operators_end_at_few_bindings() {
    let mut failures = 0;
    for seed in 0..1000 {
        let program = Any::from(program(seed));
        let pairs = dependences(&program);
        let Some(pair) = pairs.get(seed as usize * 7 % pairs.len().max(1)) else { continue };
        let (found, tests) = smallest(&program, |it| dependences(it).contains(pair));
        let (before, after) = (bindings(&program), bindings(&found));
        assert!(after <= FEW, "seed {seed}: {pair:?}, {before} bindings, {tests} tests\n{}", shown(&found));
        failures += 1;
        if failures == FAILURES {
            return;
        }
    }
    panic!("{failures} failures");
}

/// The rules with errors.
fn violated(program: &Any) -> Vec<&'static str> {
    let report = Checker::new().check(program);
    report.counts.iter().filter(|it| it.severity == Severity::Error).map(|it| it.rule.name).collect()
}

/// The program with the bindings of one block in another order, or without one of them.
fn broken(module: &IRModule, seed: usize) -> Any {
    let mut number = 0;
    let change = |block: &BindingBlock, _: &Position<'_>| {
        number += 1;
        let mut bindings: Vec<Binding> = block.bindings.iter().collect();
        if number % 2 == seed % 2 {
            return Mutation::Keep;
        }
        if seed.is_multiple_of(3) {
            bindings.reverse();
        } else {
            bindings.remove(seed % bindings.len());
        }
        Mutation::Replace(block.clone().with_changes(|node| node.bindings = bindings.into()).into())
    };
    Mutate::new().leave(change).run(Any::from(module.clone())).expect("a graph")
}

#[test]
fn violations_end_at_few_bindings() {
    let mut failures = 0;
    for seed in 0..1000 {
        let program = broken(&program(seed), seed as usize);
        let rules = violated(&program);
        let Some(rule) = rules.get(seed as usize % rules.len().max(1)) else { continue };
        let (found, tests) = smallest(&program, |it| violated(it).contains(rule));
        let (before, after) = (bindings(&program), bindings(&found));
        assert!(after <= FEW, "seed {seed}: {rule}, {before} bindings, {tests} tests\n{}", shown(&found));
        failures += 1;
        if failures == FAILURES {
            return;
        }
    }
    panic!("{failures} failures");
}

/// The faults of a fake compiler: it takes one operator for another.
const FAULTS: [[&str; 2]; 10] = [
    ["relax.add", "relax.subtract"],
    ["relax.subtract", "relax.add"],
    ["relax.multiply", "relax.add"],
    ["relax.maximum", "relax.minimum"],
    ["relax.minimum", "relax.maximum"],
    ["relax.exp", "relax.sin"],
    ["relax.cos", "relax.abs"],
    ["relax.tanh", "relax.negative"],
    ["relax.abs", "relax.negative"],
    ["relax.negative", "relax.abs"],
];

/// Whether the program has other results after the fault.
fn is_miscompiled(program: &Any, [operator, other]: [&str; 2]) -> bool {
    let other = Op::get(other).expect("an operator");
    let change = |op: &Op, _: &Position<'_>| (op.name.as_str() == operator).then(|| Any::from(other.clone()));
    let compiled = Mutate::new().leave(change).run(program.clone()).expect("a graph");
    let modules = [program, &compiled].map(|it| it.clone().cast::<IRModule>());
    let [Ok(before), Ok(after)] = modules.map(|it| it.map(|it| Evaluator::new(&it).max_steps(MAX_STEPS))) else {
        return false;
    };
    Trials::new(7).compare([&before, &after], "main").is_ok_and(|report| report.verdict == Verdict::Different)
}

#[test]
fn wrong_results_end_at_few_bindings() {
    let mut failures = 0;
    for seed in 0..1000 {
        let (program, fault) = (Any::from(program(seed)), FAULTS[seed as usize % FAULTS.len()]);
        if !is_miscompiled(&program, fault) {
            continue;
        }
        let (found, tests) = smallest(&program, |it| is_miscompiled(it, fault));
        let (before, after) = (bindings(&program), bindings(&found));
        assert!(after <= FEW, "seed {seed}: {fault:?}, {before} bindings, {tests} tests\n{}", shown(&found));
        failures += 1;
        if failures == FAILURES {
            return;
        }
    }
    panic!("{failures} failures");
}

/// A chain of bindings of which two call other operators.
fn chain(count: usize, special: [usize; 2]) -> Any {
    let line = |at: usize| match special.iter().position(|it| *it == at) {
        Some(0) => format!("            x{} = R.tanh(x{at})\n", at + 1),
        Some(_) => format!("            x{} = R.nn.relu(x{at})\n", at + 1),
        None => format!("            x{} = R.add(x{at}, w)\n", at + 1),
    };
    let lines: String = (0..count).map(line).collect();
    let script = format!(
        "@R.function\ndef main(x0: R.Tensor((8, 4), \"float32\"), w: R.Tensor((8, 4), \"float32\")):\n    with R.dataflow():\n{lines}            R.output(x{count})\n    return x{count}\n"
    );
    parse(&script).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn a_chain_of_10_000_bindings_takes_less_than_200_tests() {
    let pair = (Str::from("relax.tanh"), Str::from("relax.nn.relu"));
    for special in [[5, 9990], [9998, 9999]] {
        let program = chain(10_000, special);
        let has_both = |it: &Any| {
            let mut found: Vec<Str> = Vec::new();
            walk(it, |binding: &VarBinding, _| found.extend(operator(&binding.value)));
            found.contains(&pair.0) && found.contains(&pair.1)
        };
        let (found, tests) = smallest(&program, has_both);
        assert_eq!(bindings(&found), 2, "{special:?}: {}", shown(&found));
        assert!(tests < 100, "{special:?}: {tests} tests");
    }
}
