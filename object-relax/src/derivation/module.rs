//! The structural information of the functions of a module, by their annotations.

use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::table::{Set, Table};
use object_ir::ir::{
    BaseFunc, FuncStructInfo, Function, GlobalVar, IRModule, IntImm, ObjectStructInfo, PrimExpr, PrimStructInfo,
    PrimType, RelaxExpr, StructInfo, TensorStructInfo, TupleStructInfo, TupleType, Var,
};
use object_ir::tir::{PrimFunc, Var as ShapeVar, cast};

use super::bindings::is_pure;
use super::finding::{below, path_to};
use super::state::State;
use crate::arith::Analyzer;
use crate::op::InferContext;
use crate::struct_info::mapping::dims;
use crate::struct_info::written::is_same_text;

/// The module with structural information in each global variable that has a function. If `keeps_known`, a global variable
/// with structural information keeps it.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation,
/// [`DuplicateKey`](ErrorKind::DuplicateKey) for two functions of one name.
pub fn with_signatures(module: &IRModule, analyzer: &Analyzer, keeps_known: bool) -> Result<IRModule, Error> {
    let mut vars: Table<Str, GlobalVar> = Table::default();
    let mut names: Set<&str> = Set::default();
    names.reserve(if module.functions.len() > 1 { module.functions.len() } else { 0 });
    for (var, function) in &module.functions {
        if module.functions.len() > 1 && !names.insert(&var.name_hint) {
            let message = format!(
                "several functions of the module have the name `{}`; rename all but one of their global variables",
                var.name_hint
            );
            return Err(Error::new(ErrorKind::DuplicateKey, message));
        }
        let old = var.struct_info.as_ref();
        if old.is_some_and(|old| keeps_known || states(old, function)) {
            continue;
        }
        let Some(info) =
            signature(function, analyzer).map_err(|error| error.context(format!("function `{}`", var.name_hint)))?
        else {
            continue;
        };
        if !old.is_some_and(|old| is_same_text(old, &info) || structural_equal(old, &info)) {
            vars.insert(var.name_hint.clone(), GlobalVar::of(var.name_hint.clone(), info));
        }
    }
    if vars.is_empty() {
        return Ok(module.clone());
    }
    mutate(module.clone(), |var: &GlobalVar, _| vars.get(&var.name_hint).cloned())
}

/// The most dimensions of a result that [`states`] looks at.
const FEW: usize = 8;

/// Whether `info` is written as the signature of a function. `false` says nothing.
fn states(info: &StructInfo, function: &BaseFunc) -> bool {
    let Some(function) = function.downcast_ref::<Function>() else {
        return function.struct_info.as_ref().is_some_and(|known| known.ptr_eq(info));
    };
    let Some(info) = info.downcast_ref::<FuncStructInfo>() else { return false };
    let Some(known) = info.params.as_ref().map(Array::as_slice) else { return false };
    let (params, ret) = (function.params.as_slice(), &function.ret_struct_info);
    let is_same_param = |(known, param): (&StructInfo, &Var)| {
        param.struct_info.as_ref().is_some_and(|stated| is_same_text(known, stated))
    };
    // The result has only variables that a parameter binds, so all of them are visible.
    let binds = |var: &ShapeVar| known.iter().filter_map(tensor_dims).flatten().any(|dim| dim.ptr_eq(var));
    let is_bound = |dim: &PrimExpr| dim.is::<IntImm>() || dim.downcast_ref::<ShapeVar>().is_some_and(binds);
    info.purity == is_pure(function)
        && info.derive_func.is_none()
        && known.len() == params.len()
        && tensor_dims(ret).is_some_and(|dims| dims.len() <= FEW && dims.iter().all(is_bound))
        && is_same_text(&info.ret, ret)
        && known.iter().zip(params).all(is_same_param)
}

/// The dimensions of a tensor, if they are written out.
fn tensor_dims(info: &StructInfo) -> Option<&[PrimExpr]> {
    dims(info.downcast_ref::<TensorStructInfo>()?).map(Array::as_slice)
}

/// The module with each function of Relax replaced by the result of `change`. The same module if no function changes.
///
/// # Errors
/// The errors of `change`, with the path to the function.
pub(crate) fn map_functions(
    mut module: IRModule,
    mut change: impl FnMut(&IRModule, &GlobalVar, &Function) -> Result<RelaxExpr, Error>,
) -> Result<IRModule, Error> {
    let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::with_capacity(module.functions.len());
    let mut is_same = true;
    for (var, function) in &module.functions {
        let changed = match function.downcast_ref::<Function>() {
            Some(it) => {
                change(&module, var, it).map_err(|error| below(path_to(&module, function.as_object()), error))?
            }
            None => function.clone().into(),
        };
        is_same &= changed.ptr_eq(function);
        functions.push((var.clone(), Any::from(changed).cast()?));
    }
    if !is_same {
        module.make_mut().functions = Map::new(functions);
    }
    Ok(module)
}

/// The structural information of a function. `None` if nothing states it.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
pub(crate) fn signature(function: &BaseFunc, analyzer: &Analyzer) -> Result<Option<StructInfo>, Error> {
    if let Some(function) = function.downcast_ref::<Function>() {
        let info = State::new(InferContext::new(analyzer)).signature(function)?;
        return Ok(Some(info.into()));
    }
    if function.struct_info.is_some() {
        return Ok(function.struct_info.clone());
    }
    Ok(function.downcast_ref::<PrimFunc>().map(|function| signature_of_loop_program(function).into()))
}

/// The structural information of a loop program, as TVM's constructor computes it (TVM 0.25 `src/tirx/ir/function.cc`).
/// Whether the program has effects on other memory is not analysed, so it counts as impure.
#[must_use]
pub fn signature_of_loop_program(function: &PrimFunc) -> FuncStructInfo {
    let int64 = DataType::int(64);
    let params = function.params.iter().map(|param| -> StructInfo {
        let is_address =
            param.type_annotation.downcast_ref::<PrimType>().is_some_and(|ty| ty.dtype == DataType::handle());
        let Some(buffer) = function.buffer_map.get(&param) else {
            return if is_address {
                ObjectStructInfo::any().into()
            } else {
                PrimStructInfo::new(None::<PrimExpr>, param.dtype).into()
            };
        };
        let dims = buffer.shape.iter().map(|dim| cast(int64, dim)).collect::<Result<Vec<_>, _>>();
        let known = dims.and_then(|dims| TensorStructInfo::of(dims, buffer.dtype));
        known.unwrap_or_else(|_| TensorStructInfo::ranked(-1, buffer.dtype)).into()
    });
    let ret: StructInfo = if let Some(scalar) = function.ret_type.downcast_ref::<PrimType>() {
        PrimStructInfo::new(None::<PrimExpr>, scalar.dtype).into()
    } else if function.ret_type.downcast_ref::<TupleType>().is_some_and(|ty| ty.fields.is_empty()) {
        TupleStructInfo::of([]).into()
    } else {
        ObjectStructInfo::any().into()
    };
    FuncStructInfo::of(params, ret).impure()
}
