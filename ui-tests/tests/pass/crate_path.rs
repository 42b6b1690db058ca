//! `object_core` under another name, where `::object_core` is nothing.
mod facade {
    pub mod inner {
        pub use object_core as objects;
    }
}

use facade::inner::objects;
use objects::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Base", base, crate = crate::facade::inner::objects)]
struct BaseNode {
    #[field(ignore)]
    span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "demo.X", parent = BaseNode, crate = objects)]
#[structural_eq(tree)]
struct XNode {
    base: BaseNode,
    #[field(default = Kind::B)]
    kind: Kind,
}

#[derive(Object, Clone, Copy, PartialEq)]
#[object(crate = objects)]
enum Kind {
    A,
    B,
}

fn main() {
    let base: Base = X::new().into();
    assert!(base.downcast_ref::<X>().is_some_and(|x| x.kind != Kind::A));
}
