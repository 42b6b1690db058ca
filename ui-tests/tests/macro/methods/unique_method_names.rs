use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn value(&self) -> i64 {
        self.value
    }

    #[method(rename = "value")]
    pub fn other(&self) -> i64 {
        -self.value
    }
}

fn main() {
    assert!(X::new(1).value() == -X::new(1).other());
}
