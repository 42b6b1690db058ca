//! The names that a crate needs to declare and use node structs: `use object_core::prelude::*;`.
//!
//! The prelude leaves out [`Function`](crate::Function) and [`Tensor`](crate::Tensor), because most IRs declare types with
//! these names. Import them from the root of the crate.

pub use crate::container::{Array, Map};
pub use crate::error::{Error, ErrorKind};
pub use crate::function::CallMethod;
pub use crate::object::{
    Any, AnyView, FieldRole, HookContents, HookPairs, MakeMut, Object, ObjectHandle, ObjectRef, StructuralHook,
    TypedHandle,
};
pub use crate::object::{HandleWithoutNew as _, NodeWithoutNew as _};
pub use crate::registry::AsTrait;
pub use crate::scalar::{DataType, Device};
pub use crate::structural::{
    StructuralOptions, structural_diff, structural_equal, structural_first_mismatch, structural_hash,
};
pub use crate::value::{Bytes, Shape, Str};
pub use object_derive::{Object, object_methods};
