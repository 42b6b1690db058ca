//! Merges of values added at one place by both sides, and scripts beyond a limit of steps.

use object_core::edit::{EditOptions, Merged, merge};
use object_core::prelude::*;
use object_core::{Limits, structural_equal};

use crate::small::{Call, Expr, Let, Var};

fn line(name: &str, op: &str) -> Let {
    Let::new(Call::new(op, Array::<Expr>::default()), Var::new(name))
}

/// The one conflict of a merge: the value of the base and the values of both sides.
fn conflict<T>(merged: &Merged<T>) -> [Option<&Any>; 3] {
    let [conflict] = &*merged.conflicts else { panic!("{} conflicts", merged.conflicts.len()) };
    let [ours, theirs] = &conflict.sides;
    [conflict.base.as_ref(), ours.as_ref(), theirs.as_ref()]
}

#[test]
fn entries_of_one_key_are_a_conflict() {
    let of = |more: &[(&str, i64)]| -> Map<Str, i64> {
        [("a", 1), ("z", 9)].iter().chain(more).map(|(key, value)| (Str::from(*key), *value)).collect()
    };
    let merged = merge(&of(&[]), &of(&[("k", 2)]), &of(&[("k", 3)])).expect("it merges");
    assert!(structural_equal(&merged.value, &of(&[("k", 2)])), "{}", merged.value);
    let [base, ours, theirs] = conflict(&merged);
    assert!(base.is_none());
    assert_eq!([ours, theirs].map(|it| it.map(ToString::to_string)), [Some("2".to_owned()), Some("3".to_owned())]);

    let merged = merge(&of(&[]), &of(&[("k", 2), ("l", 4)]), &of(&[("k", 3), ("l", 5)])).expect("it merges");
    let paths: Vec<String> = merged.conflicts.iter().map(|it| it.path.to_string()).collect();
    assert_eq!(paths, ["<root>[\"k\"]", "<root>[\"l\"]"]);

    let merged = merge(&of(&[]), &of(&[("k", 2)]), &of(&[("l", 3)])).expect("it merges");
    assert!(merged.conflicts.is_empty());
    assert!(structural_equal(&merged.value, &of(&[("k", 2), ("l", 3)])), "{}", merged.value);
}

#[test]
fn bindings_of_one_name_are_a_conflict() {
    let (first, last) = (line("a", "first"), line("b", "last"));
    let of = |line: Option<Let>| -> Array<Let> {
        [Some(first.clone()), line, Some(last.clone())].into_iter().flatten().collect()
    };
    let [added, other, same_name] = [line("x", "exp"), line("y", "neg"), line("x", "neg")];
    let merged = merge(&of(None), &of(Some(added.clone())), &of(Some(same_name.clone()))).expect("it merges");
    assert!(structural_equal(&merged.value, &of(Some(added.clone()))), "{}", merged.value);
    let [base, ours, theirs] = conflict(&merged);
    assert!(base.is_none());
    assert!(
        ours.is_some_and(|it| structural_equal(it, &added))
            && theirs.is_some_and(|it| structural_equal(it, &same_name))
    );

    let merged = merge(&of(None), &of(Some(added)), &of(Some(other))).expect("it merges");
    assert!(merged.conflicts.is_empty());
    assert_eq!(merged.value.len(), 4);
}

#[test]
fn a_script_beyond_the_limit_of_steps_is_longer_and_applies() {
    let of = |changed: &[usize]| -> Array<Let> {
        (0..200).map(|at| line(&format!("v{at}"), if changed.contains(&at) { "exp" } else { "neg" })).collect()
    };
    let (a, b) = (of(&[]), of(&[3, 190]));
    let within =
        |steps: u64| EditOptions::new().limits(Limits::new().max_steps(steps)).edits(&a, &b).expect("a script");
    let full = within(u64::MAX);
    assert!(!full.search_ended());
    assert_eq!(full.edits().len(), 2);
    for steps in [0, 1, 20, 100] {
        let script = within(steps);
        assert!(script.search_ended(), "{steps} steps");
        assert!(script.to_json().expect("it can be saved").len() > full.to_json().expect("it can be saved").len());
        assert!(structural_equal(&script.apply(&a).expect("it applies"), &b), "{steps} steps");
        assert!(structural_equal(&script.inverted().apply(&b).expect("its inverse applies"), &a), "{steps} steps");
    }
}
