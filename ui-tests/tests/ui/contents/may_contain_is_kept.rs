use object_core::prelude::*;
use ui_tests::Expr;

#[derive(Object)]
#[object(type_key = "demo.Attrs", base, may_contain(dag))]
struct AttrsNode {}

#[derive(Object)]
#[object(type_key = "demo.CallAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
struct CallAttrsNode {
    base: AttrsNode,
    callee: Expr,
    more: Option<Attrs>,
}

#[derive(Object)]
#[object(type_key = "demo.Name", parent = AttrsNode)]
#[structural_eq(var)]
struct NameNode {
    base: AttrsNode,
}

#[derive(Object)]
#[object(type_key = "demo.ScopeAttrs", parent = AttrsNode, base, may_contain(var))]
#[structural_eq(tree)]
struct ScopeAttrsNode {
    base: AttrsNode,
}

fn main() {}
