//! The record of TVM's types as Rust.

mod common;

use common::{no_types, path};
use object_codegen::{Target, generate};
use object_core::dynamic::Schema;

#[test]
fn the_record_of_tvm_has_a_form_in_rust() {
    let record = std::fs::read(path("../../fixtures/schema.json")).expect("the record");
    let schema = Schema::parse(&record).unwrap_or_else(|error| panic!("{error}"));
    let text = generate(Target::Rust, &schema, &no_types(), "").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(text.matches("#[derive(::object_core::Object)]").count(), schema.types().len());
    if let Some(file) = std::env::var_os("GENERATED") {
        std::fs::write(file, text).expect("writable");
    }
}
