//! A type that is not a base cannot be extended: its handle expects the node directly after the header.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldContents, FieldMeta, Pointer, TypeSpec, node_of};
use ui_tests::ConstNode;

macro_rules! handle {
    ($Handle:ident $Node:ident) => {
        struct $Handle(Pointer<$Node>);
        object_core::generated_handle!($Handle, $Node, FieldContents::Plain);
        impl std::ops::Deref for $Handle {
            type Target = $Node;
            fn deref(&self) -> &$Node {
                node_of(self)
            }
        }
        impl Clone for $Handle {
            fn clone(&self) -> Self {
                $Handle(self.0.clone())
            }
        }
    };
}

struct XNode {
    before: u8,
    base: ConstNode,
}
handle!(X XNode);
object_core::generated_node! {
    whole XNode X true { base: ConstNode = ConstNode } { before: u8 = ("before", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
