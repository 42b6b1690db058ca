use object_core::prelude::*;

use ui_tests::Var;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(const_tree)]
struct XNode {
    #[field(def)]
    vars: Array<Var>,
}

fn main() {}
