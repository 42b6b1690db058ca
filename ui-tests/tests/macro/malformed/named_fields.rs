use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none)]
struct XNode(i64, Str);

#[derive(Object)]
#[object(type_key = "demo.Y")]
#[structural_eq(none)]
struct YNode;

fn main() {}
