use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    #[method(rename = "open")]
    fn private(&self) -> i64 {
        self.value
    }

    #[method(skip, rename = "hidden")]
    pub fn skipped(&self) -> i64 {
        self.private()
    }

    #[method(skip)]
    pub const ONE: i64 = 1;

    pub fn value(&self) -> i64 {
        self.value
    }
}

fn main() {
    assert!(X::new(1).skipped() == X::ONE);
}
