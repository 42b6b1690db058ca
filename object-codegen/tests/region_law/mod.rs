//! The law of regions, for any bytes: either there are faults, or the bytes outside of the regions are unchanged, and a
//! second update changes nothing. The fuzz target `regions` checks the same law.

use object_codegen::model::Model;
use object_codegen::{Target, regions};

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

/// Checks the law for a file with these bytes; the first byte selects the target. Returns whether the file has regions
/// without faults.
pub(crate) fn check(model: &Model<'_>, data: &[u8]) -> bool {
    let Some((first, text)) = data.split_first() else { return false };
    let (target, comment): (_, &[u8]) = match first % 4 {
        0 => (Target::Cpp, b"//"),
        1 => (Target::CppSource, b"//"),
        2 => (Target::Python, b"#"),
        _ => (Target::Rust, b"//"),
    };
    let Ok(updated) = regions::update(target, model, "file", text) else { return false };
    assert_eq!(outside(&updated.text, comment), outside(text, comment), "bytes outside of the regions changed");
    let again = regions::update(target, model, "file", &updated.text).expect("an updated file has no faults");
    assert_eq!(again.text, updated.text, "a second update changed the file");
    if updated.regions == 0 {
        assert_eq!(updated.text, text);
    }
    updated.regions > 0
}
