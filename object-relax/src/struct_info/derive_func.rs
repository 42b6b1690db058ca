//! The results of calls of functions without known parameters (spec: `derive_func` for `FuncStructInfo`).

use object_core::AsAnyView;
use object_core::prelude::*;
use object_ir::ir::{Call, EnvFunc, ObjectStructInfo, StructInfo, TupleStructInfo};

use super::erase::DEFAULT_DERIVE;

/// The result that a call states itself: its one `sinfo_args`, a tuple of several, or any object if there are none.
///
/// TVM 0.25 `tvm.relax.struct_info.infer_by_sinfo_args`; spec: `default_derive`.
#[must_use]
pub fn default_derive(call: &Call) -> StructInfo {
    default_result(call.sinfo_args.as_slice())
}

/// [`default_derive`] of a call with this explicit structural information.
pub(crate) fn default_result(sinfo_args: &[StructInfo]) -> StructInfo {
    match sinfo_args {
        [] => ObjectStructInfo::any().into(),
        [result] => result.clone(),
        results => TupleStructInfo::of(results.iter().cloned()).into(),
    }
}

/// Any object, whatever the call: the weakest derivation.
///
/// Spec: `empty_derive`.
#[must_use]
pub fn empty_derive(_: &Call) -> StructInfo {
    ObjectStructInfo::any().into()
}

/// The result of a call by the derivation function `derive`: the built-in [`default_derive`], else the function of this
/// name in the global registry, which gets the call.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if there is no function of this name, and the error of the function.
pub(crate) fn derive_by_name(derive: &EnvFunc, call: &Call) -> Result<StructInfo, Error> {
    if derive.name == DEFAULT_DERIVE {
        return Ok(default_derive(call));
    }
    let function = match &derive.func {
        Some(function) => function.clone(),
        None => object_core::function::get(&derive.name)?,
    };
    function.call(&[call.as_any_view()])?.cast()
}
