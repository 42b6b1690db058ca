//! The pattern of a union with one field looks like the pattern of a struct.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldMeta, TypeSpec};

union OneNode {
    flag: bool,
}
ui_tests::handle!(One OneNode);
object_core::generated_node! {
    whole OneNode One true {} { flag: bool = ("flag", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
