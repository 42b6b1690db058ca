use object_core::prelude::*;

struct Plain;

#[object_methods]
impl Plain {
    pub fn one() -> i64 {
        1
    }
}

fn main() {
    assert!(Plain::one() == 1);
}
