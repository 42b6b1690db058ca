use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    a: String,
    #[field(default)]
    b: std::time::Duration,
}

fn main() {
    let _ = X::new("a");
}
