use object_core::prelude::*;

#[derive(Object, Clone)]
enum Mode {
    #[object(alias = "Fast")]
    Slow,
    #[object(alias = "Quick")]
    #[object(alias = "Quick")]
    Fast,
}

fn main() {}
