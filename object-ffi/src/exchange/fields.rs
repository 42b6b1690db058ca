//! Getters, and the records of fields.

use std::ffi::{c_int, c_void};

use object_core::error::Result;
use object_core::object::{Body, FieldRole};
use object_core::{Any, FieldInfo, Function, ObjectView, TypeInfo};

use crate::abi::{ByteArray, FieldRecord, Getter, RawAny, Setter, field_flag, index};
use crate::errors::check;
use crate::exchange::draft::{self, Draft};
use crate::exchange::from_peer::{object, to_any};
use crate::exchange::functions::{answer, to_function};
use crate::exchange::to_peer::to_value;
use crate::proxy::{self, CONTENT_OFFSET, Kept, Node};
use crate::runtime::runtime;
use crate::schema;
use crate::value::Value;

/// Reads the field with the index `I`.
///
/// # Safety
/// `field` is the content of a proxy whose type has this field, and `result` is valid for writes.
unsafe extern "C" fn get<const I: usize>(field: *mut c_void, result: *mut RawAny) -> c_int {
    // SAFETY: by the contract; every field of a proxy has the offset of its content.
    unsafe {
        let proxy = proxy_at(field);
        match proxy::content_of::<Node>(&proxy) {
            Some(node) => answer(result, || read(node.object.view(), Some(&node.kept), I)),
            None => answer(result, || {
                let kept = proxy::content_of::<Draft>(&proxy).map(|draft| &draft.kept);
                read(object(&proxy)?.view(), kept, I)
            }),
        }
    }
}

/// The value of the field with the index `field`, which `kept` keeps.
fn read(object: ObjectView<'_>, kept: Option<&Kept>, field: usize) -> Result<Value> {
    let value = object.field_at(field).unwrap_or_default();
    let slot = kept.filter(|_| value.as_object().is_some()).and_then(|kept| kept.slot(object, field));
    let Some(slot) = slot else { return to_value(value) };
    if let Some(value) = slot.get() {
        return Ok(value.clone());
    }
    // Another thread may be first. The lock is free meanwhile, because the conversion may read further objects.
    let value = to_value(value)?;
    Ok(slot.get_or_init(|| value).clone())
}

/// Sets the field with the index `I` of an object that tvm-ffi makes field by field.
///
/// # Safety
/// `field` is the content of a proxy whose type has this field, and the value is valid during the call.
unsafe extern "C" fn set<const I: usize>(field: *mut c_void, value: *const RawAny) -> c_int {
    let mut nothing = RawAny::NONE;
    // SAFETY: by the contract.
    unsafe {
        let proxy = proxy_at(field);
        answer(&raw mut nothing, || draft::set(&proxy, I, to_any(&*value)?).map(|()| Value::plain(RawAny::NONE)))
    }
}

/// The proxy with the content `field`, as a borrowed value.
///
/// # Safety
/// `field` is the content of a proxy.
unsafe fn proxy_at(field: *mut c_void) -> RawAny {
    // SAFETY: by the contract, the content follows the header.
    RawAny::pointer(index::OBJECT, unsafe { field.byte_sub(CONTENT_OFFSET) })
}

macro_rules! accessors {
    ($($index:literal)*) => { [$((get::<$index>, set::<$index>)),*] };
}

/// The functions for each index. A type has at most 64 fields, with the fields of its ancestors.
static ACCESSORS: [(Getter, Setter); 64] = accessors!(
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
);

/// Registers the fields that `info` declares itself.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn register(type_index: i32, info: &'static TypeInfo) -> Result<()> {
    let inherited = info.fields().len() - info.own_fields().len();
    info.own_fields().iter().zip(&ACCESSORS[inherited..]).try_for_each(|(field, (getter, setter))| {
        let (default, flags) = default_of(field)?;
        let metadata = schema::metadata(&field.schema(), field.meta().pairs);
        let record = FieldRecord {
            name: ByteArray::of(field.name()),
            doc: ByteArray::of(field.meta().doc),
            metadata: ByteArray::of(&metadata),
            flags: flags | role_flag(field.meta().role),
            size: size_of::<Node>() as i64,
            alignment: align_of::<Node>() as i64,
            offset: CONTENT_OFFSET as i64,
            getter: *getter,
            setter: *setter as *mut c_void,
            default: default.raw(),
            static_type_index: static_type_index(field.schema().name),
        };
        // SAFETY: tvm-ffi copies the texts and retains the default.
        check(unsafe { (runtime().type_register_field)(type_index, &raw const record) })
    })
}

/// The type index of all values of a field of the type `name`, if JSON of tvm-ffi has these values in the node of the object;
/// else -1.
fn static_type_index(name: &str) -> i32 {
    match name {
        "int" => index::INT,
        "bool" => index::BOOL,
        "float" => index::FLOAT,
        "DataType" => index::DATA_TYPE,
        _ => -1,
    }
}

fn role_flag(role: FieldRole) -> i64 {
    match role {
        FieldRole::Content => 0,
        FieldRole::Ignore => field_flag::IGNORE,
        FieldRole::Def => field_flag::DEF,
        FieldRole::DefSimple => field_flag::DEF_SIMPLE,
    }
}

/// The default of a field, and its flags: a plain value or a text, or a function that makes another object.
fn default_of(field: &'static FieldInfo) -> Result<(Value, i64)> {
    match field.default() {
        None => Ok((Value::plain(RawAny::NONE), 0)),
        Some(Any::Object(object)) if object.type_info().body() != Body::Str => {
            let make = Function::from_packed(|_| Ok(field.default().unwrap_or_default()));
            Ok((to_function(&make)?.into(), field_flag::HAS_DEFAULT | field_flag::DEFAULT_FROM_FACTORY))
        }
        Some(value) => Ok((to_value(value.view())?, field_flag::HAS_DEFAULT)),
    }
}
