//! Updates the regions of any bytes; the first byte selects the target. Either there are faults, or the bytes outside of
//! the regions are unchanged and a second update changes nothing.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use object_codegen::model::Model;
use object_codegen::{Target, regions};
use object_core::dynamic::Schema;

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let text = include_bytes!("../../object-codegen/tests/data/wide.json");
    Schema::parse(text).expect("a schema")
});
static NONE: LazyLock<Schema> = LazyLock::new(|| Schema::new(Vec::new(), Vec::new()));
static MODEL: LazyLock<Model<'static>> = LazyLock::new(|| Model::new(&SCHEMA, &NONE).expect("the types fit"));

/// The lines that are not inside of a region, by a second reader of the markers.
fn outside(text: &[u8], comment: &[u8]) -> Vec<u8> {
    let (mut outside, mut is_inside) = (Vec::new(), false);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let word = line.trim_ascii().strip_prefix(comment).map(<[u8]>::trim_ascii_start);
        let word = word.and_then(|rest| rest.strip_prefix(b"tschema:")).map(<[u8]>::trim_ascii);
        is_inside &= word != Some(b"end");
        if !is_inside {
            outside.extend_from_slice(line);
        }
        is_inside |= word.is_some_and(|word| word != b"end");
    }
    outside
}

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else { return };
    let (target, comment): (_, &[u8]) = match first % 5 {
        0 => (Target::Cpp, b"//"),
        1 => (Target::CppSource, b"//"),
        2 => (Target::CppRfc, b"//"),
        3 => (Target::Python, b"#"),
        _ => (Target::Rust, b"//"),
    };
    let Ok(updated) = regions::update(target, &MODEL, "file", text) else { return };
    assert_eq!(outside(&updated.text, comment), outside(text, comment), "bytes outside of the regions changed");
    let again = regions::update(target, &MODEL, "file", &updated.text).expect("an updated file has no faults");
    assert_eq!(again.text, updated.text, "a second update changed the file");
    if updated.regions == 0 {
        assert_eq!(updated.text, text);
    }
});
