use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Expr")]
#[structural_eq(none)]
struct Expr {}

#[derive(Object)]
#[object(type_key = "demo.Node")]
#[structural_eq(none)]
struct Node {}

#[derive(Object)]
#[object(type_key = "demo.Same", handle = Same)]
#[structural_eq(none)]
struct Same {}

fn main() {}
