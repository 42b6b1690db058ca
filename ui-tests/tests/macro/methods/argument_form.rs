use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn fill(&self, other: &mut X) {
        other.make_mut().value = self.value;
    }

    pub fn sum(values: &[i64]) -> i64 {
        values.iter().sum()
    }

    pub fn unit(_: ()) {}
}

fn main() {
    assert!(X::sum(&[1]) == 1);
}
