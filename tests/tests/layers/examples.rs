//! Small crates, each of which breaks a rule in one way, or looks similar to such a crate.

use std::collections::BTreeMap;

use crate::rules;
use crate::table::Tables;
use crate::workspace::Crate;

const LAYERS: &str = "\
## Layers of my-crate, the lowest first

| module | job |
|---|---|
| `low` | what all use |
| `high` | what uses it |
";

/// A crate of files, given as pairs of path and text.
fn parse(files: &[(&str, &str)]) -> Crate {
    let sources: BTreeMap<_, _> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    Crate::parse("my-crate", &sources).expect("the example parses")
}

/// The messages about a crate with the files `low.rs`, and `high` in a folder, that re-exports and has a part.
fn check(low: &str, part: &str, tables: &str) -> Vec<String> {
    let krate = parse(&[
        ("lib.rs", "mod low; mod high; pub use high::Part; extern crate self as my_crate;"),
        ("low.rs", low),
        (
            "high/mod.rs",
            "pub(crate) mod part; pub use part::{Part, part}; pub(crate) use part::{call as renamed}; pub use part::*;",
        ),
        ("high/part.rs", part),
    ]);
    let tables = Tables::parse(tables).expect("the tables parse");
    rules::layers(&krate, tables.of("my-crate").expect("the section is found"))
}

const PART: &str = "
    pub struct Part; impl Part { pub const ONE: i32 = 1; } pub fn call() {} pub fn part() {} pub trait Doing {}
    pub mod inner { pub struct In; }
    pub use std::fmt; use self::inner::*; use other_crate::*; made!{}
    #[macro_export] macro_rules! shown { () => { $crate::high::part::call() } }";

#[test]
fn an_upward_use_is_found_however_it_is_written() {
    let ways = [
        ("an import", "use crate::high::part::Part;", "Part"),
        (
            "an import among others",
            "use std::{fmt, io};\nuse crate::{low as me, high::part::{Doing as _, inner::{self, In}}};",
            "Doing",
        ),
        ("a rename", "use crate::high::part::Part as Other;", "Part"),
        ("a full path in a type", "fn f(_: Option<&crate::high::part::Part>) {}", "Part"),
        ("a full path in an expression", "fn f() { let it = || crate::high::part::call(); it() }", "call"),
        ("the parent", "fn f() { super::high::part::call() }", "call"),
        ("the parent of an inline module", "mod own { fn f() { super::super::high::part::call() } }", "call"),
        ("the crate's own name", "fn f() { my_crate::high::part::call(); }", "call"),
        ("the crate's own name after colons", "fn f() { ::my_crate::high::part::call(); }", "call"),
        ("a re-export", "use crate::high::Part;", "Part"),
        ("a re-export of the root", "use crate::Part;", "Part"),
        ("a renamed re-export", "fn f() { crate::high::renamed() }", "call"),
        ("a re-exported glob", "use crate::high::Doing;", "Doing"),
        ("an imported module", "use crate::high as above;\nfn f() { above::part::call() }", "call"),
        ("a glob", "use crate::high::part::*;\nfn f() -> Option<Part> { None }", "Part"),
        ("a glob of the parent", "use super::*;\nfn f() -> Option<Part> { None }", "Part"),
        ("an import in a function", "fn f() { use crate::high; high::part::call() }", "call"),
        ("an associated item", "fn f() -> i32 { crate::high::Part::ONE }", "Part"),
        ("an implementation", "impl crate::high::part::Doing for u8 {}", "Doing"),
        ("a bound", "fn f(_: impl crate::high::part::Doing) {}", "Doing"),
        ("the arguments of a macro", "fn f() { assert!(1 == 1, \"{}\", [crate::high::part::call()].len()) }", "call"),
        ("an import in a macro", "use crate::high;\nfn f() { vec![high::part::call()]; }", "call"),
        ("the body of a macro", "macro_rules! m { () => { $crate::high::part::call() } }", "call"),
        ("a macro", "fn f() { crate::shown!() }", "shown"),
        ("a pattern", "fn f(it: i32) -> bool { matches!(it, crate::high::Part::ONE) }", "Part"),
        ("a re-export of the name of its module", "fn f() { crate::high::part() }", "part"),
        ("a method of a trait", "fn f() { crate::high::Doing::method() }", "Doing"),
        (
            "an item of a macro's in a module with globs",
            "fn f() { crate::high::part::made_by_macro() }",
            "made_by_macro",
        ),
        ("an item of a macro's", "fn f() { crate::high::part::made_by_macro() }", "made_by_macro"),
    ];
    for (way, low, name) in ways {
        let failures = check(low, PART, LAYERS);
        let [failure] = failures.as_slice() else { panic!("{way}: {failures:?}") };
        assert!(failure.starts_with("my-crate/src/low.rs:"), "{way}: {failure}");
        assert!(failure.contains(&format!("`{name}`")), "{way}: {failure}");
        assert!(failure.contains("defined in src/high/part.rs, in the higher layer `high`"), "{way}: {failure}");
    }
}

#[test]
fn the_message_has_the_line_of_the_use() {
    let failures = check("//! A job.\n\nfn f() {\n    crate::high::part::call();\n}", PART, LAYERS);
    assert!(failures[0].starts_with("my-crate/src/low.rs:4: uses `call`, defined in src/high/part.rs"), "{failures:?}");
}

#[test]
fn an_implementation_in_another_file_is_found() {
    let low = "pub struct Low; impl Low { pub fn own() { Self::high(); } }";
    let part = "impl crate::low::Low { pub fn high() { crate::low::Low::own() } } pub fn call() {} pub fn part() {} pub struct Part;";
    let failures = check(low, part, LAYERS);
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(failure.starts_with("my-crate/src/low.rs:1: uses `Low::high`, defined in src/high/part.rs"), "{failure}");
}

#[test]
fn other_names_are_not_found() {
    let fine = [
        ("a test", "#[cfg(test)] mod tests { use crate::high::Part; }"),
        ("a test of other conditions", "#[cfg(all(test, not(loom)))] use crate::high::Part;"),
        ("a comment", "/// See [`crate::high::Part`].\nfn f() {}"),
        ("an imported module", "use crate::high;"),
        ("a name of its own", "pub struct Part; fn f() -> Option<Part> { None }"),
        ("a name of its own before a glob's", "use super::*; pub struct Part; fn f() -> Option<Part> { None }"),
        ("a type parameter", "use super::*; fn f<Part>() -> Option<Part> { None }"),
        ("a local variable", "use super::*; fn f(high: i32) -> i32 { let renamed = high; renamed }"),
        ("a re-export of the standard library", "fn f(_: crate::high::part::fmt::Error) {}"),
        ("the standard library", "use std::fmt::Debug; fn f(_: ::std::string::String) {}"),
        ("a quoted path", "fn f() { quote!(crate::high::Part); vec![quote!(crate::high::Part)] }"),
        ("a visibility", "pub(in crate::low) fn f() {}"),
        ("the inner part of a path", "fn f() { <u8 as Into<u16>>::into(1); std::high::part::call() }"),
    ];
    for (what, low) in fine {
        assert_eq!(check(low, PART, LAYERS), [""; 0], "{what}");
    }
    let downward = "use crate::low::Low; pub struct Part; pub fn call() {}";
    assert_eq!(check("pub struct Low;", downward, LAYERS), [""; 0]);
}

#[test]
fn a_circle_is_found() {
    let one_layer = "## Layers of my-crate\n\n| module | job |\n|---|---|\n| `low`, `high` | all |\n";
    let (low, part) =
        ("use crate::high::Part; pub struct Low;", "use crate::low::Low; pub struct Part; pub fn call() {}");
    let failures = check(low, part, one_layer);
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(
        failure.starts_with("my-crate/src/: 2 files use each other in circles: low.rs, high/part.rs."),
        "{failure}"
    );
    assert!(failure.contains("\n    my-crate/src/low.rs:1: uses `Part`, defined in src/high/part.rs"), "{failure}");
    assert!(failure.contains("\n    my-crate/src/high/part.rs:1: uses `Low`, defined in src/low.rs"), "{failure}");

    let excepted =
        format!("{one_layer}\n| exception | uses | reason |\n|---|---|---|\n| `low.rs` | `high/part.rs` | yes |\n");
    assert_eq!(check(low, part, &excepted), [""; 0]);
    // Circles are allowed in `high` only, and this one leaves it.
    let elsewhere = format!("{one_layer}\n| circle | reason |\n|---|---|\n| `high` | yes |\n");
    assert_eq!(check(low, part, &elsewhere).len(), 2);
}

#[test]
fn a_folder_may_be_allowed_circles() {
    let check = |b: &str, tables: &str| {
        let krate = parse(&[
            ("lib.rs", "mod knot; mod other;"),
            ("knot/mod.rs", "mod a; mod b; pub use a::A; pub use b::B;"),
            ("knot/a.rs", "use super::B; pub struct A;"),
            ("knot/b.rs", b),
            ("other.rs", "use crate::knot::A; pub struct Other;"),
        ]);
        let tables = Tables::parse(tables).expect("the tables parse");
        rules::layers(&krate, tables.of("my-crate").expect("the section is found"))
    };
    let rows = "## Layers of `my-crate`\n\n| module | job |\n|---|---|\n| `knot`, `other` | both |\n";
    let allowed = format!("{rows}\n| circle | reason |\n|---|---|\n| `knot` | yes |\n");
    let within = "use super::A; pub struct B;";
    assert_eq!(check(within, rows).len(), 1);
    assert_eq!(check(within, &allowed), [""; 0]);
    // The circle leaves the folder, at another file than the one where it comes in.
    let leaving = format!("{within} use crate::other::Other;");
    let failures = check(&leaving, &allowed);
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(failure.contains("\n    my-crate/src/other.rs:1: uses `A`, defined in src/knot/a.rs"), "{failure}");
    assert!(failure.contains("\n    my-crate/src/knot/b.rs:1: uses `Other`, defined in src/other.rs"), "{failure}");
}

#[test]
fn an_exception_is_needed() {
    let row = "\n| exception | uses | reason |\n|---|---|---|\n| `low.rs` | `high` | for its repr |\n";
    let tables = format!("{LAYERS}{row}");
    assert_eq!(check("use crate::high::Part;", PART, &tables), [""; 0]);
    let failures = check("", PART, &tables);
    let [failure] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(
        failure.starts_with("tests/data/layers.md:10: no use in my-crate needs the row about `low.rs` and `high`"),
        "{failure}"
    );
    let circle = format!("{LAYERS}\n| circle | reason |\n|---|---|\n| `high` | yes |\n");
    assert_eq!(check("", PART, &circle).len(), 1);
    assert!(Tables::parse(&tables.replace("for its repr", "")).is_err_and(|error| error.contains("has no reason")));
}

#[test]
fn the_longest_row_of_a_file_counts() {
    let rows = "## Layers of my-crate\n\n| module | job |\n|---|---|\n| `high/part` | |\n| `low` | |\n| `high` | |\n";
    assert_eq!(check("use crate::high::Part;", PART, rows), [""; 0]);
}

#[test]
fn every_file_has_a_row_and_every_row_a_file() {
    let failures = check("", PART, &LAYERS.replace("`high`", "`higher`"));
    let [module, part, row] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(module.starts_with("my-crate/src/high/mod.rs:1: the file is in no layer"), "{module}");
    assert!(part.starts_with("my-crate/src/high/part.rs:1: the file is in no layer"), "{part}");
    assert!(row.contains("name `higher`, where no file is"), "{row}");
}

#[test]
fn the_table_of_crates_lists_the_folders() {
    let document = "| crate | job |\n|---|---|\n| `my-crate` | one |\n| `other-crate` | two |\n";
    let tables = Tables::parse(document).expect("the table parses");
    let folders = ["my-crate", "third-crate"].map(str::to_owned);
    let failures = rules::crate_table(&tables.crates, &folders);
    let [missing, gone] = failures.as_slice() else { panic!("{failures:?}") };
    assert!(missing.contains("has no row `third-crate`"), "{missing}");
    assert!(gone.contains("has a row `other-crate`"), "{gone}");
    assert_eq!(rules::crate_table(&tables.crates, &["my-crate", "other-crate"].map(str::to_owned)), [""; 0]);
}

#[test]
fn a_file_is_short_and_says_its_job() {
    assert_eq!(rules::file("a.rs", &format!("//! A job.\n{}", "\n".repeat(499))), [""; 0]);
    let failures = rules::file("a.rs", &"\n".repeat(501));
    assert!(failures[0].starts_with("a.rs:501: the file has more than 500 lines"), "{failures:?}");
    assert!(failures[1].starts_with("a.rs:1: the first line is not a `//!` comment"), "{failures:?}");
}

#[test]
fn a_table_of_texts_without_seeds_is_found() {
    let faults = |key: &str| {
        let table = format!("FxHashMap<{key}, usize>");
        let text = format!("//! {table}\nstruct S {{ a: u8, b: {table} }}\n");
        crate::rules::unseeded_tables("file.rs", &text).len()
    };
    for key in
        ["String", "Str", "&str", "&'a str", "Box<str>", "Arc<str>", "(String, usize)", "(&'a str, u8)", "Cow<'a, str>"]
    {
        assert_eq!(faults(key), 1, "{key}");
    }
    for key in ["usize", "&'static str", "(&'static str, usize)", "StringId", "Structure", "ObjectRef", "&'a Var"] {
        assert_eq!(faults(key), 0, "{key}");
    }
}
