//! Objects that tvm-ffi makes: the constructor of a type, and the objects that its readers and copies fill in.

use std::ffi::{c_int, c_void};

use object_core::error::{Error, ErrorKind, Result};
use object_core::object::Body;
use object_core::{Any, FieldInfo, ObjectBuilder, Str, TypeInfo};

use crate::abi::{ByteArray, MethodRecord, RawAny, SafeCall, field_flag, index};
use crate::errors::check;
use crate::exchange::attributes;
use crate::exchange::draft;
use crate::exchange::from_peer::{object, to_any};
use crate::exchange::functions::{answer, arguments, create, global};
use crate::exchange::to_peer::to_value;
use crate::runtime::runtime;
use crate::schema::function_metadata;
use crate::value::{Value, call, object_of};

/// A type, and its fields in the order of the arguments: fields with defaults follow the others, as in tvm-ffi.
struct Constructor {
    info: &'static TypeInfo,
    fields: Vec<&'static FieldInfo>,
}

/// Registers the constructor of a type whose objects are made of fields, the function that makes an object without values,
/// and the function that makes a copy to change.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn register(type_index: i32, info: &'static TypeInfo) -> Result<()> {
    if info.body() != Body::Node || info.is_abstract() || info.singleton_key().is_some() {
        return Ok(());
    }
    let (mut fields, optional): (Vec<_>, Vec<_>) = info.fields().iter().partition(|field| field.default().is_none());
    fields.extend(optional);
    // Types stay registered for the rest of the process.
    let constructor: &'static Constructor = Box::leak(Box::new(Constructor { info, fields }));
    register_constructor(type_index, &function(constructor, construct)?)?;
    attributes::add(type_index, "__ffi_new__", &function(constructor, make_empty)?)?;
    attributes::add(type_index, "__ffi_shallow_copy__", &function(constructor, copy)?)
}

/// A function object that calls `body` with `constructor`.
fn function(constructor: &'static Constructor, body: SafeCall) -> Result<Value> {
    // The functions only read the context.
    create(std::ptr::from_ref(constructor).cast_mut().cast(), body, None).map(Value::from)
}

fn register_constructor(type_index: i32, function: &Value) -> Result<()> {
    let metadata = function_metadata(None);
    let record = MethodRecord {
        name: ByteArray::of("__ffi_init__"),
        doc: ByteArray::of(""),
        metadata: ByteArray::of(&metadata),
        flags: field_flag::IS_STATIC_METHOD,
        method: function.raw(),
    };
    // SAFETY: tvm-ffi copies the texts and retains the function.
    check(unsafe { (runtime().type_register_method)(type_index, &raw const record) })
}

/// Makes an object: values of fields in the order of the arguments, and, after the mark of tvm-ffi, names and values in turn.
///
/// # Safety
/// `context` is a `Constructor`, and the arguments and the result are as tvm-ffi passes them.
unsafe extern "C" fn construct(context: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; constructors are never freed.
    unsafe {
        let (constructor, args) = (&*context.cast::<Constructor>().cast_const(), arguments(args, count));
        answer(result, || build(constructor, args))
    }
}

/// Makes an object without values: tvm-ffi sets its fields.
///
/// # Safety
/// As [`construct`].
unsafe extern "C" fn make_empty(context: *mut c_void, _: *const RawAny, _: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; constructors are never freed.
    unsafe {
        let constructor = &*context.cast::<Constructor>().cast_const();
        answer(result, || draft::make(constructor.info, None).map(Value::from))
    }
}

/// Makes a copy of the argument, of which tvm-ffi may set fields.
///
/// # Safety
/// As [`construct`].
unsafe extern "C" fn copy(context: *mut c_void, args: *const RawAny, count: i32, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; constructors are never freed.
    unsafe {
        let (constructor, args) = (&*context.cast::<Constructor>().cast_const(), arguments(args, count));
        answer(result, || {
            let original = args.iter().map(object).next().transpose()?;
            draft::make(original.as_ref().map_or(constructor.info, |object| object.type_info()), original)
                .map(Value::from)
        })
    }
}

fn build(constructor: &Constructor, args: &[RawAny]) -> Result<Value> {
    let Constructor { info, fields } = constructor;
    let mut builder = ObjectBuilder::new(info)?;
    let (positional, named) = split_at_mark(args)?;
    if positional.len() > fields.len() {
        let (key, taken, given) = (info.type_key(), fields.len(), positional.len());
        let message = format!("expected at most {taken} values for the fields of `{key}`, got {given}");
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    }
    for (field, value) in fields.iter().zip(positional) {
        // SAFETY: tvm-ffi keeps the arguments alive during the call.
        builder.set(field.name(), unsafe { to_any(value) }?)?;
    }
    for pair in named.chunks_exact(2) {
        // SAFETY: as above.
        let (name, value) = unsafe { (to_any(&pair[0])?, to_any(&pair[1])?) };
        builder.set(name.cast::<Str>()?.as_str(), value)?;
    }
    to_value(Any::from(builder.build()?).view())
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
