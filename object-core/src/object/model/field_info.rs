//! [`FieldInfo`]: one field of a type: its name, its place in the object, and how to work on its bytes.

use std::any::TypeId;
use std::fmt;

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::contents::{Contents, FieldContents};
use crate::object::model::object_ref::{Header, ObjectRef, ObjectView};
use crate::object::runtime::runtime_type::RuntimeField;
use crate::object::typed::field_type::FieldType;

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

/// What the field does in structural equality and hashing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FieldRole {
    /// It is compared.
    #[default]
    Content,
    /// `ignore`: it is not looked at.
    Ignore,
    /// `def`: it is compared, and binds the variables in it and in their fields.
    Def,
    /// `def_simple`: it is compared, and binds the variables in it, but not those in their fields.
    DefSimple,
}

/// The type of a field as the schema writes it: `Optional<ffi.Array<ir.PrimExpr>>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSchema {
    /// The type key, or the name of a plain kind.
    pub name: &'static str,
    /// The types of elements, keys and values.
    pub args: Vec<TypeSchema>,
}

impl TypeSchema {
    /// A type without arguments.
    #[must_use]
    pub fn leaf(name: &'static str) -> Self {
        TypeSchema { name, args: Vec::new() }
    }
}

impl fmt::Display for TypeSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_type(f, self.name, &self.args)
    }
}

/// Writes a type in schema words.
pub(crate) fn write_type(f: &mut fmt::Formatter<'_>, name: &str, args: &[impl fmt::Display]) -> fmt::Result {
    f.write_str(name)?;
    for (i, arg) in args.iter().enumerate() {
        write!(f, "{}{arg}", if i == 0 { "<" } else { "," })?;
    }
    if args.is_empty() { Ok(()) } else { f.write_str(">") }
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

impl FieldOps {
    /// The operations of `T`. Those of all handles are the same functions, which saves compiling them for each.
    pub(crate) const fn of<T: FieldType>() -> &'static Self {
        const {
            let (view, copy, drop): (unsafe fn(*const u8) -> AnyView<'static>, _, _) = match T::STORAGE {
                Storage::Object => (view::<ObjectRef> as _, copy::<ObjectRef> as _, drop::<ObjectRef> as _),
                Storage::OptionalObject => {
                    (view::<Option<ObjectRef>> as _, copy::<Option<ObjectRef>> as _, drop::<Option<ObjectRef>> as _)
                }
                _ => (view::<T> as _, copy::<T> as _, drop::<T> as _),
            };
            &FieldOps {
                type_id: TypeId::of::<T>(),
                view,
                write: write::<T>,
                accepts: T::accepts,
                copy,
                drop,
                schema: T::schema,
                contents: T::CONTENTS,
            }
        }
    }
}

// The callers of all four, in this crate, pass addresses of fields of type `T`: initialized for `view`, `copy` and `drop`,
// and for `view` borrowed for as long as the view is used.

unsafe fn view<T: FieldType>(at: *const u8) -> AnyView<'static> {
    // SAFETY: see above.
    unsafe { &*at.cast::<T>() }.view()
}

unsafe fn write<T: FieldType>(at: *mut u8, value: Any) -> Result<()> {
    match T::from_any(value) {
        Ok(value) => {
            // SAFETY: see above.
            unsafe { (at as *mut T).write(value) };
            Ok(())
        }
        Err(error) => Err(error),
    }
}

unsafe fn copy<T: FieldType>(from: *const u8, to: *mut u8) {
    // SAFETY: see above.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) }
}

unsafe fn drop<T: FieldType>(at: *mut u8) {
    // SAFETY: see above.
    unsafe { at.cast::<T>().drop_in_place() }
}

/// A field of a type.
#[derive(Clone, Copy)]
pub struct FieldInfo {
    /// The reflected name.
    pub name: &'static str,
    /// What the field does in structural equality and hashing.
    pub role: FieldRole,
    /// The documentation comment.
    pub doc: &'static str,
    /// What the user wrote in `meta(key = "value")`.
    pub meta: &'static [(&'static str, &'static str)],
    /// Where the field begins, in bytes from the start of the object.
    pub(crate) offset: u32,
    /// The storage of `ops`, at hand.
    pub(crate) storage: Storage,
    pub(crate) ops: &'static FieldOps,
    pub(crate) default: Option<fn() -> Any>,
    /// What the user wrote in `may_contain(...)`.
    pub(crate) may_contain: Option<Contents>,
    /// What the operations do not know of a field that comes from a schema.
    pub(crate) runtime: Option<&'static RuntimeField>,
}

impl FieldInfo {
    /// A field of type `T` that begins `offset` bytes after the start of its node.
    ///
    /// # Safety
    /// In every node of the type that lists this field, a `T` lies at `offset`.
    #[must_use]
    pub const unsafe fn new<T: FieldType>(name: &'static str, offset: usize) -> Self {
        FieldInfo {
            name,
            role: FieldRole::Content,
            doc: "",
            meta: &[],
            offset: (offset + size_of::<Header>()) as u32,
            storage: T::STORAGE,
            ops: FieldOps::of::<T>(),
            default: None,
            may_contain: None,
            runtime: None,
        }
    }

    /// The same field with a role.
    #[must_use]
    pub const fn with_role(mut self, role: FieldRole) -> Self {
        self.role = role;
        self
    }

    /// The same field with documentation.
    #[must_use]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// The same field with metadata.
    #[must_use]
    pub const fn with_meta(mut self, meta: &'static [(&'static str, &'static str)]) -> Self {
        self.meta = meta;
        self
    }

    /// The same field with a default.
    #[must_use]
    pub const fn with_default(mut self, default: fn() -> Any) -> Self {
        self.default = Some(default);
        self
    }

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
        matches!(self.role, FieldRole::Ignore) || !self.may_hold_objects()
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
    let at = object.at(offset);
    // SAFETY: the storage says what lies at the offset; the object is borrowed for `'a`.
    unsafe {
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
