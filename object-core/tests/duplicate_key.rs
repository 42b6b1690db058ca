//! Two types with one key: every use of the key reports both declarations. This is a separate program because it breaks
//! its registry.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

use object_core::prelude::*;
use object_core::{ErrorKind, json, registry};

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

#[derive(Object)]
#[object(type_key = "duplicate.Other")]
#[structural_eq(tree)]
pub struct OtherNode {
    pub value: ObjectRef,
}

#[test]
fn values_of_both_types_are_not_written() {
    let [first, second] = [Any::from(First::new(1)), Any::from(Second::new(1))].map(|value| json::to_string(&value));
    let inner = json::to_string(&Other::new(Second::new(1)));
    for error in [first, second, inner].map(|result| result.expect_err("a reader cannot tell the types apart")) {
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
        assert_eq!(error.message().matches("duplicate_key.rs:").count(), 2, "{error}");
    }
    assert!(json::to_writer(&mut Vec::new(), &First::new(1)).is_err());
}

#[test]
fn other_types_are_not_affected() {
    let text = json::to_string(&Other::new(Str::from("text"))).expect("the key has one type");
    assert!(json::from_slice::<Other>(text.as_bytes()).is_ok());
    assert!(registry::type_info("duplicate.Other").is_ok());
    let error = registry::types().expect_err("a list of types has one type for each key");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
}
