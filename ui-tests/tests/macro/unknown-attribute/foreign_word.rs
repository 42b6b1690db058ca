use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(const-tree)]
struct XNode {
    #[field(skip)]
    a: i64,
}

#[derive(Object)]
#[object(key = "demo.Y")]
#[structural_eq(free_var)]
struct YNode {
    #[field(Ignore)]
    a: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Z", final)]
#[structural_eq(unique_instance, key = name)]
struct ZNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Peer", structural_eq = "const-tree")]
struct PeerNode {
    #[field(structural_eq = "ignore")]
    a: i64,
    #[field(structural_eq = "def-recursive")]
    b: ObjectRef,
    #[field(structural_eq = "pattern")]
    c: ObjectRef,
    #[field(structural_eq = "def-non-recursive", default = Default::default())]
    d: Array<ObjectRef>,
}

fn main() {}
