use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    fn private(&self) -> i64 {
        self.value
    }

    #[method(skip)]
    pub fn skipped(&self) -> i64 {
        self.value
    }
}

fn main() {
    assert!(X::new(1).private() == X::new(1).skipped());
}
