//! [`is_subtype`]: the order of types (spec: Rules for Subtyping).

use object_core::prelude::*;
use object_ir::ir::{DynTensorType, ObjectType, ShapeType, TupleType, Type};

use super::pure_func_type::Function;
use crate::addresses::ById;
use crate::recursion::evaluate;

/// Whether every value of type `a` is a value of type `b`: `a <: b`.
///
/// Arguments of functions are contravariant, results and members of tuples covariant, and a pure function is a function.
/// `relax.PackedFuncType` and a type of functions with known parameters have no value in common.
#[must_use]
pub fn is_subtype(a: &Type, b: &Type) -> bool {
    evaluate(&(ById(a.clone()), ById(b.clone())), |known, (ById(a), ById(b))| {
        let mut all = |pairs: &mut dyn Iterator<Item = (Type, Type)>| {
            let verdicts = known.all(pairs.map(|(a, b)| (ById(a), ById(b))))?;
            Some(verdicts.into_iter().all(|verdict| verdict))
        };
        if a.ptr_eq(b) || b.is::<ObjectType>() {
            return Some(true);
        }
        if let (Some(a), Some(b)) = (a.downcast_ref::<DynTensorType>(), b.downcast_ref::<DynTensorType>()) {
            let rank = b.ndim == -1 || a.ndim == b.ndim;
            return Some(rank && (b.dtype.is_void() || a.dtype == b.dtype));
        }
        if let (Some(a), Some(b)) = (a.downcast_ref::<ShapeType>(), b.downcast_ref::<ShapeType>()) {
            return Some(b.ndim == -1 || a.ndim == b.ndim);
        }
        if let (Some(a), Some(b)) = (a.downcast_ref::<TupleType>(), b.downcast_ref::<TupleType>()) {
            return if a.fields.len() == b.fields.len() {
                all(&mut a.fields.iter().zip(b.fields.iter()))
            } else {
                Some(false)
            };
        }
        if let (Some(a), Some(b)) = (Function::of(a), Function::of(b)) {
            if (b.is_pure && !a.is_pure) || a.arg_types.len() != b.arg_types.len() {
                return Some(false);
            }
            let result = std::iter::once((a.ret_type.clone(), b.ret_type.clone()));
            return all(&mut b.arg_types.iter().zip(a.arg_types.iter()).chain(result));
        }
        Some(structural_equal(a, b))
    })
}
