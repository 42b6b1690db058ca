use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Source", eq = structural)]
#[structural_eq(none)]
struct SourceNode {}

#[derive(Object)]
#[object(type_key = "ui.Plain", eq = structural)]
#[structural_eq(none)]
struct PlainNode {}

#[derive(Object)]
#[object(type_key = "ui.Var", eq = structural)]
#[structural_eq(var)]
struct VarNode {}

#[derive(Object)]
#[object(type_key = "ui.Op", eq = structural)]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
}

fn main() {}
