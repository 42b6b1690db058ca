//! Reads any bytes as a JSON graph, and its exact text again: see the law in `tests/tests/reader_laws/printed.rs`.

#![no_main]

#[path = "../../tests/tests/reader_laws/printed.rs"]
mod printed;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    printed::check(bytes);
    Corpus::Keep
});
