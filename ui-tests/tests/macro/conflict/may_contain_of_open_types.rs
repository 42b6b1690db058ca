use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", may_contain())]
#[structural_eq(tree)]
struct XNode {}

#[derive(Object)]
#[object(type_key = "demo.Constant", base, may_contain(var))]
#[structural_eq(const_tree)]
struct ConstantNode {}

#[derive(Object)]
#[object(type_key = "demo.Base", base, may_contain(none))]
struct BaseNode {}

fn main() {}
