use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", tree, ignore)]
#[structural_eq(base)]
struct XNode {
    #[field(def, json = value, var)]
    value: ObjectRef,
}

fn main() {}
