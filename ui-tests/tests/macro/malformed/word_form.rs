use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = 5, parent = "ExprNode", base = true, base_args = dtype, json = a.b, handle = "X")]
#[structural_eq("tree", custom(yes))]
struct XNode {
    #[field(ignore = true, rename, default(1), meta = "unit")]
    value: i64,
}

fn main() {}
