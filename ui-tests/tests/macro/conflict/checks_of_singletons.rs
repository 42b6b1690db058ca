use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Op", same_len(name, args))]
#[structural_eq(singleton, key = name)]
struct OpNode {
    #[field(len = 1..)]
    name: Str,
    #[field(default)]
    args: Array<Str>,
}

fn main() {}
