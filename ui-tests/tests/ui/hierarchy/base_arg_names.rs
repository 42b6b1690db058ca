use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Binary", base)]
struct BinaryNode {
    lhs: i64,
    rhs: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Sub", parent = BinaryNode, base_args(rhs: i64, lhs: i64))]
#[structural_eq(tree)]
struct SubNode {
    base: BinaryNode,
}

#[derive(Object)]
#[object(type_key = "demo.Add", parent = BinaryNode, base_args(left: i64, rhs: i64))]
#[structural_eq(tree)]
struct AddNode {
    base: BinaryNode,
}

fn main() {}
