use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Expr")]
struct Expr {}

#[derive(Object)]
#[object(type_key = "demo.Node")]
struct Node {}

#[derive(Object)]
#[object(type_key = "demo.Same", handle = Same)]
struct Same {}

fn main() {}
