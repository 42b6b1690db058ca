//! `object_core` under another path.
#[allow(unreachable_pub, reason = "a facade as other crates write it")]
mod facade {
    pub mod inner {
        pub use object_core as objects;
    }
}

use facade::inner::objects;
use objects::prelude::*;

#[derive(Object)]
#[object(type_key = "crate_path.Base", base, crate = crate::crate_path::facade::inner::objects)]
struct BaseNode {
    #[field(ignore)]
    span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "crate_path.X", parent = BaseNode, crate = objects)]
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

pub(super) fn main() {
    let base: Base = X::new().into();
    assert!(base.downcast_ref::<X>().is_some_and(|x| x.kind != Kind::A));
}
