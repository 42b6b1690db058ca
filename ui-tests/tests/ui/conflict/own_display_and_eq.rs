use std::fmt;

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Name")]
#[structural_eq(tree)]
struct NameNode {
    text: Str,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

fn main() {}
