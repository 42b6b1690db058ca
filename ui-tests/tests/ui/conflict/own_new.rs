use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Range")]
#[structural_eq(tree)]
struct RangeNode {
    min: i64,
    max: i64,
}

impl Range {
    pub fn new(min: i64, max: i64) -> Option<Range> {
        (min < max).then(|| RangeNode { min, max }.into())
    }
}

fn main() {}
