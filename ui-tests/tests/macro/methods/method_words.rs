use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods(crat = object_core)]
impl X {
    #[method(skp)]
    pub fn a(&self) {}

    #[method(name = "other")]
    pub fn b(&self) {}

    #[method(frobnicate, skip = true, rename)]
    pub fn c(&self) {}

    #[method(skip, skip)]
    pub fn d(&self) {}

    #[method(skip)]
    #[method(skip)]
    pub fn e(&self) {}

    #[method]
    pub fn f(&self) {}

    #[method(rename = name)]
    pub fn g(&self) {}

    #[method(skip rename)]
    pub fn h(&self) {}
}

#[object_methods(crate = "object_core")]
impl Y {
    pub fn a(&self) {}
}

#[derive(Object)]
#[object(type_key = "demo.Y")]
#[structural_eq(none)]
struct YNode {}

fn main() {
    X::new(1).a();
}
