//! The object model: header and handles, type and field tables, values of any type. All `unsafe` of the project lives
//! in this folder and in `value/` and `container/`, which lay out the objects of variable length.

mod any;
mod builder;
mod by_index;
pub(crate) mod children;
mod cursor;
mod count;
mod field_info;
mod field_type;
mod fields;
mod handle;
mod header;
mod holds;
mod hook;
pub(crate) mod node;
pub(crate) mod rules;
mod region;
pub(crate) mod run_time;
mod slice;
pub(crate) mod step;
mod type_info;

pub(crate) use any::mismatch;
pub use any::{Any, AnyView};
pub use builder::ObjectBuilder;
pub(crate) use builder::{Buildable, VacantField, object_by_field};
pub(crate) use children::{Children, Slot};
pub(crate) use cursor::Cursor;
pub(crate) use field_info::write_type;
pub use field_info::{FieldInfo, FieldOps, FieldRole, Storage, TypeSchema};
pub use field_type::FieldType;
pub use fields::Fields;
pub(crate) use fields::{FieldPair, FieldPairs, HashedFields};
pub use handle::{Extends, MakeMut, Object, ObjectHandle, Pointer, TypedHandle, node_of, upcast};
pub(crate) use handle::{from_object_unchecked, node_unchecked, node_unchecked_mut};
pub(crate) use header::Header;
pub use header::{ObjectRef, ObjectView};
pub(crate) use holds::same;
pub use holds::{Contents, Holds, TableAddress};
pub use hook::{EqualChildren, HashChildren, HookFns, Region, StructuralHook};
pub(crate) use hook::{EqualPair, HashChild};
pub(crate) use node::{new_object, new_object_of};
pub use region::DefRegionKind;
pub(crate) use slice::{SliceObject, slice_info};
pub use step::Step;
pub use type_info::{Ancestor, Body, JsonForm, SEqHashKind, SingletonInfo, TypeInfo};
pub(crate) use type_info::{Below, Instances, Treatment};
