//! Types that a program makes while it runs, from a schema: the same tables, with the same operations on the same
//! storages, so that no operation on objects distinguishes them from linked types.
//!
//! Memory safety rests on the storage of each field, whose operations are those of linked types. The rest of a schema,
//! such as which objects a field takes, is a [`FieldRule`](crate::object::model::runtime_field::FieldRule), which checks
//! values in addition.

use std::alloc::Layout;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind, Result};
use crate::object::memory::node_box::{copy_fields, free_fields};
use crate::object::model::any::Any;
use crate::object::model::compared_field::ComparedField;
use crate::object::model::field_info::{FieldInfo, FieldMeta, FieldOps, Storage};
use crate::object::model::keywords::{Body, SEqHashKind};
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef};
use crate::object::model::plan::MAX_FIELDS;
use crate::object::model::runtime_field::RuntimeField;
use crate::object::model::type_info::{Ancestor, Instances, JsonForm, SingletonInfo, TypeInfo};
use crate::object::model::type_spec::{TypeParts, TypeSpec};
use crate::object::runtime::instances::RuntimeInstances;
use crate::object::typed::field_type::FieldType;
use crate::scalar::{DataType, Device};

/// The Rust types that fields of such types are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuntimeStorage {
    Object,
    OptionalObject,
    Int,
    Bool,
    Float,
    DataType,
    Device,
    Any,
}

impl RuntimeStorage {
    /// Storage, operations and layout.
    fn parts(self) -> (Storage, &'static FieldOps, Layout) {
        fn of<T: FieldType>() -> (Storage, &'static FieldOps, Layout) {
            (T::STORAGE, FieldOps::of::<T>(), Layout::new::<T>())
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

/// A field that a new type adds to those of its parent.
pub(crate) struct FieldSpec {
    pub(crate) name: &'static str,
    pub(crate) meta: FieldMeta,
    pub(crate) storage: RuntimeStorage,
    pub(crate) field: RuntimeField,
}

/// What a new type is to be. The parts that are public in [`TypeInfo`] mean what they mean there.
pub(crate) struct RuntimeTypeSpec {
    pub(crate) type_key: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) location: (&'static str, u32),
    pub(crate) kind: SEqHashKind,
    pub(crate) is_scope: bool,
    pub(crate) label: Option<&'static str>,
    pub(crate) is_base: bool,
    pub(crate) is_abstract: bool,
    pub(crate) parent: Option<&'static TypeInfo>,
    /// The own fields.
    pub(crate) fields: Vec<FieldSpec>,
    /// The name of the field that stands for the object in JSON.
    pub(crate) json: Option<String>,
    /// The name of the field that is the key of a singleton.
    pub(crate) singleton_key: Option<String>,
}

impl RuntimeTypeSpec {
    /// The table of the type. It lives as long as the program, like those of linked types, because objects point to it
    /// and nobody knows when the last one goes.
    ///
    /// # Errors
    /// [`NotConstructible`](ErrorKind::NotConstructible) if no type can extend the parent, or there are more fields than
    /// a type can have. Nothing is kept then.
    pub(crate) fn leak(self) -> Result<&'static TypeInfo> {
        let refuse =
            |reason: &str| Err(Error::new(ErrorKind::NotConstructible, format!("`{}`: {reason}", self.type_key)));
        // Only of these are the listed fields all there is in memory.
        if self.parent.is_some_and(|parent| !parent.is_base || parent.body != Body::Node || !parent.is_canonical()) {
            return refuse("its parent cannot be extended");
        }
        let inherited = self.parent.map_or(&[][..], |parent| parent.fields);
        if inherited.len() + self.fields.len() > MAX_FIELDS {
            return refuse("a type has at most 64 fields");
        }
        // The parent's part lies in front, as in an object of exactly the parent's type.
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
        let singleton = self.singleton_key.as_ref().and_then(index).map(|key_field| {
            let instances: &'static RuntimeInstances = Box::leak(Box::default());
            SingletonInfo { key_field, instances: Instances::Runtime(instances) }
        });
        let json = self
            .json
            .as_ref()
            .or(self.singleton_key.as_ref())
            .and_then(index)
            .map_or(JsonForm::Fields, JsonForm::Field);
        let spec = TypeSpec {
            type_key: self.type_key,
            doc: self.doc,
            location: self.location,
            kind: self.kind,
            label: self.label,
            json,
            is_base: self.is_base,
            is_scope: self.is_scope,
            is_abstract: self.is_abstract,
            may_contain: None,
            copy_opaque: None,
            hooks: None,
            singleton,
        };
        let parts = TypeParts {
            body: Body::Node,
            ancestors: ancestors(self.parent),
            fields,
            compared_fields: ComparedField::list(fields).leak(),
            layout: layout.pad_to_align(),
            // The fields listed are the whole node: the parent is not opaque, and the own fields are all listed.
            free: free_fields,
            copy: Some(copy_fields),
            canonical: None,
        };
        let info: &'static TypeInfo = Box::leak(Box::new(TypeInfo::new(spec, parts)));
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(info);
        Ok(info)
    }
}

/// All types that were made, for tools that look for memory which nothing refers to.
static KEPT: Mutex<Vec<&'static TypeInfo>> = Mutex::new(Vec::new());

/// The ancestors of a type that extends `parent`, whose part begins where it does in objects of its own.
fn ancestors(parent: Option<&'static TypeInfo>) -> &'static [Ancestor] {
    let Some(parent) = parent else { return &[] };
    let own = Ancestor { info: parent, offset: DATA_OFFSET as u32 };
    parent.ancestors.iter().copied().chain([own]).collect::<Vec<_>>().leak()
}
