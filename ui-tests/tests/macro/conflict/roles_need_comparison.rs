use object_core::prelude::*;

use ui_tests::Var;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none)]
struct XNode {
    #[field(ignore)]
    name: Str,
    #[field(def_simple)]
    var: Var,
}

fn main() {}
