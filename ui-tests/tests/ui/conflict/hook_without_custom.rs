use object_core::prelude::*;

use object_core::object::{HookContents, StructuralHook};

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(dag)]
struct XNode {
    value: i64,
}

impl StructuralHook for XNode {
    fn structural_contents<'a>(&'a self, _: &mut HookContents<'a>) {}
}

fn main() {}
