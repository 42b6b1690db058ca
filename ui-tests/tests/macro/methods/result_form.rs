use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn values(&self) -> &[i64] {
        &[]
    }

    pub fn all(&self) -> impl Iterator<Item = i64> {
        [self.value].into_iter()
    }
}

fn main() {
    assert!(X::new(1).values().len() < X::new(1).all().count());
}
