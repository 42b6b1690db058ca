//! The object model: header and handles, type and field tables, values of any type. All `unsafe` of the project lives
//! in this folder and in `value/` and `container/`, which lay out the objects of variable length.

mod any;
mod builder;
mod by_index;
mod count;
mod field_info;
mod field_type;
mod fields;
mod handle;
mod header;
mod hook;
pub(crate) mod node;
pub(crate) mod run_time;
mod slice;
pub(crate) mod step;
mod type_info;

pub(crate) use any::mismatch;
pub use any::{Any, AnyView};
pub use builder::ObjectBuilder;
pub(crate) use builder::{Buildable, VacantField};
pub(crate) use field_info::write_type;
pub use field_info::{FieldInfo, FieldOps, FieldRole, Storage, TypeSchema};
pub use field_type::FieldType;
pub use fields::Fields;
pub(crate) use fields::{Contents, FieldPair, FieldPairs};
pub use handle::{Extends, MakeMut, Object, ObjectHandle, Pointer, TypedHandle, node_of, upcast};
pub(crate) use handle::{from_object_unchecked, node_unchecked};
pub(crate) use header::Header;
pub use header::{ObjectRef, ObjectView};
pub use hook::{EqualChildren, HashChildren, HookFns, Region, StructuralHook};
pub(crate) use hook::{EqualPair, HashChild};
pub(crate) use node::{new_object, new_object_of};
pub(crate) use slice::{SliceObject, slice_info};
pub use step::Step;
pub use type_info::{Ancestor, Body, JsonForm, SEqHashKind, SingletonInfo, TypeInfo};
pub(crate) use type_info::{Below, Instances, Treatment};
