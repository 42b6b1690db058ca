//! Helpers of the tests of generated text.

#![allow(dead_code, reason = "each test uses some of them")]

pub(crate) mod peer;

use std::path::PathBuf;
use std::{env, fs};

use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::Error;
use object_core::dynamic::Schema;

/// A file of this folder.
pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The text of a file of this folder.
pub(crate) fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A schema without types.
pub(crate) fn no_types() -> Schema {
    Schema::new(Vec::new(), Vec::new())
}

/// The schema of a file of this folder.
pub(crate) fn schema(name: &str) -> Schema {
    Schema::parse(read(name).as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The text of a whole file with the types of a schema.
pub(crate) fn file_text(target: Target, schema: &Schema, context: &Schema, header: &str) -> Result<String, Error> {
    Model::new(schema, context).and_then(|model| generate(target, &model, header))
}

/// Compares a text with a file of this folder. `BLESS=1` writes the file.
pub(crate) fn check_golden(name: &str, text: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(path(name), text).expect("the file is writable");
    }
    assert!(text == read(name), "{name} is not current; BLESS=1 renews it. The text is now:\n{text}");
}

/// The record of the types of TVM.
pub(crate) fn record() -> Schema {
    let record = fs::read(path("../../fixtures/schema.json")).expect("the record");
    Schema::parse(&record).unwrap_or_else(|error| panic!("{error}"))
}
