use object_core::prelude::*;

#[derive(Object, Clone)]
enum Value {
    Size(usize),
    Many(Vec<Str>),
}

fn main() {}
