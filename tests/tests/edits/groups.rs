//! The edits of programs by function, with the changed parts of each.

use object_core::edit::{EditGroup, edits};
use object_core::prelude::*;

use crate::small::{Call, Expr, Let, Var};

type Program = Map<Str, Array<Let>>;

/// A function from its lines: the name of the variable, the operation, and the names of the arguments.
fn function(lines: &[(&str, &str, &[&str])]) -> Array<Let> {
    let mut vars: Vec<(String, Var)> = Vec::new();
    let lets = lines.iter().map(|(name, op, args)| {
        let arg = |arg: &&str| -> Expr {
            let known = vars.iter().find(|(name, _)| name == arg).expect("an earlier line binds it");
            known.1.clone().into()
        };
        let value = Call::new(*op, args.iter().map(arg).collect::<Array<Expr>>());
        let var = Var::new(*name);
        vars.push(((*name).to_owned(), var.clone()));
        Let::new(value, var)
    });
    lets.collect::<Vec<_>>().into_iter().collect()
}

fn program(functions: &[(&str, &Array<Let>)]) -> Program {
    functions.iter().map(|(name, lines)| (Str::from(*name), (*lines).clone())).collect()
}

/// The groups of a diff as lines: the entry, the kind of the whole, and for each edit its kind, its paths and its changed parts.
fn lines(a: &Program, b: &Program) -> Vec<String> {
    let (a, b) = (Any::from(a.clone()), Any::from(b.clone()));
    let script = edits(&a, &b).expect("there is a script");
    let mut lines = Vec::new();
    for EditGroup { entry, whole, edits, .. } in script.groups() {
        let whole = whole.map_or_else(String::new, |whole| format!(" {} {:?}", whole.kind.word(), whole.names));
        lines.push(format!("{}{whole}", entry.map_or_else(String::new, |it| it.to_string())));
        for edit in edits {
            let [lhs, rhs] = edit.paths();
            lines.push(format!("  {} {lhs} {rhs}", edit.kind.word()));
            for detail in script.details(&edit, [&a, &b]) {
                let value = |value: &Option<Any>| value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
                lines.push(format!("    {} {} {}", detail.inside, value(&detail.values[0]), value(&detail.values[1])));
            }
        }
    }
    lines
}

#[test]
fn a_changed_binding_is_one_edit_with_its_parts() {
    let before = function(&[("a", "exp", &[]), ("b", "neg", &[]), ("c", "add", &["a", "b"]), ("d", "max", &["c"])]);
    let after = function(&[("a", "exp", &[]), ("b", "neg", &[]), ("c", "mul", &["b"]), ("d", "max", &["c"])]);
    let other = function(&[("x", "exp", &[])]);
    assert_eq!(
        lines(&program(&[("f", &before), ("g", &other)]), &program(&[("f", &after), ("g", &other)])),
        [
            "<root>[\"f\"]",
            "  change <root>[\"f\"][2] <root>[\"f\"][2]",
            "    <root>.value.op \"add\" \"mul\"",
            "    <root>.value.args[0] edits.Var(name=\"a\", bits=0) -",
        ]
    );
}

#[test]
fn a_moved_binding_is_one_edit_without_parts() {
    let before = function(&[("a", "exp", &[]), ("b", "neg", &["a"]), ("c", "dot", &["a"]), ("d", "max", &["b", "c"])]);
    let after = function(&[("a", "exp", &[]), ("c", "dot", &["a"]), ("b", "neg", &["a"]), ("d", "max", &["b", "c"])]);
    let found = lines(&program(&[("f", &before)]), &program(&[("f", &after)]));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].starts_with("  move "), "{found:?}");
}

#[test]
fn changed_functions_come_before_added_and_removed_ones() {
    let one = function(&[("a", "exp", &[])]);
    let two = function(&[("a", "neg", &[])]);
    let long = function(&[("a", "exp", &[]), ("b", "dot", &["a"]), ("c", "add", &["a", "b"])]);
    // Functions that share one object would be edited where the object stands first.
    let same = function(&[("a", "max", &[])]);
    let a = program(&[("same", &same), ("changed", &one), ("removed", &long)]);
    let b = program(&[("same", &same), ("changed", &two), ("added2", &two), ("added1", &two)]);
    let entries: Vec<String> = lines(&a, &b).into_iter().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        entries,
        [
            "<root>[\"changed\"]",
            "<root>[\"added1\"] insert None",
            "<root>[\"added2\"] insert None",
            "<root>[\"removed\"] delete None",
        ]
    );
}

#[test]
fn a_renamed_function_is_one_edit() {
    let long = function(&[("a", "exp", &[]), ("b", "dot", &["a"]), ("c", "add", &["a", "b"])]);
    let found = lines(&program(&[("old", &long)]), &program(&[("new", &long)]));
    assert_eq!(found.len(), 1, "{found:?}");
}
