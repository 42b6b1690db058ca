use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Expr", base)]
#[structural_eq(tree)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "demo.Var", parent = ExprNode)]
#[structural_eq(tree)]
struct VarNode {
    base: ExprNode,
}

#[derive(Object)]
#[object(type_key = "demo.Call", parent = ExprNode)]
#[structural_eq(tree)]
struct CallNode {
    base: ExprNode,
    op: Option<Expr>,
    args: Array<Expr>,
    n: u8,
    table: Map<Str, i64>,
}

fn main() {
    let var = Var::new();
    // The compiler could not infer the type of a plain `None` if `Some(var)` were accepted.
    let _ = Call::new(Some(var.clone()), [], 0, []);
    let _ = Call::new(None, 5, 0, []);
    let _ = Call::new(None, Array::from([1]), 0, []);
    let call = Call::new(None, [&var].into_iter(), 0, []);
    let _ = call.table.get(&1);
    let _: &Array<Var> = call.args.as_ref();
}
