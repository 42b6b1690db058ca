//! Reads any bytes as declarations in Python: see the law in `tests/tests/reader_laws/declarations.rs`.

#![no_main]

#[path = "../../tests/tests/reader_laws/declarations.rs"]
mod declarations;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    declarations::check(bytes);
    Corpus::Keep
});
