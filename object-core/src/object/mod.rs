//! The object model: header and handles, type and field tables, values of any type. All `unsafe` of the project lives
//! in this folder and in `value/` and `container/`, which lay out the objects of variable length.

pub(crate) mod access;
pub(crate) mod annotations;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod runtime;
pub(crate) mod typed;

pub use crate::object::access::builder::ObjectBuilder;
pub(crate) use crate::object::access::builder::{Buildable, VacantField, object_by_field};
pub use crate::object::access::fields::Fields;
pub(crate) use crate::object::access::pairs::{FieldPair, FieldPairs, HashedFields};
pub(crate) use crate::object::access::plain::PlainBits;
pub use crate::object::access::region::DefRegionKind;
pub(crate) use crate::object::access::unrolled::SameType;
pub(crate) use crate::object::annotations::message::same;
pub(crate) use crate::object::memory::node_box::{new_object, new_object_of};
pub(crate) use crate::object::memory::slice::{SliceObject, slice_info};
pub(crate) use crate::object::model::any::mismatch;
pub use crate::object::model::any::{Any, AnyView};
pub use crate::object::model::compared_field::ComparedField;
pub use crate::object::model::contents::{Contents, FieldContents, TableAddress};
pub(crate) use crate::object::model::dispatch::Dispatch;
pub use crate::object::model::field_info::{FieldInfo, FieldMeta, FieldOps, Storage};
pub use crate::object::model::keywords::FieldRole;
pub use crate::object::model::keywords::{Body, SEqHashKind};
pub(crate) use crate::object::model::object_ref::Header;
pub use crate::object::model::object_ref::{ObjectRef, ObjectView};
pub(crate) use crate::object::model::plan::{ChildSource, CompareRule};
pub(crate) use crate::object::model::type_info::Instances;
pub use crate::object::model::type_info::{Ancestor, JsonForm, SingletonInfo, TypeInfo};
pub use crate::object::model::type_schema::TypeSchema;
pub(crate) use crate::object::model::type_schema::write_type;
pub use crate::object::typed::as_any_view::AsAnyView;
pub(crate) use crate::object::typed::builtin::{builtin_handle, builtin_node};
pub(crate) use crate::object::typed::computed::{ComputedEnd, ComputedValues};
pub use crate::object::typed::field_type::FieldType;
pub use crate::object::typed::handle::{Extends, MakeMut, Object, ObjectHandle, Pointer, TypedHandle, node_of, upcast};
pub(crate) use crate::object::typed::handle::{from_object_unchecked, node_unchecked, node_unchecked_mut};
pub(crate) use crate::object::typed::hook::ListedValue;
pub use crate::object::typed::hook::{HookContents, HookFns, HookPairs, StructuralHook};
