use object_core::prelude::*;

#[derive(Object, Clone, Copy)]
#[object(type_key = "demo.Kind", base, json = a)]
enum Kind {
    Serial,
}

fn main() {}
