use object_core::prelude::*;

#[derive(Object, Clone, Copy)]
#[repr(u64)]
enum Kind {
    Small = 1,
    Large = u64::MAX,
}

fn main() {}
