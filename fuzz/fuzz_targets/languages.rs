//! Reads any text in the languages of the tests of `object-syntax`. Reading never panics, a value that was read prints as a text of
//! an equal value, formatting again changes nothing, and each byte of the text answers an editor.

#![no_main]

#[path = "../../object-syntax/tests/languages/algebra.rs"]
mod algebra;
#[path = "../../object-syntax/tests/languages/hardware.rs"]
mod hardware;
#[path = "../../object-syntax/tests/languages/lambda.rs"]
mod lambda;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use object_core::structural_equal;
use object_syntax::{Language, LanguageOptions};

static LANGUAGES: LazyLock<[Language; 3]> = LazyLock::new(|| {
    let options = || LanguageOptions::new().width(40);
    [
        options().language::<lambda::Expr>().expect("it has no conflicts"),
        options().comment("--").language::<algebra::Rel>().expect("it has no conflicts"),
        options().language::<hardware::Circuit>().expect("it has no conflicts"),
    ]
});

fuzz_target!(|input: (u8, u16, &str)| {
    let (choice, offset, text) = input;
    let language = &LANGUAGES[usize::from(choice) % LANGUAGES.len()];
    match language.parse(text) {
        Ok(parsed) => {
            let printed = language.print(&parsed.value).expect("it has a text");
            let read = language.parse(printed.text()).unwrap_or_else(|errors| panic!("{errors}: {text:?}"));
            assert!(structural_equal(&read.value, &parsed.value), "another value reads back: {text:?}");
            let formatted = language.format(text).expect("it reads");
            assert_eq!(language.format(&formatted).as_ref().ok(), Some(&formatted), "formatting again: {text:?}");
        }
        Err(errors) => {
            assert!(!errors.diagnostics().is_empty(), "no error: {text:?}");
            for it in errors.diagnostics() {
                assert!(it.range.start <= it.range.end && it.range.end <= text.len(), "{it:?}: {text:?}");
            }
        }
    }
    let offset = usize::from(offset) % (text.len() + 1);
    if text.is_char_boundary(offset) {
        let reading = language.reading(text);
        let _ = reading.place_at(offset);
        for it in reading.occurrences() {
            assert!(text.get(it.range.clone()).is_some(), "{it:?}: {text:?}");
        }
        let _ = language.suggestions(text, offset);
    }
});
