//! The values on which the unsafe code of the crate relies come from no safe function.
#![forbid(unsafe_code)]

use object_core::derive_support::{FieldPlace, StorageOf, Upcast};
use object_core::prelude::*;
use object_core::FieldType;
use ui_tests::{ConstNode, Var};

/// A value whose memory is not as its storage says.
#[derive(Clone)]
struct Lie(usize);
const LIE: StorageOf<Lie> = StorageOf::new(<ObjectRef as FieldType>::STORAGE.get());
const SECOND_LIE: StorageOf<Lie> = <ObjectRef as FieldType>::STORAGE;

/// A proof that a type extends another one.
const UPCAST: Upcast<ConstNode, Var> = Upcast::SAME;

/// The place of a field.
const PLACE: FieldPlace<ConstNode, ObjectRef> = FieldPlace::new(std::ptr::null_mut(), std::ptr::null_mut(), 0);

/// A handle of any object.
#[derive(Clone)]
struct Any(ObjectRef);
impl ObjectHandle for Any {}

fn main() {}
