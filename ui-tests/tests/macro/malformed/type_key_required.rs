use object_core::prelude::*;

#[derive(Object)]
#[structural_eq(tree)]
struct AddNode {
    value: i64,
}

// The type can be used, so that there is one error.
fn main() {
    let add = Add::new(1);
    assert!(add.value == 1 && add.is::<Add>());
    let _: (ObjectRef, Array<Add>) = (add.clone().into(), [add].into());
}
