use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "")]
#[structural_eq(none)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo..B")]
#[structural_eq(none)]
struct BNode {}

#[derive(Object)]
#[object(type_key = "demo.my-op")]
#[structural_eq(none)]
struct CNode {}

#[derive(Object)]
#[object(type_key = "Add")]
#[structural_eq(none)]
struct DNode {}

#[derive(Object)]
#[object(type_key = "ffi.Object")]
#[structural_eq(none)]
struct ENode {}

fn main() {}
