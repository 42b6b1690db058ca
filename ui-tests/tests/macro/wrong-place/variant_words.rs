use object_core::prelude::*;

#[derive(Object, Clone)]
enum Mode {
    #[object(version = 2)]
    Slow,
    #[object(alias = "very fast")]
    Fast,
}

fn main() {}
