use object_core::prelude::*;
use ui_tests::Const;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(def)]
    number: i64,
    #[field(def_simple)]
    types: Option<Map<Str, Array<DataType>>>,
    #[field(def)]
    constants: Array<Const>,
}

fn main() {}
