//! A union has no fields that are always there.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldMeta, TypeSpec};

union OneNode {
    flag: bool,
    number: u8,
}
ui_tests::handle!(One OneNode);
object_core::generated_node! {
    whole OneNode One true {} { flag: bool = ("flag", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
