//! The function [`Foreign::difference`](crate::Foreign::difference): whether two objects of the other library are equal, and the
//! objects of this library for two that differ.
//!
//! Most functions of two modules that differ are equal, and a diff does not show them. So they are not converted.

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use object_core::error::{Error, ErrorKind, Result};
use object_core::{Any, Array};

use crate::abi::{RawAny, index};
use crate::exchange::comparison::{Comparison, Parts, Stop};
use crate::exchange::foreign_type::of_index;
use crate::exchange::functions::{answer, arguments};
use crate::exchange::maps;
use crate::exchange::reader::Reader;
use crate::exchange::to_peer::{text, to_value};
use crate::foreign::foreign;
use crate::value::{Value, object_of};

/// # Safety
/// The arguments and the result are as tvm-ffi passes them.
pub(crate) unsafe extern "C" fn difference(
    _: *mut c_void,
    args: *const RawAny,
    count: i32,
    result: *mut RawAny,
) -> c_int {
    // SAFETY: by the contract; tvm-ffi keeps the arguments alive during the call.
    unsafe {
        answer(result, || match arguments(args, count) {
            // SAFETY: as above; the payload of a truth value is a number.
            [a, b, map_free_vars] => find(a, b, map_free_vars.payload.int != 0),
            args => Err(Error::new(ErrorKind::Call, format!("expected three arguments, got {}", args.len()))),
        })
    }
}

/// # Safety
/// The values are valid during the call, and nobody changes their objects.
unsafe fn find(a: &RawAny, b: &RawAny, map_free_vars: bool) -> Result<Value> {
    let mut comparison = Comparison::new(map_free_vars);
    // SAFETY: by the contract.
    unsafe {
        comparison.parts = parts_of(a, b)?;
        match comparison.values(a, b) {
            Ok(true) => Ok(Value::plain(RawAny::int(index::BOOL, 1))),
            Err(Stop::Unknown) => Ok(Value::plain(RawAny::NONE)),
            Err(Stop::Interrupted(error)) => Err(error),
            Ok(false) => {
                let mut reader = Reader::default();
                if let Some(Parts { maps, mut equal }) = comparison.parts {
                    equal.retain(|(_, function)| !stays(*function));
                    reader.leave_out(maps, equal.iter().map(|(key, _)| key.as_ptr().addr()).collect());
                }
                reader.add(a, false)?;
                reader.add(b, false)?;
                to_value(Any::from(Array::<Any>::from_anys(reader.finish()?)).view())
            }
        }
    }
}

/// The parts of two modules; `None` for other values.
///
/// # Safety
/// As [`find`].
unsafe fn parts_of(a: &RawAny, b: &RawAny) -> Result<Option<Parts>> {
    let Some(parts) = foreign().and_then(|foreign| foreign.parts.as_ref()) else { return Ok(None) };
    if a.type_index != b.type_index || a.type_index < index::FIRST_DYNAMIC {
        return Ok(None);
    }
    let is_module = of_index(a.type_index)?.is_some_and(|ty| ty.info.type_key() == parts.module);
    // SAFETY: by the contract.
    let map = |module: &RawAny| unsafe { field(object_of(module)?, parts.functions) };
    Ok(is_module.then(|| Parts { maps: [map(a), map(b)], equal: Vec::new() }))
}

/// Whether the function has the attribute of functions that are not left out.
///
/// # Safety
/// It is an object that lives during the call, and so are the objects in its fields.
unsafe fn stays(function: NonNull<c_void>) -> bool {
    let Some(parts) = foreign().and_then(|foreign| foreign.parts.as_ref()) else { return true };
    // SAFETY: by the contract.
    unsafe {
        let attributes = parts.attributes.iter().try_fold(function, |object, name| field(object, name));
        let Some(attributes) = attributes else { return false };
        let key = text(parts.attribute_that_stays);
        // If tvm-ffi fails, nothing is left out.
        key.and_then(|key| maps::get(&RawAny::object(attributes.as_ptr()), key.raw()))
            .map_or(true, |found| found.is_some())
    }
}

/// The object in the field `name` of an object of the other library.
///
/// # Safety
/// As [`stays`].
unsafe fn field(object: NonNull<c_void>, name: &str) -> Option<NonNull<c_void>> {
    // SAFETY: by the contract.
    unsafe {
        let ty = of_index(RawAny::object(object.as_ptr()).type_index).ok()??;
        let field = ty.fields.iter().find(|field| field.name(ty) == name)?;
        object_of(&field.reader.lent(object.as_ptr())?)
    }
}
