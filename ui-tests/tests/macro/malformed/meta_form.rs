use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", meta(since = 2))]
#[structural_eq(none)]
struct XNode {
    #[field(meta(unit = 1, kind = "a", kind = "b"))]
    a: i64,
    #[field(meta(unit))]
    b: i64,
    #[field(meta())]
    c: i64,
}

fn main() {}
