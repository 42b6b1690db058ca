//! Many edits in a deep value: their script shares the ways to them.

use object_core::edit::{EditScript, edits, merge};
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::structural_equal;

use crate::small::{Call, Expr};

/// Calls inside of each other. `op` has the operation at a depth.
fn chain(depth: usize, op: impl Fn(usize) -> &'static str) -> Expr {
    (0..depth).fold(Call::new("end", Array::<Expr>::default()).into(), |inner: Expr, at| {
        Call::new(op(at), [inner, Call::new("side", Array::<Expr>::default()).into()]).into()
    })
}

/// A script with an edit at each depth.
fn script(depth: usize) -> EditScript {
    let (a, b) = (chain(depth, |_| "exp"), chain(depth, |_| "neg"));
    let script = edits(&a, &b).expect("there is a script");
    assert_eq!(script.changes().len(), depth);
    script
}

#[test]
fn a_saved_script_is_linear_in_the_depth_of_its_edits() {
    let [small, large] = [100, 400].map(|depth| script(depth).to_json().expect("it can be saved").len());
    // Numbers have one more digit in a larger text.
    assert!(large < 5 * small, "{small} bytes, {large} bytes");
}

#[test]
fn many_deep_edits_apply_invert_load_and_merge() {
    let (a, b) = (chain(300, |_| "exp"), chain(300, |at| if at % 2 == 0 { "neg" } else { "exp" }));
    let text = edits(&a, &b).expect("there is a script").to_json().expect("it can be saved");
    let script = EditScript::from_json(text.as_bytes(), JsonReader::new()).expect("it can be loaded");
    assert_eq!(script.edits().len(), 150);
    assert!(structural_equal(&script.apply(&a).expect("it applies"), &b));
    assert!(structural_equal(&script.inverted().apply(&b).expect("its inverse applies"), &a));
    assert_eq!(script.to_json().expect("it can be saved"), text);
    let other = chain(300, |at| if at % 3 == 1 { "max" } else { "exp" });
    let merged = merge(&a, &b, &other).expect("it merges");
    let op = |at| {
        if at % 2 == 0 {
            "neg"
        } else if at % 3 == 1 {
            "max"
        } else {
            "exp"
        }
    };
    let both = (0..300).filter(|at| at % 2 == 0 && at % 3 == 1).count();
    assert_eq!(merged.conflicts.len(), both);
    assert!(structural_equal(&merged.value, &chain(300, op)), "{}", merged.value);
}

#[test]
fn wrong_places_are_errors() {
    let (a, b) = (chain(3, |_| "exp"), chain(3, |at| if at == 0 { "neg" } else { "exp" }));
    let text = edits(&a, &b).expect("there is a script").to_json().expect("it can be saved");
    let load = |text: &str| EditScript::from_json(text.as_bytes(), JsonReader::new());
    let error = load(&text).expect("it loads").apply(&chain(1, |_| "exp")).expect_err("the value has no such place");
    assert_eq!(error.kind(), ErrorKind::BadReference);
    assert!(error.to_string().ends_with("(at <root>.args[0].args[0])"), "{error}");
    // The places are an array of steps from the root, and the change is an array with the places of its objects.
    for (right, wrong, expected) in [
        ("[3,3,4,3,4,3]", "[1,3,4,3,4,3]", "an earlier place"),
        ("[3,3,4,3,4,3]", "[3,1,4]", "the unit of a place"),
        ("[3,11,12,14,11,12,16]", "[3,1,12,14,11,12,16]", "the number of a place"),
        ("[3,11,12,14,11,12,16]", "[3,11,12,1,11,12,16]", "the number of a place"),
        ("\"data\":2}", "\"data\":1}", "the version 2"),
    ] {
        assert!(text.contains(right), "{text}");
        let error = load(&text.replacen(right, wrong, 1)).expect_err(expected);
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.to_string().contains(&format!("expected {expected} of an edit script")), "{error}");
    }
}
