use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn many(&self, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8, _: u8) {}
}

fn main() {
    X::new(1).many(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
