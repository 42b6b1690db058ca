use object_core::prelude::*;

#[derive(Object, Clone)]
#[object(type_key = "demo.X", opaque)]
struct XNode {
    #[field(rename = "line", default)]
    lines: Vec<String>,
}

fn main() {}
