//! Threads share objects, so an opaque node holds nothing that they must not share, also in a field that the macro does not
//! list.
#![forbid(unsafe_code)]

use std::rc::Rc;

use object_core::derive_support::{OpaqueCopy, Pointer, TypeSpec};

struct HiddenNode {
    counted: Rc<str>,
}

struct Hidden(Pointer<HiddenNode>);

object_core::generated_node! { opaque HiddenNode Hidden true {} {} OpaqueCopy::NONE, TypeSpec::NONE }

struct WholeNode {
    counted: Rc<str>,
}

struct Whole(Pointer<WholeNode>);

object_core::generated_node! { opaque WholeNode Whole true {} OpaqueCopy::NONE, TypeSpec::NONE }

fn main() {}
