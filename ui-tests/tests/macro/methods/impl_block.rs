use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
struct NotABlock {
    value: i64,
}

#[object_methods]
fn function(x: &X) -> i64 {
    x.value
}

#[object_methods]
trait Valued {
    fn value(&self) -> i64;
}

fn main() {
    assert!(function(&X::new(1)) == NotABlock { value: 1 }.value);
}
