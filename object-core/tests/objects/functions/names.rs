//! Functions by name, also from several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};

#[cfg(feature = "inventory")]
use object_core::dynamic::Schema;
use object_core::prelude::*;
use object_core::{Function, function, register_function};

use super::sum;

register_function!(
    /// The sum of two
    /// integers.
    "functions.sum"(lhs, rhs) = sum
);

register_function!(pure "functions.pure"(lhs, rhs) = sum);
register_function!(impure "functions.impure" = sum);

#[cfg(feature = "inventory")]
#[test]
fn declared_functions_have_a_purity() {
    for (name, purity) in [("functions.pure", Some(true)), ("functions.impure", Some(false)), ("functions.sum", None)] {
        let function = function::get(name).expect("it is there");
        assert_eq!((function.purity(), function::purity(name)), (purity, purity), "{name}");
        let schema = Schema::of(&[]).with_functions(&[function]);
        let text = schema.to_json().expect("a text");
        assert_eq!(Schema::parse(text.as_bytes()).and_then(|schema| schema.to_json()).expect("a schema"), text);
        let text: String = text.split_whitespace().collect();
        let written = purity.map(|is_pure| format!("\"pure\":{is_pure}"));
        assert!(text.contains(written.as_deref().unwrap_or_default()), "{text}");
        assert_eq!(text.contains("\"pure\":"), purity.is_some(), "{text}");
    }
    assert_eq!(function::purity("functions.unknown"), None);
}

#[test]
fn registered_functions_are_found_by_name() {
    let twice = Function::new(|x: i64| 2 * x).with_name("functions.twice").with_doc("Doubles.").with_arg_names(["x"]);
    function::register(&twice).expect("the name is free");
    let found = function::get("functions.twice").expect("it is there");
    assert!(found.ptr_eq(&twice));
    assert_eq!(found.doc(), "Doubles.");
    assert_eq!(found.signature().map(|it| it.to_string()).as_deref(), Some("(x: int) -> int"));

    let line = line!() + 1;
    let other = Function::new(|x: i64| x + x).with_name("functions.twice");
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
fn declared_functions_are_found_by_name() {
    let found = function::get("functions.sum").expect("it is declared above");
    assert_eq!(found.doc(), "The sum of two\nintegers.");
    assert_eq!(found.location().0, file!());
    assert_eq!(format!("{found:?}"), "ffi.Function(\"functions.sum\")");
    assert_eq!(found.typed::<fn(i64, i64) -> i64>().and_then(|it| it.call(1, 2)).expect("3"), 3);
    let all: Vec<String> = function::all().expect("all names differ").iter().map(|it| it.name().to_owned()).collect();
    assert!(all.contains(&"functions.sum".to_owned()) && all.is_sorted());
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
                    let claim = Function::new(move |x: i64| x + i as i64).with_name(name.clone());
                    won.fetch_add(usize::from(function::register(&claim).is_ok()), Ordering::SeqCst);
                    let own = Function::new(move || thread as i64).with_name(format!("functions.threads.{i}.{thread}"));
                    function::register(&own).expect("nobody else takes this name");
                    let found = function::get(&name).expect("somebody has registered it");
                    assert_eq!(found.call(&[AnyView::Int(1)]).and_then(Any::cast::<i64>).expect("a sum"), 1 + i as i64);
                    let panics = Function::new(|| -> i64 { panic!("in a thread") }).with_name("panics");
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
        let inner = Function::new(|| 5_i64).with_name("functions.inside.inner");
        function::register(&inner)?;
        function::remove("functions.inside")?;
        function::get("functions.inside.inner")?.call(&[])?.cast()
    })
    .with_name("functions.inside");
    function::register(&inside).expect("free");
    let found = function::get("functions.inside").expect("it is there");
    assert_eq!(found.call(&[]).and_then(Any::cast::<i64>).expect("5"), 5);
}
