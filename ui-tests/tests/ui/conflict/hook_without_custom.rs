use object_core::prelude::*;

use object_core::object::{EqualChildren, HashChildren, StructuralHook};

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(dag)]
struct XNode {
    value: i64,
}

impl StructuralHook for XNode {
    fn structural_equal<'a>(&'a self, _: &'a Self, _: &mut EqualChildren<'a>) {}
    fn structural_hash<'a>(&'a self, _: &mut HashChildren<'a>) {}
}

fn main() {}
