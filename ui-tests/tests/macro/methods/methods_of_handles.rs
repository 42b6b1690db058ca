use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl XNode {
    pub fn twice(&self) -> i64 {
        2 * self.value
    }
}

fn main() {
    assert!(X::new(1).twice() == 2);
}
