use object_core::prelude::*;

#[derive(Object)]
#[object(type_kee = "demo.X", bsae)]
#[structural_eq(tre)]
struct XNode {
    #[field(ignroe)]
    a: i64,
    #[field(defualt = 3, frobnicate)]
    b: i64,
}

fn main() {
    let x = X::new(1);
    assert!(x.b == 3);
}
