//! Reads any bytes as files of tensors: see the law in `tests/tests/reader_laws/arrays.rs`.

#![no_main]

#[path = "../../tests/tests/reader_laws/arrays.rs"]
mod arrays;

use libfuzzer_sys::{Corpus, fuzz_target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    arrays::check(bytes);
    Corpus::Keep
});
