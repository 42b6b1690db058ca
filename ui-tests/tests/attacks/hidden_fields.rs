//! Tables that do not name the fields of their structs, or name fields that the structs do not have.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldMeta, TypeSpec};
use object_core::prelude::*;

/// A field that the table leaves out.
struct HiddenNode {
    number: i64,
    hidden: Box<i64>,
}
ui_tests::handle!(Hidden HiddenNode);
object_core::generated_node! {
    whole HiddenNode Hidden true {} { number: i64 = ("number", FieldMeta::NONE) (); } TypeSpec::NONE
}

/// A field that stands in the table twice.
struct TwiceNode {
    number: i64,
}
ui_tests::handle!(Twice TwiceNode);
object_core::generated_node! {
    whole TwiceNode Twice true {}
    { number: i64 = ("number", FieldMeta::NONE) (); number: i64 = ("again", FieldMeta::NONE) (); }
    TypeSpec::NONE
}

/// A field of another type than the table says.
struct WrongNode {
    number: usize,
}
ui_tests::handle!(Wrong WrongNode);
object_core::generated_node! {
    whole WrongNode Wrong true {} { number: ObjectRef = ("number", FieldMeta::NONE) (); } TypeSpec::NONE
}

/// The field of another object, through a `Deref`.
struct DistantNode {}
ui_tests::handle!(Distant DistantNode);
impl std::ops::Deref for DistantNode {
    type Target = TwiceNode;
    fn deref(&self) -> &TwiceNode {
        unimplemented!()
    }
}
object_core::generated_node! {
    whole DistantNode Distant true {} { number: i64 = ("number", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
