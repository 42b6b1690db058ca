use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[object_methods]
impl X {
    pub fn of_node(node: &XNode) -> i64 {
        node.value
    }

    pub fn of_text(&self, text: String) -> i64 {
        self.value + text.len() as i64
    }
}

fn main() {
    assert!(X::of_node(&X::new(1)) == X::new(1).of_text(String::new()));
}
