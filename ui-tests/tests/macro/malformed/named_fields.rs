use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
struct XNode(i64, Str);

#[derive(Object)]
#[object(type_key = "demo.Y")]
struct YNode;

fn main() {}
