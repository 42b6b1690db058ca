//! The text form on several lines.

use object_core::prelude::*;
use object_core::repr::{Repr, parse};

#[derive(Object)]
#[object(type_key = "indent.Expr", base)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "indent.Var", parent = ExprNode)]
#[structural_eq(var)]
struct VarNode {
    base: ExprNode,
    name: Str,
}

#[derive(Object)]
#[object(type_key = "indent.Call", parent = ExprNode)]
#[structural_eq(tree)]
struct CallNode {
    base: ExprNode,
    args: Array<Expr>,
    attrs: Map<Str, Any>,
    callee: Str,
}

fn call() -> Call {
    let x = Var::new("x");
    let inner = Call::new([Expr::from(&x), Expr::from(&x)], [("axes".into(), Any::from(Array::from([0, 1])))], "sum");
    Call::new([Expr::from(inner), Expr::from(&x)], [], "a function with a name that takes a line of its own")
}

#[test]
fn items_that_do_not_fit_have_lines() {
    let expected = r#"indent.Call(
    args=[
        indent.Call(args=[%0 = indent.Var(name="x"), %0], attrs={"axes": [0, 1]}, callee="sum"),
        %0
    ],
    attrs={},
    callee="a function with a name that takes a line of its own"
)"#;
    let call = call();
    assert_eq!(format!("{call:#}"), expected);
    assert_eq!(format!("{call:#?}"), expected);
    assert_eq!(format!("{:#}", Expr::from(&call)), expected);
    assert_eq!(format!("{:#?}", Any::from(&call)), expected);
    assert_eq!(format!("{:#?}", call.as_object().view()), expected);
    assert_eq!(Repr::new(&call).indented(true).to_string(), expected);
    assert!(!format!("{call} {call:?}").contains('\n'));
    let pair = format!("{:#?}", (&call, 1));
    assert_eq!(
        pair,
        format!("(\n    {},\n    1,\n)", expected.replace('\n', "\n    ")),
        "std indents the lines further"
    );
}

#[test]
fn lines_are_read_back() {
    let call = call();
    let read: Call = parse(&format!("{call:#}")).and_then(Any::cast).expect("its own text");
    assert_eq!(read.to_string(), call.to_string());
    assert!(read.args[1].is::<Var>());
}

#[test]
fn lines_have_at_most_a_hundred_characters() {
    for n in 0..200 {
        for value in [Any::from(Array::from_iter(0..n)), Any::from(Array::from([Array::from_iter(0..n)]))] {
            let (flat, text) = (format!("{value}"), format!("{value:#}"));
            assert!(text.lines().all(|line| line.len() <= 100), "{text}");
            assert_eq!(text.contains('\n'), flat.len() >= 100, "{text}");
            let joined: String = text.split_whitespace().collect::<Vec<_>>().concat();
            assert_eq!(joined, flat.replace(' ', ""));
        }
    }
}

/// The text of a deep value has no more indentation after some levels, so its length is linear in the number of values.
#[test]
fn deep_values_have_short_texts() {
    let text = |depth: usize| {
        let value = (0..depth).fold(Any::from("x".repeat(90)), |value, _| Array::<Any>::from([value]).into());
        Repr::new(&value).max_values(usize::MAX).indented(true).to_string()
    };
    let (short, long) = (text(1_000), text(100_000));
    assert!(long.len() < 101 * short.len(), "{} and {}", short.len(), long.len());
}

#[test]
fn limits_hold() {
    let value = Array::from_iter(0..100);
    assert_eq!(Repr::new(&value).max_items(2).indented(true).to_string(), "[0, 1, ... 98 more]");
    assert_eq!(Repr::new(&value).max_depth(0).indented(true).to_string(), "[...]");
    assert_eq!(format!("{:#?}", Array::<Any>::from([])), "[]");
}
