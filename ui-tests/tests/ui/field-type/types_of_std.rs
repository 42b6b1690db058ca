use std::collections::HashMap;

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    a: char,
    b: u64,
    c: (i64, Str),
    d: [i64; 3],
    e: Box<X>,
    f: Option<String>,
    g: Array<usize>,
    h: HashMap<Str, i64>,
}

fn main() {}
