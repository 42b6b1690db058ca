use object_core::prelude::*;

use ui_tests::Const;

#[derive(Object, Clone)]
enum Kind {
    Serial,
}

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(default)]
    value: Const,
    #[field(default = "serial")]
    kind: Kind,
}

fn main() {}
