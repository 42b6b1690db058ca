//! The types of the registry as types of tvm-ffi.

use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use object_core::error::{Error, ErrorKind, Result};
use object_core::table::{Set, Table};
use object_core::{Array, SEqHashKind, Str, TypeInfo};

use crate::abi::{ByteArray, MethodRecord, TypeRecord, field_flag, index};
use crate::errors::check;
use crate::exchange::from_peer::to_any;
use crate::exchange::functions::{global, to_function};
use crate::exchange::{attributes, constructor, fields, hooks};
use crate::foreign;
use crate::proxy::{Node, Proxy};
use crate::runtime::runtime;
use crate::schema;
use crate::value::{Value, call};

/// The type indices, by the address of a table; `None` for a type whose key another library has registered.
type Indices = Table<usize, Option<i32>>;

/// The types that are registered.
fn indices() -> MutexGuard<'static, Indices> {
    static INDICES: OnceLock<Mutex<Indices>> = OnceLock::new();
    INDICES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers types, except the ones whose key, or the key of an ancestor, another library has registered: the error comes when an
/// object of them crosses.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn register_all(types: &[&'static TypeInfo]) -> Result<()> {
    // A look-up of a key that tvm-ffi lacks raises an error there, with a backtrace, which takes longer than all else.
    let keys = registered_keys()?;
    let taken: Set<&str> = keys.iter().map(Str::as_str).collect();
    let mut indices = indices();
    types.iter().try_for_each(|info| register(&mut indices, info, &|key| taken.contains(key)).map(|_| ()))
}

/// The keys of all types that tvm-ffi has.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn registered_keys() -> Result<Vec<Str>> {
    let keys = call(&global("ffi.GetRegisteredTypeKeys")?, &[])?;
    // SAFETY: the value is owned.
    let keys: Array<Str> = unsafe { to_any(&keys.raw()) }?.cast()?;
    Ok(keys.iter().collect())
}

/// The type index of `info`. The first call for a type registers it with its ancestors.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if another library of the process has registered the key; and the errors
/// that tvm-ffi raises.
pub(crate) fn index_of(info: &'static TypeInfo) -> Result<i32> {
    register(&mut indices(), info, &|key| find_type(key).is_some())?.ok_or_else(|| {
        let key = info.type_key();
        let message = format!(
            "expected a type of this library alone, but another library of this process has registered `{key}` or an ancestor; \
             give the type a key of its own"
        );
        Error::new(ErrorKind::NotConstructible, message)
    })
}

/// The type index of `info`, which is registered if it is not yet; `None` if another library has registered its key.
fn register(indices: &mut Indices, info: &'static TypeInfo, is_taken: &dyn Fn(&str) -> bool) -> Result<Option<i32>> {
    let address = ptr::from_ref(info).addr();
    if let Some(known) = indices.get(&address) {
        return Ok(*known);
    }
    let parent = match info.parent() {
        None => Some(index::OBJECT),
        Some(parent) => register(indices, parent, is_taken)?,
    };
    let new = match parent {
        Some(parent) if !is_taken(&foreign::key_of(info)) => Some(allocate(info, parent)?),
        _ => None,
    };
    // The table knows the type before its defaults, which may be objects of it, are converted.
    indices.insert(address, new);
    Ok(new)
}

/// The type index of the type of tvm-ffi with this key.
pub(crate) fn find_type(key: &str) -> Option<i32> {
    let (key, mut found) = (ByteArray::of(key), 0);
    // SAFETY: the function reads the key and writes a number.
    check(unsafe { (runtime().type_key_to_index)(&raw const key, &raw mut found) }).ok().map(|()| found)
}

/// The key of the type of tvm-ffi with this index, which an object has.
pub(crate) fn type_key(type_index: i32) -> String {
    // SAFETY: tvm-ffi lends the record of a type, which has a key.
    unsafe { (*(runtime().get_type_info)(type_index)).key.to_text() }
}

/// A new type index for `info`, with all that tvm-ffi knows of the type.
fn allocate(info: &'static TypeInfo, parent: i32) -> Result<i32> {
    let depth = i32::try_from(info.ancestors().count() + 1).unwrap_or(i32::MAX);
    let name = foreign::key_of(info);
    let key = ByteArray::of(&name);
    // SAFETY: tvm-ffi copies the key. `parent` is a type index of the given depth less one.
    let new = unsafe { (runtime().type_get_or_alloc_index)(&raw const key, -1, depth, 0, 1, parent) };
    fields::register(new, info)?;
    let record = TypeRecord {
        doc: ByteArray::of(info.doc()),
        creator: None,
        total_size: size_of::<Proxy<Node>>() as i32,
        kind: kind(info),
    };
    // SAFETY: tvm-ffi copies the documentation.
    check(unsafe { (runtime().type_register_metadata)(new, &raw const record) })?;
    constructor::register(new, info)?;
    hooks::register(new, info)?;
    attributes::register(new, info)?;
    register_methods(new, info)?;
    Ok(new)
}

/// The number of the kind in `TVMFFISEqHashKind`.
fn kind(info: &TypeInfo) -> i32 {
    match info.kind() {
        SEqHashKind::Unsupported => 0,
        SEqHashKind::TreeNode => 1,
        SEqHashKind::FreeVar => 2,
        SEqHashKind::DagNode => 3,
        SEqHashKind::ConstTreeNode => 4,
        SEqHashKind::UniqueInstance => 5,
    }
}

/// Registers the methods that `info` declares itself.
fn register_methods(type_index: i32, info: &'static TypeInfo) -> Result<()> {
    info.methods()?.into_iter().filter(|method| ptr::eq(method.owner(), info)).try_for_each(|method| {
        let function = Value::from(to_function(method.function())?);
        let metadata = schema::function_metadata(method.function().signature().as_ref());
        let record = MethodRecord {
            name: ByteArray::of(method.name()),
            doc: ByteArray::of(method.function().doc()),
            metadata: ByteArray::of(&metadata),
            flags: if method.is_static() { field_flag::IS_STATIC_METHOD } else { 0 },
            method: function.raw(),
        };
        // SAFETY: tvm-ffi copies the texts and retains the function.
        check(unsafe { (runtime().type_register_method)(type_index, &raw const record) })
    })
}
