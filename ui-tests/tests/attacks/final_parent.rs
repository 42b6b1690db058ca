//! A type that is not a base cannot be extended: its handle expects the node directly after the header.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldMeta, TypeSpec};
use ui_tests::ConstNode;

struct XNode {
    before: u8,
    base: ConstNode,
}
ui_tests::handle!(X XNode);
object_core::generated_node! {
    whole XNode X true { base: ConstNode = ConstNode } { before: u8 = ("before", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
