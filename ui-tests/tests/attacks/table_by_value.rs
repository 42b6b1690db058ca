//! A table that can be changed and put into a `Types` comes from no safe function.
#![forbid(unsafe_code)]

use object_core::derive_support::{self as support, NodeContents, TypeSpec};
use object_core::prelude::*;
use object_core::TypeInfo;

#[derive(Object, Clone)]
#[object(type_key = "demo.X", opaque)]
struct XNode {
    bytes: Vec<u8>,
}

static TABLE: TypeInfo = support::type_info(&NodeContents::<XNode>::whole(), TypeSpec::NONE);

fn main() {
    let mut info = *XNode::TYPE_INFO;
    info.body = Array::<i64>::default().as_object().type_info().body;
    object_core::registry::Types::linked().insert(&TABLE).unwrap();
}
