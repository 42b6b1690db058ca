use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn convert<T: From<i64>>(&self) -> T {
        self.value.into()
    }

    pub fn repeat<const N: usize>(&self) -> Array<i64> {
        [self.value; N].into()
    }

    pub fn plus(&self, other: impl Into<i64>) -> i64 {
        self.value + other.into()
    }
}

fn main() {
    assert!(X::new(1).plus(X::new(1).convert::<i64>()) == 2);
}
