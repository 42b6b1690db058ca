use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "")]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo..B")]
struct BNode {}

#[derive(Object)]
#[object(type_key = "demo.my-op")]
struct CNode {}

#[derive(Object)]
#[object(type_key = "Add")]
struct DNode {}

#[derive(Object)]
#[object(type_key = "ffi.Object")]
struct ENode {}

fn main() {}
