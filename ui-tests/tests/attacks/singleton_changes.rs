//! A singleton has one instance for each key: no code can change one, or make a second one.
#![forbid(unsafe_code)]

use object_core::derive_support::Instances;
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Op")]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
}

impl MakeMut for Op {}

static SECOND: Instances<OpNode> = Instances::open(|name| OpNode { name });

fn main() {
    let op = SECOND.get("add");
    let op: Op = OpNode { name: "add".into() }.into();
}
