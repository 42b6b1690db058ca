//! One instance per key: made on first use, or listed in a table.
use object_core::prelude::*;
use ui_tests::{Expr, ExprNode};

#[derive(Object)]
#[object(type_key = "singletons.Op", parent = ExprNode)]
#[structural_eq(singleton, key = name)]
struct OpNode {
    base: ExprNode,
    name: Str,
    #[field(default = 7)]
    inputs: i64,
    note: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "singletons.Target")]
#[structural_eq(singleton, key = name, table = targets::all)]
struct TargetNode {
    #[field(rename = "key_")]
    name: Str,
    level: i64,
}

mod targets {
    pub(crate) fn all() -> Vec<super::TargetNode> {
        ["llvm", "cuda"]
            .into_iter()
            .zip(1..)
            .map(|(name, level)| super::TargetNode { name: name.into(), level })
            .collect()
    }
}

pub(super) fn main() {
    let (add, again, other) = (Op::get("add").unwrap(), Op::get("add").unwrap(), Op::get("mul").unwrap());
    assert!(add.ptr_eq(&again) && !add.ptr_eq(&other));
    assert_eq!((&*add.name, add.inputs), ("add", 7));
    let expr: Expr = add.into();
    assert!(Op::try_from(expr).is_ok());
    assert_eq!(OpNode::TYPE_INFO.singleton_key().map(|field| field.name()), Some("name"));

    assert_eq!(Target::get("cuda").unwrap().level, 2);
    assert!(Target::get("cuda").unwrap().ptr_eq(&Target::get("cuda").unwrap()));
    let error = Target::get("lvm").unwrap_err();
    assert_eq!(error.message(), "`singletons.Target` has no instance `lvm`, did you mean `llvm`?");
    assert_eq!(TargetNode::TYPE_INFO.singleton_key().map(|field| field.name()), Some("key_"));
}
