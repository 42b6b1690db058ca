//! The derive reads tokens, and the compiler checks the layout.
#![forbid(unsafe_code)]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
#[cfg_attr(all(), repr(C, packed))]
struct XNode {
    a: u8,
    b: i64,
}

macro_rules! packed {
    ($word:ident) => {
        #[repr(C, $word)]
        struct YNode {
            a: u8,
            b: i64,
        }
    };
}
packed!(packed);

struct Y(object_core::derive_support::Pointer<YNode>);

object_core::generated_node! {
    whole YNode Y true {}
    {
        a: u8 = ("a", object_core::derive_support::FieldMeta::NONE) ();
        b: i64 = ("b", object_core::derive_support::FieldMeta::NONE) ();
    }
    object_core::derive_support::TypeSpec::NONE
}
object_core::generated_handle!(Y, YNode, object_core::derive_support::FieldContents::Plain);

impl std::ops::Deref for Y {
    type Target = YNode;
    fn deref(&self) -> &YNode {
        object_core::derive_support::node_of(self)
    }
}

impl Clone for Y {
    fn clone(&self) -> Self {
        Y(self.0.clone())
    }
}

fn main() {}
