//! Hooks replace the walk over the fields, for equality and hash alike.
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "hooks.Id")]
#[structural_eq(dag, custom)]
struct IdNode {
    name: Str,
    number: i64,
}

impl StructuralHook for IdNode {
    fn structural_equal<'a>(&'a self, other: &'a Self, children: &mut EqualChildren<'a>) {
        children.require("number", &self.number, &other.number, Region::Inherit);
    }

    fn structural_hash<'a>(&'a self, children: &mut HashChildren<'a>) {
        children.add(&self.number);
    }
}

pub(super) fn main() {
    assert!(IdNode::TYPE_INFO.has_custom_hooks());
    assert_eq!(Id::new("a", 1).number, 1);
}
