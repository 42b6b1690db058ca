use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(def)]
    a: i64,
    #[field(def_simple)]
    b: Option<Map<Str, Array<DataType>>>,
}

fn main() {}
