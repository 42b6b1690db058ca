//! Reads any text as a script. Reading never panics, every error has a place in the text and a message, the script of
//! the result prints, its exact script reads back, and formatting the text again changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use object_core::meter::Meter;
use object_core::structural::StructuralOptions;
use object_script::parse::{Errors, parse};
use object_script::print::ScriptPrinter;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(value) => {
            let script = ScriptPrinter::new().show_meta(true).print(&value).into_text();
            assert!(!script.is_empty(), "nothing prints: {text:?}");
            let exact = ScriptPrinter::new().print_exact(&value).expect("JSON holds what a text says");
            let read = parse(&exact).unwrap_or_else(|errors| panic!("{errors}: {exact:?}"));
            let is_same = StructuralOptions::new().map_free_vars(true).equal(&read, &value).expect("they compare");
            assert!(is_same, "another value reads back: {text:?}");
        }
        Err(errors) => check(text, &errors),
    }
    let format = |text: &str| object_script::format::format(text, 4, &Meter::unlimited());
    match format(text) {
        Ok(formatted) => assert_eq!(format(&formatted).as_ref(), Ok(&formatted), "formatting again: {text:?}"),
        Err(errors) => check(text, &errors),
    }
});

fn check(text: &str, errors: &Errors) {
    assert!(!errors.diagnostics().is_empty(), "no error: {text:?}");
    for it in errors.diagnostics() {
        assert!(it.range.start <= it.range.end && it.range.end <= text.len(), "{it:?}: {text:?}");
        assert!(!it.message.is_empty(), "{it:?}: {text:?}");
    }
}
