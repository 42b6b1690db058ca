//! The type of a field means one thing in the struct and another thing in the expansion.
#![forbid(unsafe_code)]

mod __object {
    pub type ObjectRef = usize;
}

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: __object::ObjectRef,
}

fn main() {}
