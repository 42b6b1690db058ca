//! [`erase_struct_info`], [`type_of`] and [`wrap_type`]: between structural information and types.

use object_core::prelude::*;
use object_ir::ir::{
    DynTensorType, EnvFunc, FuncStructInfo, FuncType, ObjectStructInfo, ObjectType, PackedFuncType, PrimStructInfo,
    PrimType, ShapeStructInfo, ShapeType, StructInfo, TensorStructInfo, TupleStructInfo, TupleType, Type,
};

use crate::addresses::ById;
use crate::recursion::evaluate;
use crate::ty::{PureFuncType, without_purity};

/// The name of the derivation function of external functions, [`default_derive`](super::default_derive).
pub const DEFAULT_DERIVE: &str = "tvm.relax.struct_info.infer_by_sinfo_args";

/// The type of the values that structural information describes, without shapes. As TVM's types, the result does not say
/// whether functions are pure; [`type_of`] keeps it.
///
/// TVM 0.25 `relax.analysis.get_static_type`; spec: `erase_struct_info`.
#[must_use]
pub fn erase_struct_info(info: &StructInfo) -> Type {
    without_purity(&type_of(info))
}

/// The type of the values that structural information describes, with [`PureFuncType`] for pure functions.
#[must_use]
pub fn type_of(info: &StructInfo) -> Type {
    evaluate(&ById(info.clone()), |known, ById(info)| {
        Some(if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
            DynTensorType::new(tensor.ndim, tensor.dtype).into()
        } else if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
            ShapeType::new(shape.ndim).into()
        } else if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
            PrimType::new(prim.dtype).into()
        } else if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
            TupleType::new(known.all(tuple.fields.iter().map(ById))?).into()
        } else if let Some(function) = info.downcast_ref::<FuncStructInfo>() {
            let Some(params) = &function.params else { return Some(PackedFuncType::new().into()) };
            let args = known.all(params.iter().map(ById))?;
            let ret = known.get(ById(function.ret.clone()))?;
            if function.purity { PureFuncType::new(args, ret).into() } else { FuncType::new(args, ret).into() }
        } else {
            // As TVM, a tensor on several devices counts as any object.
            ObjectType::new().into()
        })
    })
}

/// Structural information that says as much as a type. Functions of a [`FuncType`] are impure, because the type does not
/// exclude it; a packed function is impure and derives its results by [`DEFAULT_DERIVE`].
///
/// Spec: `wrap_type`. TVM 0.25 calls it `StructInfoFromType`, has no result for packed functions, and takes all functions
/// for pure.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for types that are not types of Relax values, such as pointers.
pub fn wrap_type(ty: &Type) -> Result<StructInfo, Error> {
    evaluate(&ById(ty.clone()), |known, ById(ty)| {
        let mut all = |types: &Array<Type>| {
            let infos = known.all(types.iter().map(ById))?;
            Some(infos.into_iter().collect::<Result<Vec<StructInfo>, Error>>())
        };
        let mut function = |args: &Array<Type>, ret: &Type, purity: bool| {
            let infos = all(&args.with(ret.clone()))?;
            Some(infos.map(|mut infos| {
                let ret = infos.pop().unwrap_or_else(|| ObjectStructInfo::any().into());
                FuncStructInfo::new(Some(infos.into()), ret, None::<EnvFunc>, purity).into()
            }))
        };
        Some(Ok(if let Some(tensor) = ty.downcast_ref::<DynTensorType>() {
            TensorStructInfo::ranked(tensor.ndim, tensor.dtype).into()
        } else if let Some(shape) = ty.downcast_ref::<ShapeType>() {
            ShapeStructInfo::ranked(shape.ndim).into()
        } else if let Some(prim) = ty.downcast_ref::<PrimType>() {
            PrimStructInfo::new(None, prim.dtype).into()
        } else if let Some(tuple) = ty.downcast_ref::<TupleType>() {
            return Some(all(&tuple.fields)?.map(|fields| TupleStructInfo::of(fields).into()));
        } else if let Some(ty) = ty.downcast_ref::<FuncType>() {
            return function(&ty.arg_types, &ty.ret_type, false);
        } else if let Some(ty) = ty.downcast_ref::<PureFuncType>() {
            return function(&ty.arg_types, &ty.ret_type, true);
        } else if ty.is::<PackedFuncType>() {
            FuncStructInfo::deriving(EnvFunc::new(DEFAULT_DERIVE), false).into()
        } else if ty.is::<ObjectType>() {
            ObjectStructInfo::any().into()
        } else {
            let key = ty.as_object().view().type_key();
            return Some(Err(Error::new(
                ErrorKind::TypeMismatch,
                format!("expected a type of Relax values, got `{key}`"),
            )));
        }))
    })
}
