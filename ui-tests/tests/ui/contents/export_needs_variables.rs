use object_core::prelude::*;
use ui_tests::{Const, Var};

#[derive(Object)]
#[object(type_key = "ui.Module")]
#[structural_eq(tree, scope)]
struct ModuleNode {
    #[field(def)]
    names: Array<Var>,
    #[field(export)]
    number: i64,
    #[field(export)]
    constants: Array<Const>,
}

fn main() {}
