use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub async fn later(&self) -> i64 {
        self.value
    }

    /// # Safety
    /// None.
    pub unsafe fn unchecked(&self) -> i64 {
        self.value
    }
}

fn main() {
    drop(X::new(1).later());
}
