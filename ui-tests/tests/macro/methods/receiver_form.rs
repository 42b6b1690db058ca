use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn set(&mut self, value: i64) {
        self.make_mut().value = value;
    }

    pub fn boxed(self: Box<Self>) -> i64 {
        self.value
    }

    pub fn spelled_out(self: &mut Self) {}

    pub fn fine(self: &Self) {}
}

fn main() {
    X::new(1).set(2);
}
