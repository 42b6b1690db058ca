use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", precedence = 6)]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Y", format = "-$value", precedence = 2000)]
#[structural_eq(tree)]
struct YNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Z", format = "-$value", associativity = both)]
#[structural_eq(tree)]
struct ZNode {
    value: i64,
}

fn main() {}
