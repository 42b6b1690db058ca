//! Modules with a type that the program does not know: a reader that keeps unknown types writes the same bytes.

use std::collections::BTreeSet;

use object_core::ErrorKind;
use object_core::json::{JsonReader, JsonWriter};

/// Checks the law for each type in the text of a module. Returns the number of types that a reader keeps.
pub(crate) fn check(bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).expect("a text");
    let keys = text.split("{\"type\":\"").skip(1).filter_map(|node| node.split('"').next());
    // Other names are built-in types, which every program knows.
    let keys: BTreeSet<_> = keys.filter(|key| key.contains('.') && !key.starts_with("ffi.")).collect();
    keys.into_iter().filter(|key| is_kept(text, key)).count()
}

fn is_kept(text: &str, key: &str) -> bool {
    let lost = text.replace(&format!("{{\"type\":\"{key}\""), "{\"type\":\"lost.Type\"");
    match JsonReader::new().keep_unknown_types().read(lost.as_bytes()) {
        Ok(graph) => {
            let written = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root);
            assert_eq!(written.expect("a text"), lost, "{key}");
            true
        }
        // No type extends the type that the fields around it demand, or the text lacks a field of this type.
        Err(error) => {
            let is_expected =
                matches!(error.kind(), ErrorKind::TypeMismatch | ErrorKind::NotConstructible | ErrorKind::MissingField);
            assert!(is_expected, "{key}: {error}");
            false
        }
    }
}
