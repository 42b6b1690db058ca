//! Functions: typed and packed closures, errors, panics, names, methods, threads.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

use object_core::function::{self, Method, MethodTable};
use object_core::prelude::*;
use object_core::{FieldType, Function, ObjectBuilder, TypeInfo, TypedFunction, register_function, registry};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

/// Base of all expressions.
#[derive(Object)]
#[object(type_key = "functions.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore)]
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "functions.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "functions.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

#[derive(Object)]
#[object(type_key = "functions.Neg", parent = ExprNode)]
#[structural_eq(tree)]
pub struct NegNode {
    pub base: ExprNode,
    pub value: Expr,
}

/// A function that judges expressions.
type Check = TypedFunction<fn(Expr) -> bool>;

/// A node with functions in it.
#[derive(Object)]
#[object(type_key = "functions.Pass")]
#[structural_eq(none)]
pub struct PassNode {
    pub run: Function,
    pub check: Option<Check>,
}

#[object_methods]
impl Expr {
    /// The place, or what stands for none.
    pub fn span_or(&self, other: &str) -> Str {
        self.span.clone().unwrap_or_else(|| other.into())
    }

    /// What kind of expression it is.
    pub fn kind(&self) -> &str {
        "expression"
    }

    /// The same expression.
    pub fn itself(self) -> Self {
        self
    }
}

#[object_methods]
impl Add {
    /// The left side.
    ///
    /// Of two.
    pub fn lhs(&self) -> &Expr {
        &self.lhs
    }

    pub fn kind(&self) -> &str {
        "sum"
    }

    /// A sum of integers.
    pub fn make(lhs: i64, rhs: i64) -> Self {
        Add::new(Int::new(lhs), Int::new(rhs))
    }

    #[method(rename = "sum")]
    pub fn evaluate(&self) -> Result<i64, Error> {
        let side = |it: &Expr| it.downcast_ref::<Int>().map(|it| it.value).ok_or_else(|| no_value("a side"));
        side(&self.lhs)?.checked_add(side(&self.rhs)?).ok_or_else(|| no_value("the sum"))
    }

    #[method(skip)]
    pub fn generic<T: ObjectHandle>(&self) -> bool {
        self.lhs.is::<T>()
    }

    fn _private(&self) {}

    #[cfg(any())]
    pub fn never(&self) -> NoSuchType {}
}

/// Registers the types of this file, which the linker collects only with the feature `inventory`.
fn register_types() {
    let types = [ExprNode::TYPE_INFO, IntNode::TYPE_INFO, AddNode::TYPE_INFO, NegNode::TYPE_INFO, PassNode::TYPE_INFO];
    registry::register(&types).expect("all keys differ");
}

fn no_value(what: &str) -> Error {
    Error::new(ErrorKind::OutOfRange, format!("{what} has no value"))
}

fn sum(lhs: i64, rhs: i64) -> i64 {
    lhs + rhs
}

register_function!(
    /// The sum of two
    /// integers.
    "functions.sum"(lhs, rhs) = sum
);

fn int(value: i64) -> Any {
    Int::new(value).into()
}

/// The message of a call that fails.
fn message(function: &Function, args: &[Any]) -> String {
    call(function, args).expect_err("it has to fail").message().to_owned()
}

fn call(function: &Function, args: &[Any]) -> Result<Any, Error> {
    let views: Vec<AnyView<'_>> = args.iter().map(Any::view).collect();
    function.call(&views)
}

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
    let text: Str = call(&all, &args).and_then(Any::to).expect("it fits");
    assert_eq!(text, "16 None false true int32 2 1");
    assert!(message(&all, &args[1..]).contains("takes 12 arguments, got 11"));
}

#[test]
fn functions_and_objects_are_arguments_results_and_fields() {
    // Makes a function that adds `by` through a function that it is given.
    let adder = Function::new(|by: i64, add: TypedFunction<fn(i64, i64) -> i64>| {
        Function::new(move |x: i64| add.call(x, by)).named("added")
    });
    let added = adder.call(&[AnyView::Int(3), AnyView::Object(Function::new(sum).as_object().view())]);
    let added: TypedFunction<fn(i64) -> i64> = added.and_then(Any::to).expect("a function of one integer");
    assert_eq!(added.call(4).expect("7"), 7);

    let is_int = Function::new(|expr: Expr| expr.is::<Int>());
    let pass = Pass::new(added.clone(), Some(is_int.typed().expect("it checks expressions")));
    assert_eq!(pass.run.call(&[AnyView::Int(1)]).and_then(Any::to::<i64>).expect("4"), 4);
    assert_eq!(pass.check.as_ref().map(|check| check.call(Int::new(1).into()).expect("a verdict")), Some(true));
    // Reflection knows the field's type, and refuses functions of other types.
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
fn errors_say_which_function_and_which_argument() {
    let half = |x: i64| if x % 2 == 0 { Ok(x / 2) } else { Err(no_value("half of an odd number")) };
    let half = Function::new(half).named("demo.half").with_arg_names(["x"]);
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
    let narrow = Function::new(|_: Expr, _: u8| {}).named("narrow");
    assert_eq!(
        message(&narrow, &[int(1), 300.into()]),
        "function `narrow(functions.Expr, int) -> None`: argument #1: 300 is not in 0..=255 of `u8`"
    );
    assert_eq!(
        message(&narrow, &[Any::None, Any::None]),
        "function `narrow(functions.Expr, int) -> None`: argument #0: expected `functions.Expr`, got `None`"
    );
    // Without a name, the place of the closure is the name.
    let (line, place) = (line!() + 1, file!());
    let unnamed = Function::new(|| -> Result<(), Error> { Err(no_value("it")) });
    assert_eq!(message(&unnamed, &[]), format!("function `<{place}:{line}>`: it has no value"));
    // Errors of other crates convert.
    let io = Function::new(|| Err::<(), _>(std::io::Error::other("disk"))).named("io");
    assert_eq!(call(&io, &[]).map_err(|error| error.kind()).err(), Some(ErrorKind::Io));
}

#[test]
fn a_path_of_an_error_is_kept() {
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
    .named("flaky");
    assert_eq!(message(&flaky, &[0.into()]), "function `flaky` panicked: zero");
    assert_eq!(message(&flaky, &[1.into()]), "function `flaky` panicked: number 1");
    assert_eq!(message(&flaky, &[2.into()]), "function `flaky` panicked: (the panic has no message)");
    assert_eq!(call(&flaky, &[0.into()]).map_err(|error| error.kind()).err(), Some(ErrorKind::Call));
    // It goes on working, also through another function, and on other threads.
    let outer = flaky.clone();
    let outer = Function::new(move |x: i64| outer.call(&[AnyView::Int(x)])).named("outer");
    assert_eq!(message(&outer, &[0.into()]), "function `outer`: function `flaky` panicked: zero");
    let there = std::thread::spawn(move || call(&outer, &[9.into()]).and_then(Any::to::<i64>));
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
    // 2000 functions, each around the one before.
    let bottom = Function::new(|| -> Result<Any, Error> { Err(no_value("the bottom")) }).named("bottom");
    let work = move || {
        let top = (0..2000).fold(bottom, |below, i| Function::new(move || below.call(&[])).named(format!("level {i}")));
        let text = message(&top, &[]);
        assert!(text.ends_with("function `level 0`: function `bottom`: the bottom has no value"), "{text}");
        assert!(text.len() < 1 << 15);
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread");
    thread.join().expect("it finishes");
}

#[test]
fn functions_inside_of_functions_are_released_one_after_the_other() {
    let work = || {
        let bottom = Function::new(|| 0_i64);
        let top = (0..1_000_000).fold(bottom, |below, _| Function::new(move || below.name().is_empty()));
        drop(top);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work).expect("a thread");
    thread.join().expect("the stack is deep enough");
}

#[test]
fn typed_functions_are_checked_when_they_are_made() {
    register_types();
    let on_expr = Function::new(|e: Expr| -> Expr { e }).named("on_expr");
    // Arguments may be descendants of what the function takes, the result an ancestor of what it returns.
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

    // Functions of functions turn their arguments around.
    type OnInt = TypedFunction<fn(Int) -> bool>;
    type OnExpr = TypedFunction<fn(Expr) -> bool>;
    let higher = Function::new(|f: OnInt| f.call(Int::new(1)));
    higher.typed::<fn(OnExpr) -> bool>().expect("what takes expressions takes integers");
    let higher = Function::new(|f: OnExpr| f.call(Int::new(1).into()));
    assert!(higher.typed::<fn(OnInt) -> bool>().is_err());

    // What nobody can know before is checked by the call.
    let packed = Function::from_packed(|args| Ok(args[0].to_owned())).named("packed");
    let packed = packed.typed::<fn(Any) -> i64>().expect("it may be one");
    assert_eq!(packed.call(1.into()).expect("an integer"), 1);
    let error = packed.call("text".into()).expect_err("no integer");
    assert_eq!(error.message(), "the result of function `packed`: expected `int`, got `ffi.String`");
    let given = Any::from(Function::new(|_: Str| true)).to::<OnExpr>().map(|_| ()).expect_err("of texts");
    assert!(given.message().starts_with("expected a function `(functions.Expr) -> bool`, got `<"), "{given}");
    let given = int(1).to::<OnExpr>().map(|_| ()).expect_err("no function");
    assert_eq!(given.message(), "expected `ffi.Function`, got `functions.Int`");
}

#[test]
fn functions_by_name() {
    let twice = Function::new(|x: i64| 2 * x).named("functions.twice").with_doc("Doubles.").with_arg_names(["x"]);
    function::register(&twice).expect("the name is free");
    let found = function::get("functions.twice").expect("it is there");
    assert!(found.ptr_eq(&twice));
    assert_eq!(found.doc(), "Doubles.");
    assert_eq!(found.signature().map(|it| it.to_string()).as_deref(), Some("(x: int) -> int"));

    let line = line!() + 1;
    let other = Function::new(|x: i64| x + x).named("functions.twice");
    let error = function::register(&other).expect_err("the name is taken");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    let (file, old) = twice.location();
    assert_eq!(
        error.message(),
        format!(
            "two functions are called `functions.twice`: one at {file}:{old}, one at {}:{line}; rename or remove one of them",
            file!()
        )
    );
    assert!(function::get("functions.twice").is_ok_and(|it| it.ptr_eq(&twice)));

    let error = function::get("functions.twise").expect_err("a misspelling");
    assert_eq!(error.kind(), ErrorKind::UnknownFunction);
    assert_eq!(error.message(), "no function is called `functions.twise`; did you mean `functions.twice`?");
    let error = function::register(&Function::new(|| {})).expect_err("it has no name");
    assert_eq!(error.kind(), ErrorKind::Call);

    assert!(function::remove("functions.twice").is_ok_and(|it| it.ptr_eq(&twice)));
    assert!(function::remove("functions.twice").is_err());
    function::register(&other).expect("the name is free again");
}

#[cfg(feature = "inventory")]
#[test]
fn linked_functions_are_there() {
    let found = function::get("functions.sum").expect("it is declared above");
    assert_eq!(found.doc(), "The sum of two\nintegers.");
    assert_eq!(found.location().0, file!());
    assert_eq!(format!("{found:?}"), "ffi.Function(\"functions.sum\")");
    assert_eq!(found.typed::<fn(i64, i64) -> i64>().and_then(|it| it.call(1, 2)).expect("3"), 3);
    let all: Vec<String> = function::all().expect("all names differ").iter().map(|it| it.name().to_owned()).collect();
    assert!(all.contains(&"functions.sum".to_owned()) && all.is_sorted());
}

/// The methods of this file, with and without collection by linking.
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
    assert_eq!((lhs.name(), lhs.owner().type_key, lhs.is_static()), ("lhs", "functions.Add", false));
    assert_eq!(lhs.function().doc(), "The left side.\n\nOf two.");
    let source = include_str!("functions.rs");
    let (_, line) = lhs.function().location();
    assert!(source.lines().nth(line as usize - 1).is_some_and(|line| line.contains("pub fn lhs")), "line {line}");
    assert!(methods().method("make").is_ok_and(|make| make.is_static()));
}

#[test]
fn methods_are_called_by_name() {
    let add: Expr = methods()
        .method("make")
        .and_then(|it| it.call(&[AnyView::Int(1), AnyView::Int(2)]))
        .and_then(Any::to)
        .expect("a sum");
    let lhs: Int = add.call_method("lhs", &[]).and_then(Any::to).expect("an integer");
    assert_eq!(lhs.value, 1);
    assert_eq!(add.call_method("sum", &[]).and_then(Any::to::<i64>).expect("3"), 3);
    // Inherited ones; the nearest one of a name.
    let other = Any::from("nowhere");
    assert_eq!(add.call_method("span_or", &[other.view()]).and_then(Any::to::<Str>).expect("a text"), "nowhere");
    let itself = add.call_method("itself", &[]).and_then(Any::to::<Expr>).expect("an expression");
    assert!(itself.ptr_eq(&add));
    let kind = |expr: &Expr| expr.call_method("kind", &[]).and_then(Any::to::<Str>).expect("a text");
    assert_eq!((kind(&add), kind(&lhs.into())), ("sum".into(), "expression".into()));
    // Called by the ancestor's own table, the ancestor's.
    let base = ExprNode::TYPE_INFO.method("kind").and_then(|it| it.call(&[AnyView::Object(add.as_object().view())]));
    assert_eq!(base.and_then(Any::to::<Str>).expect("a text"), "expression");
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
fn methods_are_added_while_the_program_runs() {
    let info = NegNode::TYPE_INFO;
    let next = Function::new(|x: Neg| x.value.clone()).named("next");
    function::register_method(&Method::new(info, "next", next.clone()).expect("it takes negations")).expect("free");
    let neg = Neg::new(Int::new(1));
    assert!(neg.call_method("next", &[]).and_then(Any::to::<Expr>).is_ok_and(|next| next.ptr_eq(&neg.value)));
    let error = function::register_method(&Method::new_static(info, "next", next.clone())).expect_err("taken");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert!(error.message().starts_with("two methods of `functions.Neg` are called `next`: one at "), "{error}");
    // An ancestor's method of the same name is overridden.
    methods();
    let kind = Function::new(|_: Expr| Str::from("negation"));
    function::register_method(&Method::new(info, "kind", kind).expect("it takes expressions")).expect("free");
    assert_eq!(neg.call_method("kind", &[]).and_then(Any::to::<Str>).expect("a text"), "negation");
    let error = Method::new(AddNode::TYPE_INFO, "next", next).expect_err("sums are no negations");
    assert_eq!(
        error.message(),
        "the first argument of method `next(functions.Neg) -> functions.Expr`: expected `functions.Add`, got `functions.Neg`"
    );
    assert!(Method::new(info, "none", Function::new(|| {})).is_err_and(|error| error.kind() == ErrorKind::Call));
}

#[test]
fn threads_register_and_call() {
    const THREADS: usize = 8;
    const EACH: usize = 50;
    let start = Arc::new(Barrier::new(THREADS));
    let won = Arc::new(AtomicUsize::new(0));
    let threads: Vec<_> = (0..THREADS)
        .map(|thread| {
            let (start, won) = (Arc::clone(&start), Arc::clone(&won));
            std::thread::spawn(move || {
                start.wait();
                for i in 0..EACH {
                    let name = format!("functions.threads.{i}");
                    let claim = Function::new(move |x: i64| x + i as i64).named(name.clone());
                    won.fetch_add(usize::from(function::register(&claim).is_ok()), Ordering::SeqCst);
                    let own = Function::new(move || thread as i64).named(format!("functions.threads.{i}.{thread}"));
                    function::register(&own).expect("nobody else takes this name");
                    let found = function::get(&name).expect("somebody has registered it");
                    assert_eq!(found.call(&[AnyView::Int(1)]).and_then(Any::to::<i64>).expect("a sum"), 1 + i as i64);
                    let panics = Function::new(|| -> i64 { panic!("in a thread") }).named("panics");
                    assert!(panics.call(&[]).is_err());
                    function::remove(own.name()).expect("it is there");
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no thread fails"));
    assert_eq!(won.load(Ordering::SeqCst), EACH, "each name is taken once");
}

#[test]
fn calls_hold_no_locks() {
    let inside = Function::new(|| -> Result<i64, Error> {
        let inner = Function::new(|| 5_i64).named("functions.inside.inner");
        function::register(&inner)?;
        function::remove("functions.inside")?;
        function::get("functions.inside.inner")?.call(&[])?.to()
    })
    .named("functions.inside");
    function::register(&inside).expect("free");
    let found = function::get("functions.inside").expect("it is there");
    assert_eq!(found.call(&[]).and_then(Any::to::<i64>).expect("5"), 5);
}

/// A type as an argument type, with its own name.
struct Kind {
    name: &'static str,
    /// A function that takes it.
    takes: fn() -> Function,
    /// Whether the function can be called as one that takes it.
    can_give: fn(&Function) -> bool,
    /// Calls the function as one that takes it. Nothing if that cannot be, or the value is of another type.
    give: fn(&Function, &Any) -> Option<Result<Any, Error>>,
    /// Whether a field of this type would take the value.
    converts: fn(&Any) -> bool,
}

fn kind<T: FieldType>(name: &'static str) -> Kind {
    Kind {
        name,
        takes: || Function::new(|value: T| value.into_any()),
        can_give: |function| function.typed::<fn(T) -> Any>().is_ok(),
        give: |function, value| {
            let typed = function.typed::<fn(T) -> Any>().ok()?;
            T::accepts(value.view()).then(|| typed.call(T::from_any(value.clone())?))
        },
        converts: |value| value.clone().to::<T>().is_ok(),
    }
}

fn kinds() -> Vec<Kind> {
    register_types();
    vec![
        kind::<bool>("bool"),
        kind::<i64>("i64"),
        kind::<f64>("f64"),
        kind::<Str>("Str"),
        kind::<Option<i64>>("Option<i64>"),
        kind::<ObjectRef>("ObjectRef"),
        kind::<Expr>("Expr"),
        kind::<Add>("Add"),
        kind::<Option<Expr>>("Option<Expr>"),
        kind::<Array<Any>>("Array<Any>"),
        kind::<Array<Add>>("Array<Add>"),
        kind::<Array<Expr>>("Array<Expr>"),
        kind::<Map<Str, f64>>("Map<Str, f64>"),
        kind::<Function>("Function"),
        kind::<TypedFunction<fn(Expr) -> Add>>("fn(Expr) -> Add"),
        kind::<TypedFunction<fn(Add) -> Expr>>("fn(Add) -> Expr"),
    ]
}

/// Which types stand for which: a line for each given type, a column for each taken one, in the same order.
#[test]
fn types_that_stand_for_others() {
    let expected = "\
        ##..#........... bool\n\
        .##.#........... i64\n\
        ..#............. f64\n\
        ...#.#.......... Str\n\
        ....#........... Option<i64>\n\
        .....#.......... ObjectRef\n\
        .....##.#....... Expr\n\
        .....####....... Add\n\
        ........#....... Option<Expr>\n\
        .....#...###.... Array<Any>\n\
        .....#...###.... Array<Add>\n\
        .....#...#.#.... Array<Expr>\n\
        .....#......#... Map<Str, f64>\n\
        .....#.......### Function\n\
        .....#.......### fn(Expr) -> Add\n\
        .....#.......#.# fn(Add) -> Expr";
    let lines: Vec<String> = kinds()
        .iter()
        .map(|given| {
            let marks = kinds().into_iter().map(|taken| if (given.can_give)(&(taken.takes)()) { '#' } else { '.' });
            format!("{} {}", marks.collect::<String>(), given.name)
        })
        .collect();
    assert_eq!(lines.join("\n"), expected);
}

fn values() -> impl Strategy<Value = Any> {
    let leaf = prop_oneof![
        Just(Any::None),
        any::<bool>().prop_map(Any::from),
        any::<i64>().prop_map(Any::from),
        any::<f64>().prop_map(Any::from),
        "[a-c]{0,3}".prop_map(Any::from),
        any::<i64>().prop_map(int),
        (any::<i64>(), any::<i64>()).prop_map(|(a, b)| Add::make(a, b).into()),
        Just(Function::new(|x: Expr| x).into()),
        Just(Function::new(|x: Add| x).into()),
        Just(Function::new(|x: Expr| Add::new(x.clone(), x)).into()),
        Just(Function::from_packed(|args| Ok(args[0].to_owned())).into()),
    ];
    let list = proptest::collection::vec(leaf.clone(), 0..4).prop_map(|items| Array::from_iter(items).into());
    let adds = proptest::collection::vec(any::<i64>(), 0..4)
        .prop_map(|items| items.into_iter().map(|it| Add::make(it, 1)).collect::<Array<Add>>().into());
    let numbers = proptest::collection::vec(("[a-c]", any::<f64>()), 0..4)
        .prop_map(|items| items.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map<Str, f64>>().into());
    prop_oneof![6 => leaf, 1 => list, 1 => adds, 1 => numbers]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A function takes exactly the values that a field of its argument's type takes.
    #[test]
    fn arguments_convert_as_fields_do(value in values()) {
        for kind in kinds() {
            let result = (kind.takes)().call(&[value.view()]);
            prop_assert_eq!(result.is_ok(), (kind.converts)(&value), "{} of {:?}", kind.name, &value);
            if let Err(error) = result {
                prop_assert!(error.message().contains("argument #0: "), "{}", error);
            }
        }
    }

    /// Where types say that a function can be called as another, it takes every value of the other's type, as an
    /// untyped call does. `Array<Any>` and `Function` say less than a function may ask for, so there each call tells.
    #[test]
    fn what_types_allow_no_call_refuses(value in values()) {
        for given in kinds().iter().filter(|given| !["Array<Any>", "Function"].contains(&given.name)) {
            for taken in kinds() {
                let function = (taken.takes)();
                let Some(typed) = (given.give)(&function, &value) else { continue };
                let untyped = function.call(&[value.view()]);
                prop_assert!(typed.is_ok(), "{:?} as {} given to {}: {:?}", &value, given.name, taken.name, typed.err());
                prop_assert_eq!(format!("{typed:?}"), format!("{untyped:?}"));
            }
        }
    }

    /// Typed and untyped calls give the same.
    #[test]
    fn typed_calls_are_calls(a in any::<i32>(), b in any::<i32>()) {
        let add = Function::new(|a: i64, b: i64| a + b);
        let (a, b) = (i64::from(a), i64::from(b));
        let untyped = add.call(&[AnyView::Int(a), AnyView::Int(b)]).and_then(Any::to::<i64>);
        let typed = add.typed::<fn(i64, i64) -> i64>().and_then(|add| add.call(a, b));
        prop_assert_eq!(untyped.ok(), Some(a + b));
        prop_assert_eq!(typed.ok(), Some(a + b));
    }
}
