//! Types that are put together while the program runs, from a schema: the same tables, with the same operations on the
//! same storages, so that nothing which works on objects can tell them apart.
//!
//! What keeps memory sound is the storage of each field, and its operations are those of linked types. What a schema
//! says beyond that, such as which objects a field takes, is a [`FieldRule`], asked in addition.

use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError, RwLock};

use crate::error::{Error, ErrorKind, Result};
use crate::graph::children::ChildLayout;
use crate::object::access::builder::Buildable;
pub(crate) use crate::object::access::builder::MAX_FIELDS;
use crate::object::access::dispatch::Dispatch;
use crate::object::memory::node_box::{copy_fields, free_fields};
use crate::object::model::any::{Any, AnyView};
use crate::object::model::compared_field::ComparedField;
use crate::object::model::field_info::{FieldInfo, FieldOps, FieldRole, Storage, TypeSchema};
use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectRef};
use crate::object::model::type_info::{
    Ancestor, Body, ChildSource, CompareRule, Instances, JsonForm, SEqHashKind, SingletonInfo, TypeInfo,
};
use crate::object::typed::field_type::FieldType;
use crate::scalar::{DataType, Device};

/// What a field takes, beyond what its storage can hold.
pub(crate) trait FieldRule: Send + Sync + 'static {
    /// How the values are stored.
    fn slot(&self) -> Slot;

    /// Whether `value` is of the field's type as it stands, without any conversion.
    fn accepts(&self, value: AnyView<'_>) -> bool;

    /// The value of the field's type that `value` stands for.
    ///
    /// # Errors
    /// A type mismatch.
    fn convert(&self, value: Any) -> Result<Any>;
}

/// What the operations do not know of a field that comes from a schema.
pub(crate) struct RuntimeField {
    /// What it takes.
    pub(crate) rule: Box<dyn FieldRule>,
    /// The type in schema words.
    pub(crate) schema: TypeSchema,
    /// Makes the value that it has if none is given.
    pub(crate) default: Option<MakeDefault>,
}

/// Makes a value, a new one each time: two objects that take a default share nothing for that.
pub(crate) type MakeDefault = Box<dyn Fn() -> Any + Send + Sync>;

/// The Rust types that fields of such types are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Object,
    OptionalObject,
    Int,
    Bool,
    Float,
    DataType,
    Device,
    Any,
}

impl Slot {
    /// Storage, operations and layout.
    fn parts(self) -> (Storage, &'static FieldOps, Layout) {
        fn of<T: FieldType>() -> (Storage, &'static FieldOps, Layout) {
            (T::STORAGE, FieldOps::of::<T>(), Layout::new::<T>())
        }
        match self {
            Slot::Object => of::<ObjectRef>(),
            Slot::OptionalObject => of::<Option<ObjectRef>>(),
            Slot::Int => of::<i64>(),
            Slot::Bool => of::<bool>(),
            Slot::Float => of::<f64>(),
            Slot::DataType => of::<DataType>(),
            Slot::Device => of::<Device>(),
            Slot::Any => of::<Any>(),
        }
    }
}

/// A field that a new type adds to those of its parent.
pub(crate) struct FieldSpec {
    pub(crate) name: &'static str,
    pub(crate) role: FieldRole,
    pub(crate) doc: &'static str,
    pub(crate) meta: &'static [(&'static str, &'static str)],
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
        for FieldSpec { name, role, doc, meta, field } in self.fields {
            let (storage, ops, slot) = field.rule.slot().parts();
            let extended = layout.extend(slot).ok().and_then(|(all, at)| Some((all, u32::try_from(at).ok()?)));
            let Some((extended, offset)) = extended else {
                return refuse("an object has at most 4 GiB");
            };
            layout = extended;
            let runtime: Option<&'static RuntimeField> = Some(Box::leak(Box::new(field)));
            fields.push(FieldInfo {
                name,
                role,
                doc,
                meta,
                offset,
                storage,
                ops,
                default: None,
                may_contain: None,
                runtime,
            });
        }
        let fields: &'static [FieldInfo] = fields.leak();
        let index = |name: &String| fields.iter().position(|field| field.name == *name);
        let singleton = self
            .singleton_key
            .as_ref()
            .and_then(index)
            .map(|key_field| SingletonInfo { key_field, instances: Instances::Runtime(Box::leak(Box::default())) });
        let json = self
            .json
            .as_ref()
            .or(self.singleton_key.as_ref())
            .and_then(index)
            .map_or(JsonForm::Fields, JsonForm::Field);
        let info = TypeInfo {
            type_key: self.type_key,
            doc: self.doc,
            location: self.location,
            kind: self.kind,
            is_scope: self.is_scope,
            body: Body::Node,
            label: self.label,
            json,
            is_base: self.is_base,
            is_abstract: self.is_abstract,
            ancestors: ancestors(self.parent),
            fields,
            compared_fields: ComparedField::list(fields).leak(),
            is_leaf: fields.iter().all(FieldInfo::is_leaf),
            compare_rule: CompareRule::Plain,
            child_source: ChildSource::Fields,
            dispatch: Dispatch::Other,
            key_hash: crate::hashing::hash_key(self.type_key),
            fields_seed: 0,
            child_layout: ChildLayout::None,
            object_fields: 0,
            may_contain: None,
            layout: layout.pad_to_align(),
            // The fields listed are all there is: those of the parent, because it is not opaque, and the own ones.
            free: free_fields,
            copy: Some(copy_fields),
            hooks: None,
            singleton,
            table: None,
        };
        let info: &'static TypeInfo = Box::leak(Box::new(info.with_plan()));
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

/// The instances of a singleton type that comes from a schema, by key, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct RuntimeInstances(RwLock<BTreeMap<String, ObjectRef>>);

impl RuntimeInstances {
    /// The instance of `info` with the given key, which is the value of the field `key_field`.
    pub(crate) fn get(&self, info: &'static TypeInfo, key_field: usize, key: Any) -> Result<ObjectRef> {
        let Some(text) = key.view().as_str() else {
            return Err(Error::type_mismatch("ffi.String", key.type_key()));
        };
        if let Some(found) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(found.clone());
        }
        let text = text.to_owned();
        let mut builder = Buildable::new_instance(info).builder();
        builder.set_index(key_field, key)?;
        let made = builder.build()?;
        // Another thread may have been faster; then its instance is the one.
        let mut instances = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Ok(instances.entry(text).or_insert(made).clone())
    }
}
