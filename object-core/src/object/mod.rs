//! The object model: objects and their handles, values of any type, and the tables that describe types and fields.
//!
//! - [`ObjectRef`] owns a reference to an object of any type, and [`ObjectView`] borrows one. [`Any`] and [`AnyView`] are
//!   values of any kind, objects included.
//! - [`Object`] is the trait of node structs, and [`ObjectHandle`] and [`TypedHandle`] are the traits of their handles.
//!   [`FieldType`] is the trait of types that fields can have.
//! - [`TypeInfo`] and [`FieldInfo`] describe types and fields at run time. [`ObjectBuilder`] makes an object from values by
//!   name, and [`Fields`] iterates over the fields of one.
//! - [`StructuralHook`] replaces the fields of a type in structural equality and hashing.
//!
//! This module, [`value`](crate::value), [`container`](crate::container), [`function`](crate::function) and the private
//! module `graph` contain all unsafe code of the crate.

pub(crate) mod access;
pub(crate) mod annotations;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod runtime;
pub(crate) mod typed;

pub(crate) use crate::object::access::builder::{Buildable, VacantField, object_by_field};
pub use crate::object::access::builder::{ObjectBuilder, object_of_key};
pub use crate::object::access::fields::Fields;
pub use crate::object::access::hooked::HookedValue;
pub(crate) use crate::object::access::pairs::{FieldPair, FieldPairs, HashedFields};
pub(crate) use crate::object::access::plain::PlainBits;
pub use crate::object::access::region::DefRegionKind;
pub(crate) use crate::object::access::unrolled::SameType;
pub use crate::object::memory::node_box::try_new_object;
pub(crate) use crate::object::memory::node_box::{copy_fields_with, new_object, new_object_of, object_of};
pub(crate) use crate::object::memory::slice::{GrowingMeta, SliceElement, SliceMeta, SliceObject, slice_info};
pub(crate) use crate::object::model::accepted::Accepted;
pub(crate) use crate::object::model::any::mismatch;
pub use crate::object::model::any::{Any, AnyView};
pub(crate) use crate::object::model::checked::faults_of;
pub(crate) use crate::object::model::checks::CheckedContent;
pub use crate::object::model::checks::{Choice, FieldChecks, FloatRange, IntRange, NumberRange};
pub(crate) use crate::object::model::compared_field::ComparedField;
pub(crate) use crate::object::model::computed::{ComputedEnd, ComputedValues};
pub use crate::object::model::contents::Contents;
pub(crate) use crate::object::model::contents::{FieldContents, TableAddress};
pub(crate) use crate::object::model::count::MarkClaim;
pub(crate) use crate::object::model::dispatch::Dispatch;
pub use crate::object::model::dynamic_hook::{DynamicHook, HookField, HookValue, HookedType};
pub use crate::object::model::enumeration::{Enumeration, Variant};
pub use crate::object::model::evolution::{Evolution, FileForm, Migration};
pub(crate) use crate::object::model::field_info::FieldOps;
pub use crate::object::model::field_info::{FieldInfo, FieldMeta, Storage, StorageOf};
pub use crate::object::model::findings::Findings;
pub(crate) use crate::object::model::handle_ops::{ContainerFns, HandleOps};
pub(crate) use crate::object::model::hook_fns::ListedFields;
pub(crate) use crate::object::model::hook_fns::ListedValue;
pub use crate::object::model::hook_fns::{HookContents, HookPairs};
pub use crate::object::model::keywords::FieldRole;
pub use crate::object::model::keywords::{Body, SEqHashKind};
pub(crate) use crate::object::model::object_ref::Header;
pub use crate::object::model::object_ref::{ObjectRef, ObjectView};
pub(crate) use crate::object::model::old_object::OldField;
pub use crate::object::model::old_object::OldObject;
pub(crate) use crate::object::model::plan::{ChildLayout, ChildSource, CompareRule};
pub(crate) use crate::object::model::release::DeadObjects;
pub(crate) use crate::object::model::singleton_info::{InstanceMap, InstanceSource, SingletonInfo};
pub use crate::object::model::syntax::{Associativity, Syntax};
pub(crate) use crate::object::model::type_info::Ancestor;
pub(crate) use crate::object::model::type_info::UNKNOWN_TYPE;
pub use crate::object::model::type_info::{JsonForm, TypeInfo};
pub use crate::object::model::type_schema::TypeSchema;
pub(crate) use crate::object::model::type_schema::write_type;
pub(crate) use crate::object::runtime::kept_type::{NODES, kept_declaration, kept_parts, kept_type};
pub use crate::object::typed::as_any_view::AsAnyView;
pub(crate) use crate::object::typed::builtin::{builtin_handle, builtin_identity, builtin_node};
pub(crate) use crate::object::typed::conversions::try_from_object;
pub use crate::object::typed::field_type::FieldType;
pub use crate::object::typed::handle::{MakeMut, Object, ObjectHandle, TypedHandle};
pub(crate) use crate::object::typed::handle::{from_object_unchecked, node_of, node_unchecked, node_unchecked_mut};
pub use crate::object::typed::hook::StructuralHook;
#[doc(hidden)]
pub use crate::object::typed::no_new::{
    CallNewOfTheHandle, HandleWithoutNew, NoNewForAbstractTypesAndSingletons, NodeWithoutNew,
};
pub use crate::object::typed::upcast::{Extends, UpcastsTo};
pub(crate) use crate::text::const_message::const_str_eq;
