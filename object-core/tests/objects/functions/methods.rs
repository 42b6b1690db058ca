//! Methods of types and of their ancestors, with and without the feature `inventory`.

use object_core::function::{self, Method, MethodTable};
use object_core::prelude::*;
use object_core::{Function, TypeInfo};

use super::{Add, AddNode, Expr, ExprNode, Int, Neg, NegNode};

/// Registers the methods of these tests, with and without the feature `inventory`.
fn methods() -> &'static TypeInfo {
    function::register_methods(&[MethodTable::of::<Expr>(), MethodTable::of::<Add>()]).expect("all names differ");
    AddNode::TYPE_INFO
}

#[test]
fn methods_are_listed_with_types_and_documentation() {
    let listed: Vec<String> =
        methods().methods().expect("all names differ").iter().map(|it| format!("{it:?}")).collect();
    assert_eq!(
        listed,
        [
            "functions.Expr.span_or(self: functions.Expr, other: ffi.String) -> ffi.String",
            "functions.Add.kind(self: functions.Add) -> ffi.String",
            "functions.Expr.itself(self: functions.Expr) -> functions.Expr",
            "functions.Add.lhs(self: functions.Add) -> functions.Expr",
            "functions.Add.make(lhs: int, rhs: int) -> functions.Add",
            "functions.Add.sum(self: functions.Add) -> int",
        ]
    );
    let lhs = methods().method("lhs").expect("it is declared");
    assert_eq!((lhs.name(), lhs.owner().type_key(), lhs.is_static()), ("lhs", "functions.Add", false));
    assert_eq!(lhs.function().doc(), "The left side.\n\nOf two.");
    let source = include_str!("mod.rs");
    let (_, line) = lhs.function().location();
    assert!(source.lines().nth(line as usize - 1).is_some_and(|line| line.contains("pub fn lhs")), "line {line}");
    assert!(methods().method("make").is_ok_and(|make| make.is_static()));
}

#[test]
fn methods_are_called_by_name() {
    let add: Expr = methods()
        .method("make")
        .and_then(|it| it.call(&[AnyView::Int(1), AnyView::Int(2)]))
        .and_then(Any::cast)
        .expect("a sum");
    let lhs: Int = add.call_method("lhs", &[]).and_then(Any::cast).expect("an integer");
    assert_eq!(lhs.value, 1);
    assert_eq!(add.call_method("sum", &[]).and_then(Any::cast::<i64>).expect("3"), 3);
    // Inherited methods. Of two methods with one name, the call finds the nearest.
    let other = Any::from("nowhere");
    assert_eq!(add.call_method("span_or", &[other.view()]).and_then(Any::cast::<Str>).expect("a text"), "nowhere");
    let itself = add.call_method("itself", &[]).and_then(Any::cast::<Expr>).expect("an expression");
    assert!(itself.ptr_eq(&add));
    let kind = |expr: &Expr| expr.call_method("kind", &[]).and_then(Any::cast::<Str>).expect("a text");
    assert_eq!((kind(&add), kind(&lhs.into())), ("sum".into(), "expression".into()));
    // A look-up in the table of the ancestor finds the method of the ancestor.
    let base = ExprNode::TYPE_INFO.method("kind").and_then(|it| it.call(&[AnyView::Object(add.as_object().view())]));
    assert_eq!(base.and_then(Any::cast::<Str>).expect("a text"), "expression");
}

#[test]
fn wrong_calls_of_methods_are_errors() {
    methods();
    let add = Add::make(i64::MAX, 1);
    let fails = |name: &str, args: &[AnyView<'_>]| match add.call_method(name, args) {
        Ok(value) => panic!("{name} gives {value:?}"),
        Err(error) => (error.kind(), error.message().to_owned()),
    };
    let cases: [(&str, &[AnyView<'_>], ErrorKind, &str); 6] = [
        ("lhz", &[], ErrorKind::UnknownFunction, "`functions.Add` has no method `lhz`; did you mean `lhs`?"),
        (
            "generic",
            &[],
            ErrorKind::UnknownFunction,
            "`functions.Add` has no method `generic`; its methods are `span_or`, `kind`, `itself`, `lhs`, `make`, `sum`",
        ),
        (
            "make",
            &[],
            ErrorKind::Call,
            "`functions.Add.make(lhs: int, rhs: int) -> functions.Add` takes no object; find it by `TypeInfo::method` and call it without one",
        ),
        ("sum", &[], ErrorKind::OutOfRange, "function `functions.Add.sum`: the sum has no value"),
        (
            "lhs",
            &[AnyView::None],
            ErrorKind::Call,
            "function `functions.Add.lhs(self: functions.Add) -> functions.Expr` takes 1 argument, got 2",
        ),
        (
            "span_or",
            &[AnyView::None],
            ErrorKind::TypeMismatch,
            "function `functions.Expr.span_or(self: functions.Expr, other: ffi.String) -> ffi.String`: argument #1 `other`: expected `ffi.String`, got `None`",
        ),
    ];
    for (name, args, kind, message) in cases {
        assert_eq!(fails(name, args), (kind, message.to_owned()));
    }
    let text = Str::from("text");
    assert!(text.call_method("len", &[]).is_err_and(|error| error.message().contains("it has none")));
}

#[test]
fn programs_register_methods_at_run_time() {
    let info = NegNode::TYPE_INFO;
    let next = Function::new(|x: Neg| x.value.clone()).with_name("next");
    function::register_method(&Method::new(info, "next", next.clone()).expect("it takes negations")).expect("free");
    let neg = Neg::new(Int::new(1));
    assert!(neg.call_method("next", &[]).and_then(Any::cast::<Expr>).is_ok_and(|next| next.ptr_eq(&neg.value)));
    let error = function::register_method(&Method::new_static(info, "next", next.clone())).expect_err("taken");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert!(error.message().starts_with("two methods of `functions.Neg` are called `next`: one at "), "{error}");
    // The method overrides a method of the same name of an ancestor.
    methods();
    let kind = Function::new(|_: Expr| Str::from("negation"));
    function::register_method(&Method::new(info, "kind", kind).expect("it takes expressions")).expect("free");
    assert_eq!(neg.call_method("kind", &[]).and_then(Any::cast::<Str>).expect("a text"), "negation");
    let error = Method::new(AddNode::TYPE_INFO, "next", next).expect_err("sums are no negations");
    assert_eq!(
        error.message(),
        "the first argument of method `next(functions.Neg) -> functions.Expr`: expected `functions.Add`, got `functions.Neg`"
    );
    assert!(Method::new(info, "none", Function::new(|| {})).is_err_and(|error| error.kind() == ErrorKind::Call));
}
