use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

struct Of<T>(T);

#[object_methods]
impl<T: Clone> Of<T> {
    pub fn value(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    assert!(Of(1).value() == 1);
}
