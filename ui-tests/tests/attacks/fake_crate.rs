//! A crate that looks like `object_core`, and implements its traits with the table of another type.
#![forbid(unsafe_code)]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Other")]
#[structural_eq(tree)]
pub struct OtherNode {
    text: Str,
}

pub mod fake {
    pub mod derive_support {
        pub use object_core::derive_support::*;

        macro_rules! node {
            (whole $Node:ident $Handle:ident $($rest:tt)*) => {
                unsafe impl Object for $Node {
                    type Handle = $Handle;
                    type Parent = ();
                    const TABLE: TableAddress = <crate::OtherNode as Object>::TABLE;
                    const TYPE_INFO: &'static TypeInfo = <crate::OtherNode as Object>::TYPE_INFO;
                    const FIELDS: &'static [FieldInfo] = <crate::OtherNode as Object>::FIELDS;
                    const COMPARED_FIELDS: &'static [ComparedField] = <crate::OtherNode as Object>::COMPARED_FIELDS;
                    const ANCESTORS: &'static [Ancestor] = &[];
                    const FINAL: bool = true;
                }
            };
        }
        pub(crate) use node as generated_node;
    }
}

use fake::derive_support::{Ancestor, ComparedField, FieldInfo, TableAddress, TypeInfo};

#[derive(Object)]
#[object(type_key = "demo.X", crate = fake)]
#[structural_eq(tree)]
struct XNode {
    number: i64,
}

fn main() {}
