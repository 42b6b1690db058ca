use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn a(&self) {}
}

#[object_methods]
impl X {
    pub fn b(&self) {}
}

fn main() {
    X::new(1).a();
}
