//! A union has no fields that are always there.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldContents, FieldMeta, Pointer, TypeSpec, node_of};

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

union OneNode {
    flag: bool,
    number: u8,
}
handle!(One OneNode);
object_core::generated_node! {
    whole OneNode One true {} { flag: bool = ("flag", FieldMeta::NONE) (); } TypeSpec::NONE
}

fn main() {}
