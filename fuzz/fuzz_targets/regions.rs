//! Updates the regions of any bytes; the first byte selects the target. Either there are faults, or the bytes outside of
//! the regions are unchanged and a second update changes nothing.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use object_codegen::model::Model;
use object_core::dynamic::Schema;

#[path = "../../object-codegen/tests/region_law/mod.rs"]
mod region_law;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let text = include_bytes!("../../object-codegen/tests/data/wide.json");
    Schema::parse(text).expect("a schema")
});
static NONE: LazyLock<Schema> = LazyLock::new(|| Schema::new(Vec::new(), Vec::new()));
static MODEL: LazyLock<Model<'static>> = LazyLock::new(|| Model::new(&SCHEMA, &NONE).expect("the types fit"));

fuzz_target!(|data: &[u8]| {
    region_law::check(&MODEL, data);
});
