//! Calls: arguments, results, errors and panics; typed functions.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_core::prelude::*;
use object_core::{Function, ObjectBuilder, TypeInfo, TypedFunction};

use super::{Add, Expr, Int, Pass, PassNode, call, int, message, no_value, register_types, sum};

#[test]
fn closures_of_any_number_of_arguments() {
    let none = Function::new(|| {});
    assert!(matches!(none.call(&[]), Ok(Any::None)));
    none.typed::<fn()>().and_then(|none| none.call()).expect("it is one");
    let all = |a: i64, b: i32, c: u8, d: f64, e: bool, f: Str, g: Any, h: Option<Expr>, i: Expr, j: DataType| {
        let sum = a + i64::from(b) + i64::from(c) + d as i64 + i64::from(e) + f.len() as i64;
        format!("{sum} {} {} {} {j:?}", g.type_key(), h.is_some(), i.is::<Int>())
    };
    let all = Function::new(move |a, b, c, d, e, f, g, h, i, j, k: Array<i64>, l: Map<Str, Any>| -> Str {
        format!("{} {} {}", all(a, b, c, d, e, f, g, h, i, j), k.len(), l.len()).into()
    });
    let dtype: DataType = "int32".parse().expect("a data type");
    let args = [
        1.into(),
        2.into(),
        3.into(),
        Any::Float(4.0),
        true.into(),
        "five!".into(),
        Any::None,
        Any::None,
        int(1),
        dtype.into(),
        Array::from([1i64, 2]).into(),
        Map::<Str, Any>::from_iter([("x".into(), Any::None)]).into(),
    ];
    let text: Str = call(&all, &args).and_then(Any::cast).expect("it fits");
    assert_eq!(text, "16 None false true int32 2 1");
    assert!(message(&all, &args[1..]).contains("takes 12 arguments, got 11"));
}

#[test]
fn functions_and_objects_are_arguments_results_and_fields() {
    // Makes a function that calls the given function to add `by`.
    let adder = Function::new(|by: i64, add: TypedFunction<fn(i64, i64) -> i64>| {
        Function::new(move |x: i64| add.call(x, by)).with_name("added")
    });
    let added = adder.call(&[AnyView::Int(3), AnyView::Object(Function::new(sum).as_object().view())]);
    let added: TypedFunction<fn(i64) -> i64> = added.and_then(Any::cast).expect("a function of one integer");
    assert_eq!(added.call(4).expect("7"), 7);

    let is_int = Function::new(|expr: Expr| expr.is::<Int>());
    let pass = Pass::new(added.clone(), Some(is_int.typed().expect("it checks expressions")));
    assert_eq!(pass.run.call(&[AnyView::Int(1)]).and_then(Any::cast::<i64>).expect("4"), 4);
    assert_eq!(pass.check.as_ref().map(|check| check.call(Int::new(1).into()).expect("a verdict")), Some(true));
    // Building by name checks the type of the field, and rejects functions of other types.
    let field = Pass::new(added.clone(), None).type_info_of().field("check").expect("it is declared").1;
    assert_eq!(field.schema().to_string(), "Optional<ffi.Function<bool,functions.Expr>>");
    let of_texts = Function::new(|text: Str| text.is_empty());
    let built =
        ObjectBuilder::new(PassNode::TYPE_INFO).and_then(|mut it| it.set("check", Any::from(of_texts)).map(|_| ()));
    assert!(built.is_err_and(|error| error.kind() == ErrorKind::TypeMismatch));
}

/// The exact type of a handle.
trait TypeOf: ObjectHandle {
    fn type_info_of(&self) -> &'static TypeInfo {
        self.as_object().type_info()
    }
}

impl<H: ObjectHandle> TypeOf for H {}

#[test]
fn errors_name_the_function_and_the_argument() {
    let half = |x: i64| if x % 2 == 0 { Ok(x / 2) } else { Err(no_value("half of an odd number")) };
    let half = Function::new(half).with_name("demo.half").with_arg_names(["x"]);
    assert_eq!(message(&half, &[]), "function `demo.half(x: int) -> int` takes 1 argument, got 0");
    assert_eq!(
        message(&half, &["no".into()]),
        "function `demo.half(x: int) -> int`: argument #0 `x`: expected `int`, got `ffi.String`"
    );
    assert_eq!(message(&half, &[3.into()]), "function `demo.half`: half of an odd number has no value");
    let kinds = [
        (vec![], ErrorKind::Call),
        (vec!["no".into()], ErrorKind::TypeMismatch),
        (vec![3.into()], ErrorKind::OutOfRange),
    ];
    for (args, kind) in kinds {
        assert_eq!(call(&half, &args).map_err(|error| error.kind()).err(), Some(kind));
    }
    let narrow = Function::new(|_: Expr, _: u8| {}).with_name("narrow");
    assert_eq!(
        message(&narrow, &[int(1), 300.into()]),
        "function `narrow(functions.Expr, int) -> None`: argument #1: 300 is not in 0..=255 of `u8`"
    );
    assert_eq!(
        message(&narrow, &[Any::None, Any::None]),
        "function `narrow(functions.Expr, int) -> None`: argument #0: expected `functions.Expr`, got `None`"
    );
    // The message names a function without a name by its source location.
    let (line, place) = (line!() + 1, file!());
    let unnamed = Function::new(|| -> Result<(), Error> { Err(no_value("it")) });
    assert_eq!(message(&unnamed, &[]), format!("function `<{place}:{line}>`: it has no value"));
    // Errors of other crates convert.
    let io = Function::new(|| Err::<(), _>(std::io::Error::other("disk"))).with_name("io");
    assert_eq!(call(&io, &[]).map_err(|error| error.kind()).err(), Some(ErrorKind::Io));
}

#[test]
fn errors_keep_their_path() {
    let path = object_core::access_path::AccessPath::root();
    let given = path.clone();
    let fails = Function::from_packed(move |_| Err(no_value("it").at(given.clone())));
    assert_eq!(call(&fails, &[]).err().and_then(|error| error.path().cloned()), Some(path));
}

#[test]
fn panics_become_errors() {
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&calls);
    let flaky = Function::new(move |x: i64| {
        seen.fetch_add(1, Ordering::SeqCst);
        match x {
            0 => panic!("zero"),
            1 => panic!("number {x}"),
            2 => std::panic::panic_any(PanicsAgain),
            x => x,
        }
    })
    .with_name("flaky");
    assert_eq!(message(&flaky, &[0.into()]), "function `flaky` panicked: zero");
    assert_eq!(message(&flaky, &[1.into()]), "function `flaky` panicked: number 1");
    assert_eq!(message(&flaky, &[2.into()]), "function `flaky` panicked: (the panic has no message)");
    assert_eq!(call(&flaky, &[0.into()]).map_err(|error| error.kind()).err(), Some(ErrorKind::Call));
    // The function works after a panic, also through another function and on other threads.
    let outer = flaky.clone();
    let outer = Function::new(move |x: i64| outer.call(&[AnyView::Int(x)])).with_name("outer");
    assert_eq!(message(&outer, &[0.into()]), "function `outer`: function `flaky` panicked: zero");
    let there = std::thread::spawn(move || call(&outer, &[9.into()]).and_then(Any::cast::<i64>));
    assert_eq!(there.join().expect("the thread lives").expect("9"), 9);
    assert_eq!(calls.load(Ordering::SeqCst), 6);
}

struct PanicsAgain;

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        panic!("again");
    }
}

#[test]
fn messages_of_deep_recursion_stay_small() {
    // 2000 functions, each of which calls the previous one.
    let bottom = Function::new(|| -> Result<Any, Error> { Err(no_value("the bottom")) }).with_name("bottom");
    let work = move || {
        let top =
            (0..2000).fold(bottom, |below, i| Function::new(move || below.call(&[])).with_name(format!("level {i}")));
        let text = message(&top, &[]);
        assert!(text.ends_with("function `level 0`: function `bottom`: the bottom has no value"), "{text}");
        assert!(text.len() < 1 << 15);
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread");
    thread.join().expect("it finishes");
}

#[test]
fn releasing_nested_functions_does_not_overflow_the_stack() {
    let work = || {
        let bottom = Function::new(|| 0_i64);
        let top = (0..1_000_000).fold(bottom, |below, _| Function::new(move || below.name().is_empty()));
        drop(top);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough");
}

#[test]
fn conversions_to_typed_functions_compare_signatures() {
    register_types();
    let on_expr = Function::new(|e: Expr| -> Expr { e }).with_name("on_expr");
    // An argument type may be a descendant of the function's argument type, and the result an ancestor of its result.
    on_expr.typed::<fn(Expr) -> Expr>().expect("the same");
    on_expr.typed::<fn(Add) -> ObjectRef>().expect("wider inside");
    on_expr.typed::<fn(Add) -> Option<ObjectRef>>().expect("wider inside");
    on_expr.typed::<fn(Any) -> Result<Any, Error>>().expect("each call tells");
    let error = on_expr.typed::<fn(ObjectRef) -> Expr>().expect_err("not every object is an expression");
    assert_eq!(
        error.message(),
        "expected a function `(ffi.Object) -> functions.Expr`, got `on_expr(functions.Expr) -> functions.Expr`"
    );
    assert_eq!(error.kind(), ErrorKind::TypeMismatch);
    assert!(on_expr.typed::<fn(Expr) -> Int>().is_err());
    assert!(on_expr.typed::<fn(Option<Expr>) -> Expr>().is_err());
    assert!(on_expr.typed::<fn(Expr, Expr) -> Expr>().is_err());
    assert!(on_expr.typed::<fn() -> Expr>().is_err());

    let lists = Function::new(|all: Array<Expr>, by_name: Map<Str, f64>| (all.len() + by_name.len()) as i64);
    lists.typed::<fn(Array<Int>, Map<Str, i64>) -> f64>().expect("elements as well");
    assert!(lists.typed::<fn(Array<Str>, Map<Str, f64>) -> i64>().is_err());

    // Arguments that are functions are contravariant in their own arguments.
    type OnInt = TypedFunction<fn(Int) -> bool>;
    type OnExpr = TypedFunction<fn(Expr) -> bool>;
    let higher = Function::new(|f: OnInt| f.call(Int::new(1)));
    higher.typed::<fn(OnExpr) -> bool>().expect("what takes expressions takes integers");
    let higher = Function::new(|f: OnExpr| f.call(Int::new(1).into()));
    assert!(higher.typed::<fn(OnInt) -> bool>().is_err());

    // Each call checks the conditions that signatures do not determine.
    let packed = Function::from_packed(|args| Ok(args[0].to_any())).with_name("packed");
    let packed = packed.typed::<fn(Any) -> i64>().expect("it may be one");
    assert_eq!(packed.call(1.into()).expect("an integer"), 1);
    let error = packed.call("text".into()).expect_err("no integer");
    assert_eq!(error.message(), "the result of function `packed`: expected `int`, got `ffi.String`");
    let given = Any::from(Function::new(|_: Str| true)).cast::<OnExpr>().map(|_| ()).expect_err("of texts");
    assert!(given.message().starts_with("expected a function `(functions.Expr) -> bool`, got `<"), "{given}");
    let given = int(1).cast::<OnExpr>().map(|_| ()).expect_err("no function");
    assert_eq!(given.message(), "expected `ffi.Function`, got `functions.Int`");
}
