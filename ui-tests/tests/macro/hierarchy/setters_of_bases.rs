use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Int", setters = IntSetters)]
#[structural_eq(tree)]
struct IntNode {
    #[field(default)]
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "ui.Expr", base, setters = ExprSetters)]
struct ExprNode {
    pub required: i64,
    #[field(default)]
    private: i64,
}

fn main() {}
