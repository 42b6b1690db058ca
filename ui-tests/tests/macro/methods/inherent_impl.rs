use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

trait Valued {
    fn value(&self) -> i64;
}

#[object_methods]
impl Valued for X {
    fn value(&self) -> i64 {
        self.value
    }
}

fn main() {
    assert!(Valued::value(&X::new(1)) == 1);
}
