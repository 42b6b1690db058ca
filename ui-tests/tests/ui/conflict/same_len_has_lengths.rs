use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Base", base)]
pub struct BaseNode {
    pub names: Array<Str>,
    pub count: i64,
}

#[derive(Object)]
#[object(type_key = "demo.X", parent = BaseNode, base_args(names: Array<Str>, count: i64), same_len(names, args))]
#[structural_eq(tree)]
struct XNode {
    base: BaseNode,
}

#[derive(Object)]
#[object(type_key = "demo.Y", parent = BaseNode, base_args(names: Array<Str>, count: i64), same_len(names, count))]
#[structural_eq(tree)]
struct YNode {
    base: BaseNode,
}

fn main() {}
