//! [`RuntimeTypeSpec`]: makes the table of a type at run time, from a schema. The tables have the form of the tables of
//! linked types, so that no operation on objects distinguishes them.
//!
//! Memory safety depends on the storage of each field, and the operations on a storage are the operations of linked types.
//! The rest of a schema, such as the objects that a field accepts, is a
//! [`FieldRule`](crate::object::model::runtime_field::FieldRule), which checks values in addition.

use std::alloc::Layout;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::object::memory::node_box::{copy_fields, free_fields};
use crate::object::model::any::Any;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::dynamic_hook::{DynamicHook, dynamic_hook_fns};
use crate::object::model::evolution::Evolution;
use crate::object::model::field_info::{FieldInfo, FieldMeta, FieldOps, Storage};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::runtime_field::RuntimeField;
use crate::object::model::singleton_info::SingletonInfo;
use crate::object::model::syntax::Syntax;
use crate::object::model::type_info::{Ancestor, JsonForm, TypeInfo};
use crate::object::model::type_spec::{TypeParts, TypeSpec};
use crate::object::runtime::instances::RuntimeInstances;
use crate::object::typed::field_type::FieldType;
use crate::scalar::{DataType, Device};

/// The Rust type that a field of such a type is stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeStorage {
    /// [`ObjectRef`].
    Object,
    /// `Option<ObjectRef>`.
    OptionalObject,
    /// `i64`.
    Int,
    /// `bool`.
    Bool,
    /// `f64`.
    Float,
    /// [`DataType`].
    DataType,
    /// [`Device`].
    Device,
    /// [`Any`].
    Any,
}

impl RuntimeStorage {
    /// The storage, the operations and the memory layout of a field.
    fn parts(self) -> (Storage, &'static FieldOps, Layout) {
        fn of<T: FieldType>() -> (Storage, &'static FieldOps, Layout) {
            (T::STORAGE.get(), FieldOps::of::<T>(), Layout::new::<T>())
        }
        match self {
            RuntimeStorage::Object => of::<ObjectRef>(),
            RuntimeStorage::OptionalObject => of::<Option<ObjectRef>>(),
            RuntimeStorage::Int => of::<i64>(),
            RuntimeStorage::Bool => of::<bool>(),
            RuntimeStorage::Float => of::<f64>(),
            RuntimeStorage::DataType => of::<DataType>(),
            RuntimeStorage::Device => of::<Device>(),
            RuntimeStorage::Any => of::<Any>(),
        }
    }
}

/// A field that a new type adds to the fields of its parent.
pub(crate) struct FieldSpec {
    /// The reflected name.
    pub(crate) name: &'static str,
    /// The annotations.
    pub(crate) meta: FieldMeta,
    /// The Rust type that the field is stored as.
    pub(crate) storage: RuntimeStorage,
    /// The rest of the description.
    pub(crate) field: RuntimeField,
}

/// The description of a new type. Fields with the name of a field of [`TypeInfo`] mean the same.
pub(crate) struct RuntimeTypeSpec {
    pub(crate) type_key: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) location: (&'static str, u32),
    pub(crate) kind: SEqHashKind,
    pub(crate) is_scope: bool,
    pub(crate) meta: &'static [(&'static str, &'static str)],
    pub(crate) evolution: Evolution,
    /// The names of fields whose values have one length, for each group.
    pub(crate) same_len: Vec<Vec<String>>,
    pub(crate) syntax: Option<Syntax>,
    pub(crate) label: Option<&'static str>,
    pub(crate) is_base: bool,
    pub(crate) is_abstract: bool,
    /// The type that the new type extends.
    pub(crate) parent: Option<&'static TypeInfo>,
    /// The fields that the type adds to the fields of its parent.
    pub(crate) fields: Vec<FieldSpec>,
    /// The name of the field whose value represents the object in JSON.
    pub(crate) json: Option<String>,
    /// Whether a reader keeps the objects with their text: see [`JsonForm::Kept`].
    pub(crate) is_kept: bool,
    /// The name of the field that is the key of a singleton.
    pub(crate) singleton_key: Option<String>,
    /// The hook in place of the fields in structural equality and hashing.
    pub(crate) hook: Option<Box<dyn DynamicHook>>,
}

impl RuntimeTypeSpec {
    /// Makes the table of the type. The table is never freed, because objects point to it without counting these
    /// references.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if types cannot extend the parent, if the parent implements `Drop`,
    /// if the type has more than 64 fields, or if an object would be larger than 4 GiB.
    pub(crate) fn leak(self) -> Result<&'static TypeInfo> {
        let refuse =
            |reason: &str| Err(Error::new(ErrorKind::NotConstructible, format!("`{}`: {reason}", self.type_key)));
        // The fields in the table are the whole node only for types with this body, and `free_fields` knows no destructors of
        // structs.
        let can_be_extended = |parent: &TypeInfo| parent.is_base && parent.body == Body::Node && !parent.has_destructor;
        if self.parent.is_some_and(|parent| !can_be_extended(parent)) {
            return refuse("its parent cannot be extended");
        }
        let inherited = self.parent.map_or(&[][..], |parent| parent.fields);
        if inherited.len() + self.fields.len() > MAX_FIELDS {
            return refuse("a type has at most 64 fields");
        }
        // The parent's part comes first, at its place in an object of exactly the parent's type.
        let mut layout = self.parent.map_or(Layout::new::<Header>(), |parent| parent.layout);
        let mut fields = inherited.to_vec();
        for FieldSpec { name, meta, storage, field } in self.fields {
            let (storage, ops, room) = storage.parts();
            let extended = layout.extend(room).ok().and_then(|(all, at)| Some((all, u32::try_from(at).ok()?)));
            let Some((extended, offset)) = extended else {
                return refuse("an object has at most 4 GiB");
            };
            layout = extended;
            let runtime: Option<&'static RuntimeField> = Some(Box::leak(Box::new(field)));
            fields.push(FieldInfo { name, meta, offset, storage, ops, default: None, runtime });
        }
        let fields: &'static [FieldInfo] = fields.leak();
        let index = |name: &String| fields.iter().position(|field| field.name == *name);
        let singleton = self
            .singleton_key
            .as_ref()
            .and_then(index)
            .map(|key_field| SingletonInfo { key_field, source: Box::leak(Box::new(RuntimeInstances::new())) });
        let json = self
            .json
            .as_ref()
            .or(self.singleton_key.as_ref())
            .and_then(index)
            .map_or(if self.is_kept { JsonForm::Kept } else { JsonForm::Fields }, JsonForm::Field);
        let indices = |group: &Vec<String>| &*group.iter().filter_map(index).collect::<Vec<usize>>().leak();
        let groups: Vec<&'static [usize]> = self.same_len.iter().map(indices).collect();
        let spec = TypeSpec {
            names: ("", ""),
            type_key: self.type_key,
            doc: self.doc,
            location: self.location,
            kind: self.kind,
            label: self.label,
            syntax: self.syntax,
            json,
            is_scope: self.is_scope,
            is_abstract: self.is_abstract,
            by_structure: false,
            may_contain: None,
            meta: self.meta,
            evolution: self.evolution,
            same_len: groups.leak(),
            verify: None,
            hooks: self.hook.map(|hook| dynamic_hook_fns(Box::leak(hook))),
            singleton,
        };
        let parts = TypeParts {
            body: Body::Node,
            is_base: self.is_base,
            ancestors: ancestors(self.parent),
            fields,
            skipped: &[],
            compared_fields: ComparedField::list(fields).leak(),
            layout: layout.pad_to_align(),
            free: free_fields,
            has_destructor: false,
            copy: (self.kind != SEqHashKind::UniqueInstance).then_some(copy_fields as _),
        };
        // SAFETY: the fields lie at the offsets that `Layout::extend` has assigned to their types, after the parent's
        // part. They are the whole node: the parent's fields are its whole node, because its body is `Node`.
        let mut table = unsafe { TypeInfo::new(spec, parts) };
        // The numbers in the text stand for the objects below, so no rewrite exchanges them.
        table.changes_in_place &= !self.is_kept;
        let info: &'static TypeInfo = Box::leak(Box::new(table));
        LEAKED_TYPES.lock().unwrap_or_else(PoisonError::into_inner).push(info);
        Ok(info)
    }
}

/// All tables that were made, so that leak detectors find a reference to them.
static LEAKED_TYPES: Mutex<Vec<&'static TypeInfo>> = Mutex::new(Vec::new());

/// The ancestors of a type that extends `parent`, whose part comes first in the objects.
fn ancestors(parent: Option<&'static TypeInfo>) -> &'static [Ancestor] {
    let Some(parent) = parent else { return &[] };
    let own = Ancestor { info: parent, offset: DATA_OFFSET as u32 };
    parent.ancestors.iter().copied().chain([own]).collect::<Vec<_>>().leak()
}
