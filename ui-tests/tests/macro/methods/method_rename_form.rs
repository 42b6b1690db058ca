use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    #[method(rename = "")]
    pub fn a(&self) -> i64 {
        self.value
    }

    #[method(rename = "two words")]
    pub fn b(&self) -> i64 {
        self.value
    }
}

fn main() {
    assert!(X::new(1).a() == X::new(1).b());
}
