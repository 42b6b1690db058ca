use object_core::prelude::*;

#[derive(Object)]
#[object(type_kee = "demo.X", bsae)]
#[structural_eq(tre)]
struct XNode {
    #[field(ignroe)]
    a: i64,
    #[field(defualt = 3, frobnicate)]
    b: i64,
}

/// A type that names a type with mistakes makes no errors itself.
#[derive(Object)]
#[object(type_key = "demo.Lambda")]
#[structural_eq(tree)]
struct LambdaNode {
    args: Array<Param>,
    #[field(def)]
    params: Array<Param>,
}

#[derive(Object)]
#[object(type_key = "demo.Constant")]
#[structural_eq(const_tree)]
struct ConstantNode {
    param: Option<Param>,
}

#[derive(Object)]
#[object(type_key = "demo.Param")]
#[structural_eq(vr)]
struct ParamNode {
    name: Str,
}

fn main() {
    let x = X::new(1);
    assert!(x.b == 3);
}
