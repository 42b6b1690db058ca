use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Base", base, may_contain(vars, tree))]
struct BaseNode {
    #[field(may_contain(var = 1))]
    a: Any,
}

fn main() {}
