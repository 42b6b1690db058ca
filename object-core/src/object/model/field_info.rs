//! [`FieldInfo`]: one field of a type: its name, its place in the object, and how to work on its bytes.

use std::any::TypeId;

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::runtime_field::RuntimeField;
use crate::object::model::type_schema::TypeSchema;

/// How the bytes of a field are to be read, where the common cases need no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A handle.
    Object,
    /// A handle or nothing: a pointer that may be null.
    OptionalObject,
    /// An `i64`.
    Int,
    /// A `bool`.
    Bool,
    /// An `f64`.
    Float,
    /// A `DataType`.
    DataType,
    /// An `Any`.
    Any,
    /// A plain value that only its type can read: a number of another width, an enum.
    Plain,
    /// Something else that only its type can read.
    Other,
}

/// The operations on the bytes of a field of one Rust type. There is one constant table per type.
pub struct FieldOps {
    /// The Rust type.
    pub(crate) type_id: TypeId,
    /// Reads the field.
    pub(crate) view: unsafe fn(*const u8) -> AnyView<'static>,
    /// Converts a value and writes it over uninitialized bytes.
    pub(crate) write: unsafe fn(*mut u8, Any) -> Result<()>,
    /// Whether a value is of the field's type as it stands.
    pub(crate) accepts: fn(AnyView<'_>) -> bool,
    /// Writes a copy over uninitialized bytes.
    pub(crate) copy: unsafe fn(*const u8, *mut u8),
    /// Drops the field in place.
    pub(crate) drop: unsafe fn(*mut u8),
    /// The type in schema words.
    pub(crate) schema: fn() -> TypeSchema,
    /// What a value can contain.
    pub(crate) contents: FieldContents,
}

/// The annotations of a field.
///
/// Whoever makes or takes one apart names every word: the derive, schemas and the tables of dynamic types. So the
/// compiler asks each of them about a new word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldMeta {
    /// The role in structural equality and hashing.
    pub role: FieldRole,
    /// The documentation comment.
    pub doc: &'static str,
    /// The pairs of `meta(key = "value")`.
    pub pairs: &'static [(&'static str, &'static str)],
    /// The declaration `may_contain(...)`.
    pub may_contain: Option<Contents>,
}

impl FieldMeta {
    /// A field without annotations.
    pub const NONE: FieldMeta = FieldMeta { role: FieldRole::Content, doc: "", pairs: &[], may_contain: None };
}

/// A field of a type.
#[derive(Clone, Copy)]
pub struct FieldInfo {
    /// The reflected name.
    pub name: &'static str,
    /// The annotations.
    pub meta: FieldMeta,
    /// Where the field begins, in bytes from the start of the object.
    pub(crate) offset: u32,
    /// The storage that `ops` work on.
    pub(crate) storage: Storage,
    pub(crate) ops: &'static FieldOps,
    pub(crate) default: Option<fn() -> Any>,
    /// The rest of the description, for a field of a type that a program makes while it runs.
    pub(crate) runtime: Option<&'static RuntimeField>,
}

impl FieldInfo {
    /// The value of the field in `object`. `None` if the object's type has no field of this name and Rust type.
    #[must_use]
    pub fn get<'a>(&self, object: ObjectView<'a>) -> Option<AnyView<'a>> {
        let is_own = |field: &&FieldInfo| field.ops.type_id == self.ops.type_id && field.name == self.name;
        let own = object.type_info().fields.iter().find(is_own)?;
        // SAFETY: the object's type lists `own`. `self` may be of a type that lays the field out differently.
        Some(unsafe { own.get_unchecked(object) })
    }

    /// The value of the field in `object`.
    ///
    /// # Safety
    /// The object's type lists this field.
    #[inline]
    pub(crate) unsafe fn get_unchecked<'a>(&self, object: ObjectView<'a>) -> AnyView<'a> {
        // SAFETY: the storage says what lies at the offset, by the contract.
        unsafe { read(object, self.offset, self.storage, || self.ops) }
    }

    /// The default, if the field has one.
    #[must_use]
    pub fn default(&self) -> Option<Any> {
        match self.runtime {
            Some(field) => field.default.as_ref().map(|make| make()),
            None => self.default.map(|default| default()),
        }
    }

    /// The type of the field.
    #[must_use]
    pub fn schema(&self) -> TypeSchema {
        match self.runtime {
            Some(field) => field.schema.clone(),
            None => (self.ops.schema)(),
        }
    }

    /// Whether the field takes `value` as it stands, without any conversion.
    #[inline(always)]
    pub(crate) fn accepts(&self, value: AnyView<'_>) -> bool {
        (self.ops.accepts)(value) && self.runtime.is_none_or(|field| field.rule.accepts(value))
    }

    /// Converts `value` and writes it to `at`.
    ///
    /// # Errors
    /// What the field's type says of the value; then nothing is written.
    ///
    /// # Safety
    /// `at` is room for a value of this field, in an object or not, that holds none.
    pub(crate) unsafe fn write(&self, at: *mut u8, value: Any) -> Result<()> {
        let value = match self.runtime {
            Some(field) => field.rule.convert(value)?,
            None => value,
        };
        // SAFETY: by the contract.
        unsafe { (self.ops.write)(at, value) }
    }

    /// Whether JSON holds the value in the object itself, not as a node of its own: the type of the field is one of
    /// bool, int, float and data type.
    #[must_use]
    pub fn is_inline(&self) -> bool {
        !self.may_hold_objects()
    }

    /// Whether the value may be an object, as far as the storage says.
    pub(crate) const fn may_hold_objects(&self) -> bool {
        matches!(self.storage, Storage::Object | Storage::OptionalObject | Storage::Any | Storage::Other)
    }

    /// Whether structural comparison finds a plain value here, or does not look.
    pub(crate) const fn is_leaf(&self) -> bool {
        matches!(self.meta.role, FieldRole::Ignore) || !self.may_hold_objects()
    }

    /// How the field's bytes are stored.
    #[must_use]
    pub fn storage(&self) -> Storage {
        self.storage
    }
}

/// The value of a field in `object`.
///
/// # Safety
/// A field with this storage and these operations lies at `offset` in the object.
#[inline]
pub(crate) unsafe fn read<'a>(
    object: ObjectView<'a>,
    offset: u32,
    storage: Storage,
    ops: impl FnOnce() -> &'static FieldOps,
) -> AnyView<'a> {
    // SAFETY: the object has a field at the offset, and the storage says of which type; the object is borrowed for `'a`.
    unsafe {
        let at = object.at(offset);
        match storage {
            Storage::Object | Storage::OptionalObject => match at.cast::<Option<ObjectView<'a>>>().read() {
                Some(object) => AnyView::Object(object),
                None => AnyView::None,
            },
            Storage::Int => AnyView::Int(at.cast::<i64>().read()),
            Storage::Bool => AnyView::Bool(at.cast::<bool>().read()),
            Storage::Float => AnyView::Float(at.cast::<f64>().read()),
            Storage::DataType => AnyView::DataType(at.cast::<crate::scalar::DataType>().read()),
            Storage::Any => (*at.cast::<Any>()).view(),
            Storage::Plain | Storage::Other => (ops().view)(at),
        }
    }
}
