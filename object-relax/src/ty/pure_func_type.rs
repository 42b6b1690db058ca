//! [`PureFuncType`]: function types that carry purity, and their erasure to the types of TVM.

use object_core::prelude::*;
use object_ir::ir::{FuncType, TupleType, Type, TypeNode};

use crate::addresses::ById;
use crate::recursion::{Recursion, evaluate};

/// A function without visible side effects: a subtype of the [`FuncType`] of the same arguments and result. TVM's graphs
/// do not have this type; [`without_purity`] removes it.
#[derive(Object)]
#[object(type_key = "relax_lattice.PureFuncType", parent = TypeNode)]
#[structural_eq(tree)]
pub struct PureFuncTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// One type per parameter.
    pub arg_types: Array<Type>,
    /// The type of the result.
    pub ret_type: Type,
}

/// The parts of a function type.
pub(super) struct Function<'a> {
    pub(super) arg_types: &'a Array<Type>,
    pub(super) ret_type: &'a Type,
    pub(super) is_pure: bool,
}

impl<'a> Function<'a> {
    /// The parts of `ty`, if it is a type of functions with known parameters.
    pub(super) fn of(ty: &'a Type) -> Option<Function<'a>> {
        if let Some(ty) = ty.downcast_ref::<FuncType>() {
            return Some(Function { arg_types: &ty.arg_types, ret_type: &ty.ret_type, is_pure: false });
        }
        let ty = ty.downcast_ref::<PureFuncType>()?;
        Some(Function { arg_types: &ty.arg_types, ret_type: &ty.ret_type, is_pure: true })
    }
}

/// The type of functions with these parts.
pub(super) fn function_type(arg_types: Vec<Type>, ret_type: Type, is_pure: bool) -> Type {
    if is_pure { PureFuncType::new(arg_types, ret_type).into() } else { FuncType::new(arg_types, ret_type).into() }
}

/// The type with [`FuncType`] in place of [`PureFuncType`]: a type that TVM has. The result says less about functions:
/// it does not distinguish pure ones, so it accepts impure functions where `ty` does not. In a position of an
/// argument, it demands less.
#[must_use]
pub fn without_purity(ty: &Type) -> Type {
    evaluate(&ById(ty.clone()), |known: &mut Recursion<(), _, Type>, ById(ty)| {
        if let Some(function) = Function::of(ty) {
            let arg_types = known.all(function.arg_types.iter().map(ById))?;
            let ret_type = known.get(ById(function.ret_type.clone()))?;
            let is_same = !function.is_pure
                && ret_type.ptr_eq(function.ret_type)
                && function.arg_types.iter().zip(&arg_types).all(|(old, new)| old.ptr_eq(new));
            return Some(if is_same { ty.clone() } else { function_type(arg_types, ret_type, false) });
        }
        let Some(tuple) = ty.downcast_ref::<TupleType>() else { return Some(ty.clone()) };
        let fields = known.all(tuple.fields.iter().map(ById))?;
        let is_same = tuple.fields.iter().zip(&fields).all(|(old, new)| old.ptr_eq(new));
        Some(if is_same { ty.clone() } else { TupleType::new(fields).into() })
    })
}
