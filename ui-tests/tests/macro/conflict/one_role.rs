use object_core::prelude::*;

use ui_tests::Var;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(ignore, def)]
    a: Var,
    #[field(def, def_simple)]
    b: Var,
}

fn main() {}
