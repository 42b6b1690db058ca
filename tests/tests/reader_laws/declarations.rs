//! Any text as declarations in Python: it has faults, each with a place and a message, or a schema. The schema is the same
//! after JSON, and each target writes the same text from both.

use object_codegen::model::Model;
use object_codegen::python_input::{SourceFile, read};
use object_codegen::{Target, generate};
use object_core::dynamic::Schema;

/// Checks the law. Returns whether the text has no faults.
pub(crate) fn check(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let none = Schema::new(Vec::new(), Vec::new());
    let declarations = match read(&[SourceFile { name: "file.py", text }], &none) {
        Ok(declarations) => declarations,
        Err(faults) => {
            assert!(!faults.is_empty(), "no schema and no faults");
            for fault in faults {
                assert!(fault.to_string().starts_with("file.py:"), "a fault without a place: {fault}");
            }
            return false;
        }
    };
    let Ok(json) = declarations.schema.to_json() else { return true };
    let again = Schema::parse(json.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again.to_json().expect("it was written before"), json, "the schema does not stay the same");
    for target in Target::ALL {
        let texts = [&declarations.schema, &again]
            .map(|schema| Model::new(schema, &none).and_then(|model| generate(target, &model, "file.h")));
        assert_eq!(texts[0].as_ref().ok(), texts[1].as_ref().ok(), "{target}: another text after JSON");
    }
    true
}
