//! What a crate that declares and uses node structs needs in scope: `use object_core::prelude::*;`.

pub use crate::container::{Array, Map};
pub use crate::error::{Error, ErrorKind};
pub use crate::function::Function;
pub use crate::object::{
    Any, AnyView, EqualChildren, HashChildren, MakeMut, Object, ObjectHandle, ObjectRef, Region, StructuralHook,
    TypedHandle,
};
pub use crate::scalar::{DataType, Device};
pub use crate::structural::{StructuralEqual, StructuralHash, first_mismatch, structural_equal, structural_hash};
pub use crate::value::{Bytes, Shape, Str, Tensor};
pub use object_derive::Object;
