//! What a crate that declares and uses node structs needs in scope: `use object_core::prelude::*;`.
//!
//! `Function` and `Tensor` are left out, because most IRs have types of these names: import them from the crate's root.

pub use crate::container::{Array, Map};
pub use crate::error::{Error, ErrorKind};
pub use crate::function::CallMethod;
pub use crate::object::{
    Any, AnyView, FieldRole, HookContents, HookPairs, MakeMut, Object, ObjectHandle, ObjectRef, StructuralHook,
    TypedHandle,
};
pub use crate::scalar::{DataType, Device};
pub use crate::structural::{
    StructuralOptions, structural_diff, structural_equal, structural_first_mismatch, structural_hash,
};
pub use crate::value::{Bytes, Shape, Str};
pub use object_derive::{Object, object_methods};
