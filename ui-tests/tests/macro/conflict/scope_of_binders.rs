use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Var")]
#[structural_eq(var, scope)]
pub struct VarNode {
    pub name: Str,
}

fn main() {}
