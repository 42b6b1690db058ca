//! Two types with one key: every look-up reports both declarations. This is a separate program because it breaks its
//! registry.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

use object_core::prelude::*;
use object_core::{ErrorKind, registry};

#[derive(Object)]
#[object(type_key = "duplicate.Same")]
#[structural_eq(tree)]
pub struct FirstNode {
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "duplicate.Same")]
#[structural_eq(tree)]
pub struct SecondNode {
    pub value: i64,
}

#[test]
fn both_places_are_named() {
    let error = registry::type_info("duplicate.Same").expect_err("two types have the key");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    assert_eq!(error.message().matches("duplicate_key.rs:").count(), 2, "{error}");
}
