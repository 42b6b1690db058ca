use object_core::prelude::*;

#[derive(Object)]
enum Kind {
    Serial,
    Parallel,
}

fn main() {}
