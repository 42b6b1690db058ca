//! Hooks of types as the functions `__s_equal__` and `__s_hash__`, by which tvm-ffi compares and hashes objects.

use object_core::error::{Error, ErrorKind, Result};
use object_core::object::FieldRole;
use object_core::{Any, AnyView, Function, Str, TypeInfo};

use crate::exchange::attributes;
use crate::exchange::functions::to_function;
use crate::value::Value;

/// Registers the functions of a type with a hook.
///
/// # Errors
/// The errors that tvm-ffi raises.
pub(crate) fn register(type_index: i32, info: &TypeInfo) -> Result<()> {
    if !info.has_custom_hooks() {
        return Ok(());
    }
    let (equal, hash) = (Function::from_packed(equal), Function::from_packed(hash));
    attributes::add(type_index, "__s_equal__", &Value::from(to_function(&equal)?))?;
    attributes::add(type_index, "__s_hash__", &Value::from(to_function(&hash)?))
}

/// Whether two objects of the type are equal. The third argument compares two values in a region and under a name.
fn equal(args: &[AnyView<'_>]) -> Result<Any> {
    let &[AnyView::Object(a), AnyView::Object(b), compare] = args else { return Err(wrong_arguments()) };
    let compare: Function = compare.to_any().cast()?;
    let Some(pairs) = a.hook_pairs(b) else { return Ok(Any::Bool(false)) };
    for (listed, other) in pairs {
        let name = Any::from(Str::new(listed.name));
        let args = [listed.value.view(), other.view(), AnyView::Int(region(listed.role)), name.view()];
        if !compare.call(&args)?.cast::<bool>()? {
            return Ok(Any::Bool(false));
        }
    }
    Ok(Any::Bool(true))
}

/// The hash of an object of the type. The second argument is the hash so far, and the third one adds a value in a region.
fn hash(args: &[AnyView<'_>]) -> Result<Any> {
    let &[AnyView::Object(object), start, add] = args else { return Err(wrong_arguments()) };
    let add: Function = add.to_any().cast()?;
    object.hook_values().unwrap_or_default().iter().try_fold(start.to_any(), |hash, listed| {
        add.call(&[listed.value.view(), hash.view(), AnyView::Int(region(listed.role))])
    })
}

/// The number of a region in `TVMFFIDefRegionKind`.
fn region(role: FieldRole) -> i64 {
    match role {
        FieldRole::Content | FieldRole::Ignore => 0,
        FieldRole::Def => 1,
        FieldRole::DefSimple => 2,
    }
}

fn wrong_arguments() -> Error {
    Error::new(ErrorKind::Call, "expected the arguments of `__s_equal__` or `__s_hash__`")
}
