use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn text(&self) -> String {
        self.value.to_string()
    }

    pub fn small(&self) -> Result<u8, std::num::TryFromIntError> {
        self.value.try_into()
    }

    pub fn node(&self) -> &XNode {
        self
    }
}

fn main() {
    assert!(X::new(1).text() == "1");
}
