use object_core::prelude::*;
use ui_tests::{Expr, Var, VarNode};

#[derive(Object)]
#[object(type_key = "demo.Scale")]
#[structural_eq(const_tree)]
struct ScaleNode {
    inner: Array<Middle>,
    any: Map<Str, Any>,
    open: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "demo.Middle")]
#[structural_eq(tree)]
struct MiddleNode {
    next: Option<Middle>,
    dim: Option<Dim>,
}

#[derive(Object)]
#[object(type_key = "demo.Dim", parent = VarNode, base_args(name: Str))]
#[structural_eq(var)]
struct DimNode {
    base: VarNode,
}

#[derive(Object)]
#[object(type_key = "demo.Graph", base)]
#[structural_eq(tree)]
struct GraphNode {
    nodes: Array<Block>,
}

#[derive(Object)]
#[object(type_key = "demo.Block")]
#[structural_eq(dag)]
struct BlockNode {
    vars: Array<Var>,
}

#[derive(Object)]
#[object(type_key = "demo.Constant", parent = GraphNode, base_args(nodes: Array<Block>))]
#[structural_eq(const_tree)]
struct ConstantNode {
    base: GraphNode,
}

fn main() {}
