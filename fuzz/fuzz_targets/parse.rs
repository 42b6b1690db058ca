//! Reads any text as a script. Reading never panics, every error has a place in the text and a message, and the script of
//! the result prints.

#![no_main]

use libfuzzer_sys::fuzz_target;
use object_ir::script::parse::parse;
use object_ir::script::print::ScriptPrinter;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(value) => {
            let script = ScriptPrinter::new().show_meta(true).print(&value).into_text();
            assert!(!script.is_empty(), "nothing prints: {text:?}");
        }
        Err(errors) => {
            assert!(!errors.diagnostics().is_empty(), "no error: {text:?}");
            for it in errors.diagnostics() {
                assert!(it.range.start <= it.range.end && it.range.end <= text.len(), "{it:?}: {text:?}");
                assert!(!it.message.is_empty(), "{it:?}: {text:?}");
            }
        }
    }
});
