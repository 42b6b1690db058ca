//! Laws of conversions: for all types and values, arguments convert as fields do, and signatures agree with calls.

use object_core::prelude::*;
use object_core::{FieldType, Function, TypedFunction};
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};

use super::{Add, Expr, int, register_types};

/// An argument type, with operations on a function that has one argument of this type.
struct Kind {
    name: &'static str,
    /// Makes a function that accepts a value of this type.
    takes: fn() -> Function,
    /// Whether a function converts to a typed function with an argument of this type.
    can_give: fn(&Function) -> bool,
    /// Calls the function as a typed function with an argument of this type. `None` if one of the two conversions
    /// fails.
    give: fn(&Function, &Any) -> Option<Result<Any, Error>>,
    /// Whether a field of this type accepts the value.
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
        converts: |value| value.clone().cast::<T>().is_ok(),
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

/// The table of assignable types: a line for each given type, and a column for each accepted type, in the same order.
#[test]
fn types_that_are_assignable_to_others() {
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
        Just(Function::from_packed(|args| Ok(args[0].to_any())).into()),
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

    /// A function accepts exactly the values that a field of its argument's type accepts.
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

    /// If a function converts to a typed function, the typed function accepts every value of its argument type, and has
    /// the result of an untyped call. For `Array<Any>` and `Function`, each call does the check.
    #[test]
    fn calls_accept_all_values_of_an_accepted_type(value in values()) {
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

    /// Typed and untyped calls have the same result.
    #[test]
    fn typed_and_untyped_calls_have_the_same_result(a in any::<i32>(), b in any::<i32>()) {
        let add = Function::new(|a: i64, b: i64| a + b);
        let (a, b) = (i64::from(a), i64::from(b));
        let untyped = add.call(&[AnyView::Int(a), AnyView::Int(b)]).and_then(Any::cast::<i64>);
        let typed = add.typed::<fn(i64, i64) -> i64>().and_then(|add| add.call(a, b));
        prop_assert_eq!(untyped.ok(), Some(a + b));
        prop_assert_eq!(typed.ok(), Some(a + b));
    }
}
