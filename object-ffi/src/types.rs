//! The types of the registry as types of tvm-ffi.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use object_core::error::{Error, ErrorKind, Result};
use object_core::object::Body;
use object_core::table::Table;
use object_core::{ObjectBuilder, SEqHashKind, Str, TypeInfo};

use crate::abi::{ByteArray, MethodRecord, RawAny, TypeRecord, field_flag, index};
use crate::errors::check;
use crate::fields;
use crate::from_peer::to_any;
use crate::functions::{answer, arguments, create, global, to_function};
use crate::proxy::{Node, Proxy};
use crate::runtime::runtime;
use crate::schema;
use crate::to_peer::to_value;
use crate::value::{Handle, Value, call, object_of};

/// The type indices, by the address of a table; `None` for a type whose key another library has registered.
type Indices = Table<usize, Option<i32>>;

/// The type index of `info`. The first call for a type registers it with its ancestors.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible) if another library of the process has registered the key; and the errors
/// that tvm-ffi raises.
pub(crate) fn index_of(info: &'static TypeInfo) -> Result<i32> {
    static INDICES: OnceLock<Mutex<Indices>> = OnceLock::new();
    let mut indices = INDICES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    register(&mut indices, info)?.ok_or_else(|| {
        let key = info.type_key();
        let message = format!(
            "expected a type of this library alone, but another library of this process has registered `{key}` or an ancestor; \
             give the type a key of its own"
        );
        Error::new(ErrorKind::NotConstructible, message)
    })
}

/// The type index of `info`, which is registered if it is not yet.
fn register(indices: &mut Indices, info: &'static TypeInfo) -> Result<Option<i32>> {
    let address = ptr::from_ref(info).addr();
    if let Some(known) = indices.get(&address) {
        return Ok(*known);
    }
    let parent = match info.parent() {
        None => Some(index::OBJECT),
        Some(parent) => register(indices, parent)?,
    };
    let new = match parent {
        Some(parent) if !is_taken(info.type_key()) => Some(allocate(info, parent)?),
        _ => None,
    };
    // The table knows the type before its defaults, which may be objects of it, are converted.
    indices.insert(address, new);
    Ok(new)
}

/// Whether tvm-ffi has a type with this key.
fn is_taken(key: &str) -> bool {
    let (key, mut found) = (ByteArray::of(key), 0);
    // SAFETY: the function reads the key and writes a number.
    check(unsafe { (runtime().type_key_to_index)(&raw const key, &raw mut found) }).is_ok()
}

/// A new type index for `info`, with all that tvm-ffi knows of the type.
fn allocate(info: &'static TypeInfo, parent: i32) -> Result<i32> {
    let depth = i32::try_from(info.ancestors().count() + 1).unwrap_or(i32::MAX);
    let key = ByteArray::of(info.type_key());
    // SAFETY: tvm-ffi copies the key. `parent` is a type index of the given depth less one.
    let new = unsafe { (runtime().type_get_or_alloc_index)(&raw const key, -1, depth, 0, 1, parent) };
    fields::register(new, info)?;
    let record = TypeRecord {
        doc: ByteArray::of(info.doc()),
        creator: ptr::null_mut(),
        total_size: size_of::<Proxy<Node>>() as i32,
        kind: kind(info),
    };
    // SAFETY: tvm-ffi copies the documentation.
    check(unsafe { (runtime().type_register_metadata)(new, &raw const record) })?;
    register_methods(new, info)?;
    Ok(new)
}

/// The number of the kind in `TVMFFISEqHashKind`. tvm-ffi rejects a comparison of objects with hooks, which it cannot call.
fn kind(info: &TypeInfo) -> i32 {
    match info.kind() {
        _ if info.has_custom_hooks() => 0,
        SEqHashKind::Unsupported => 0,
        SEqHashKind::TreeNode => 1,
        SEqHashKind::FreeVar => 2,
        SEqHashKind::DagNode => 3,
        SEqHashKind::ConstTreeNode => 4,
        SEqHashKind::UniqueInstance => 5,
    }
}

/// Registers the constructor and the methods that `info` declares itself.
fn register_methods(type_index: i32, info: &'static TypeInfo) -> Result<()> {
    if info.body() == Body::Node && !info.is_abstract() && info.singleton_key().is_none() {
        // The context is only read, and tables are never freed.
        let constructor = create(ptr::from_ref(info).cast_mut().cast(), construct, None)?;
        register_method(type_index, "__ffi_init__", "", &schema::function_metadata(None), true, constructor)?;
    }
    for method in info.methods()?.into_iter().filter(|method| ptr::eq(method.owner(), info)) {
        let function = method.function();
        let metadata = schema::function_metadata(function.signature().as_ref());
        register_method(
            type_index,
            method.name(),
            function.doc(),
            &metadata,
            method.is_static(),
            to_function(function)?,
        )?;
    }
    Ok(())
}

fn register_method(
    type_index: i32,
    name: &str,
    doc: &str,
    metadata: &str,
    is_static: bool,
    function: Handle,
) -> Result<()> {
    let function = Value::from(function);
    let record = MethodRecord {
        name: ByteArray::of(name),
        doc: ByteArray::of(doc),
        metadata: ByteArray::of(metadata),
        flags: if is_static { field_flag::IS_STATIC_METHOD } else { 0 },
        method: function.raw(),
    };
    // SAFETY: tvm-ffi copies the texts and retains the function.
    check(unsafe { (runtime().type_register_method)(type_index, &raw const record) })
}

/// Makes an object of the type in the context: values of fields in their order, and, after the mark of tvm-ffi, names and
/// values in turn.
///
/// # Safety
/// `info` is a `TypeInfo`, and the arguments and the result are as tvm-ffi passes them.
unsafe extern "C" fn construct(info: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; tables are never freed.
    let (info, args) = unsafe { (&*info.cast::<TypeInfo>().cast_const(), arguments(args, count)) };
    // SAFETY: by the contract.
    unsafe { answer(result, || build(info, args)) }
}

fn build(info: &'static TypeInfo, args: &[RawAny]) -> Result<Value> {
    let mut builder = ObjectBuilder::new(info)?;
    let (positional, named) = split_at_mark(args)?;
    if positional.len() > info.fields().len() {
        let (key, taken) = (info.type_key(), info.fields().len());
        let message = format!("expected at most {taken} values for the fields of `{key}`, got {}", positional.len());
        return Err(Error::new(ErrorKind::Call, message));
    }
    for (field, value) in info.fields().iter().zip(positional) {
        // SAFETY: tvm-ffi keeps the arguments alive during the call.
        builder.set(field.name(), unsafe { to_any(value) }?)?;
    }
    for pair in named.chunks_exact(2) {
        // SAFETY: as above.
        let (name, value) = unsafe { (to_any(&pair[0])?, to_any(&pair[1])?) };
        builder.set(name.cast::<Str>()?.as_str(), value)?;
    }
    to_value(object_core::Any::from(builder.build()?).view())
}

/// The positional arguments, and the names and values after the mark.
fn split_at_mark(args: &[RawAny]) -> Result<(&[RawAny], &[RawAny])> {
    if args.iter().all(|arg| arg.type_index != index::OBJECT) {
        return Ok((args, &[]));
    }
    let mark = call(&global("ffi.GetKwargsObject")?, &[])?.object();
    match args.iter().position(|arg| arg.type_index == index::OBJECT && object_of(arg) == mark) {
        Some(at) => Ok((&args[..at], &args[at + 1..])),
        None => Ok((args, &[])),
    }
}
