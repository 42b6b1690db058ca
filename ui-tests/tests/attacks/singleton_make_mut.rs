//! The macro that makes handles changeable refuses singletons.
#![forbid(unsafe_code)]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Op")]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
}

object_core::generated_make_mut!(Op);

fn main() {}
