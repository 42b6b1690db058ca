//! The rules of the checker: their examples, and `docs/rule_index.md`, which `BLESS=1` renews.

use std::collections::BTreeSet;
use std::fs;

use object_core::Any;
use object_relax::well_formed::{Checker, Level, Profile, Report, Rule, all_rules, reason_of_levels};
use object_tests::notation;

use crate::common;

/// Checks an example with all rules at their own levels, and `rule` on.
fn check(rule: &'static Rule, example: &str) -> Result<Report, String> {
    let program: Any = notation::parse(example).map_err(|error| format!("{}: {error}: {example}", rule.name))?;
    let checker =
        if rule.level(Profile::Spec) == Level::Allow { Checker::new().deny(rule.name) } else { Ok(Checker::new()) };
    Ok(checker.map_err(|error| error.to_string())?.check(&program))
}

#[test]
fn examples_break_or_keep_their_rule() {
    let mut wrong = Vec::new();
    for rule in all_rules() {
        match check(rule, rule.failing) {
            Ok(report) if matches!(report.diagnostics.as_slice(), [only] if only.rule == rule) => {}
            Ok(report) => wrong.push(format!("{}: the failing example gives\n{report}", rule.name)),
            Err(error) => wrong.push(error),
        }
        match check(rule, rule.passing) {
            Ok(report) if report.diagnostics.is_empty() => {}
            Ok(report) => wrong.push(format!("{}: the passing example gives\n{report}", rule.name)),
            Err(error) => wrong.push(error),
        }
    }
    common::report(&wrong, all_rules().count());
}

fn nothing(_: Any) -> Any {
    Any::None
}

object_core::register_function!(pure "test.well_formed.pure"(value) = nothing);
object_core::register_function!("test.well_formed.silent"(value) = nothing);
object_core::register_function!(impure "test.well_formed.impure"(value) = nothing);

/// Each function, and whether a call of it counts as pure, by itself and by `call_pure_packed`.
#[test]
fn declared_functions_have_the_effect_that_they_declare() {
    for (name, by_itself, as_pure) in [
        ("test.well_formed.pure", true, true),
        ("test.well_formed.silent", false, true),
        ("test.well_formed.impure", false, false),
        ("test.well_formed.unknown", false, true),
    ] {
        let accepts = |text: &str| {
            let module: Any = notation::parse(text).expect("a module");
            Checker::new().check(&module).is_well_formed()
        };
        let in_dataflow = format!("impure fn main(x: T[2]) {{ dataflow {{ y: Obj = \"{name}\"(x) }} return y }}");
        let in_function = format!("fn main(x: T[2]) {{ y: Obj = \"{name}\"(x); return y }}");
        assert_eq!((accepts(&in_dataflow), accepts(&in_function)), (by_itself, by_itself), "{name}");
        let packed = format!("fn main(x: T[2]) {{ y: Obj = relax.call_pure_packed(\"{name}\", x)<Obj>; return y }}");
        assert_eq!(accepts(&packed), as_pure, "{name}");
    }
}

#[test]
fn names_are_unique_words_with_hyphens() {
    let names: BTreeSet<&str> = all_rules().map(|rule| rule.name).collect();
    assert_eq!(names.len(), all_rules().count());
    for rule in all_rules() {
        assert!(rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.name);
        assert!(!rule.text.is_empty() && !rule.source.is_empty(), "{}", rule.name);
    }
}

#[test]
fn every_criterion_has_a_rule() {
    let criteria: BTreeSet<&str> = all_rules().flat_map(|rule| rule.criteria).copied().collect();
    // The types of the nodes guarantee the third demand of the normal form.
    let expected = (1..=18).map(|number| number.to_string()).chain(["NF1", "NF2", "NF4"].map(str::to_owned));
    let missing: Vec<String> = expected.filter(|it| !criteria.contains(it.as_str())).collect();
    assert!(missing.is_empty(), "no rule for {missing:?}");
}

const INTRODUCTION: &str = "# The rules of the checker

The test `well_formed` writes this page from the rules in `object-relax/src/well_formed/rules/`; `BLESS=1` renews it.
`objir check --explain RULE` prints one of them. A rule is off (`allow`), a warning (`warn`) or an error (`deny`). The level
depends on the profile; `object-relax/data/rule_levels.txt` is the table.

| profile | errors | warnings |
|---|---|---|
| `tvm-0.25`, `tvm-0.27` | the errors of `relax.analysis.well_formed` of this version | the other rules |
| `strict` | the errors of TVM and of the specification | advice |
| `spec` | the rules of the specification; each message cites the place that states the rule | advice |

`objir check` takes the version of TVM that wrote the file, and `tvm-0.25` for scripts.

The profile `spec` covers the criteria 1 to 18 for programs before normalization too: it allows missing structural
information, and the rules of the phase `ast` look into nested expressions. Three forms of the grammar of the
specification do not exist here, because the types are the types of TVM: the body of a function and the branches of an `If` are
`SeqExpr`s, a `Function` has a `ret_struct_info`, and a `MatchCast` has a variable. The reader rejects a file without them, and
names the field. Criterion 15 demands that a `FuncStructInfo` has `params` or `derive_func`. A function described by its result
alone is legal here (erratum), because the specification gives it to packed functions.

The examples are written in a short notation. A name stands for one variable in the whole program.

| notation | meaning |
|---|---|
| `fn f(x: T[n]) -> T[n] { ... return x }` | a global function, whose `global_symbol` is its name |
| `private`, `impure`, `forced`, `as \"g\"` | without `global_symbol`; not pure; with `relax.force_pure`; with another `global_symbol` |
| `fn f: Fn(T[2]) -> T[2] (...)` | the structural information of the global variable |
| `prim fn f`, `prim fn f(x, A[4]) tir { ... }` | a loop program; with a parameter, a buffer, the attribute `s_tir`, and statements |
| `for i < 4 {...}`, `for i as i32 < 4 {...}`, `bind x = 1`, `eval x` | `For`, also with a data type; `Bind`; `Evaluate` |
| `alloc A[4]`, `A[i] = 1`, `block(v < 4 = i) {...}` | `AllocBuffer`; `BufferStore`; `SBlockRealize` with an iterator and its value |
| `y: T[2] = ...`, `y = match(x, T[n])`, `a$` | a `VarBinding`; a `MatchCast`; a `DataflowVar` |
| `dataflow { ... }`, `block { ... }` | a `DataflowBlock`; a `BindingBlock`, which other bindings form by themselves |
| `relax.add(x, y)`, `@f(x)`, `\"f\"(x)<T[2]>` | calls of an operator, a global function, an external function with `sinfo_args` |
| `e: T[2]` | an expression with structural information |
| `(x, y)`, `x.0`, `shape[n]`, `prim(1)`, `if c {...} else {...}` | `Tuple`, `TupleGetItem`, `ShapeExpr`, `PrimValue`, `If` |
| `T[2, n; i8]`, `T[2]#3`, `T(2)`, `T{s}` | a tensor; with `ndim` 3; of rank 2; of the shape that is the value of `s` |
| `S[n]`, `S(1)`, `P(i64)`, `Tup(...)`, `Fn(...) -> T[2]`, `Obj` | structural information of other values |
";

#[test]
fn the_index_is_up_to_date() {
    let mut page = INTRODUCTION.to_owned();
    for rule in all_rules() {
        let mut write = |text: &str| page.push_str(text);
        write(&format!("\n## `{}`\n\n", rule.name));
        write(&format!("{}\n\n", rule.text));
        let levels = Profile::ALL.map(|profile| format!("`{}` under `{profile}`", rule.level(profile))).join(", ");
        let reason = Some(reason_of_levels(rule)).filter(|reason| !reason.is_empty());
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        write(&format!("Level {levels}{reason}. Phase `{}`.\nSource: {}.\n", rule.phase, rule.source));
        for (title, example) in [("breaks the rule", rule.failing), ("keeps it", rule.passing)] {
            let lines = example.lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
            let example: Vec<&str> = lines.collect();
            write(&format!("\n```text\n// {title}\n{}\n```\n", example.join("\n")));
        }
    }
    let path = common::at_root("docs/rule_index.md");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).expect("the index can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/rule_index.md is not up to date; BLESS=1 renews it");
}
