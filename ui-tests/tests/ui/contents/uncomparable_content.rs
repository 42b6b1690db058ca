use object_core::Function;
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Source")]
#[structural_eq(none)]
struct SourceNode {
    text: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Module")]
#[structural_eq(tree)]
struct ModuleNode {
    name: Str,
    sources: Map<Str, Option<Source>>,
    pass: Function,
}

fn main() {}
