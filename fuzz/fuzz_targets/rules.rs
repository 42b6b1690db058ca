//! Reads any text as a module with a rule, and runs the rule: see the law in `tests/tests/reader_laws/rules.rs`.

#![no_main]

#[path = "../../tests/tests/reader_laws/rules.rs"]
mod rules;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    rules::check(bytes);
    Corpus::Keep
});
