//! [`find_lub`] and [`find_glb`]: the bounds of two types (spec: Rules for Subtyping).

use object_core::prelude::*;
use object_ir::ir::{DynTensorType, ObjectType, ShapeType, TupleType, Type};

use super::pure_func_type::{Function, function_type};
use crate::addresses::ById;
use crate::recursion::{Recursion, evaluate};

/// Which bound of two types.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Bound {
    Least,
    Greatest,
}

impl Bound {
    fn opposite(self) -> Bound {
        match self {
            Bound::Least => Bound::Greatest,
            Bound::Greatest => Bound::Least,
        }
    }
}

type Key = (Bound, ById<Type>, ById<Type>);

/// The least upper bound: the most specific type that has all values of both types.
#[must_use]
pub fn find_lub(a: &Type, b: &Type) -> Type {
    bound(Bound::Least, a, b).unwrap_or_else(|| ObjectType::new().into())
}

/// The greatest lower bound: the least specific type of which all values are values of both types. `None` if there is
/// none.
#[must_use]
pub fn find_glb(a: &Type, b: &Type) -> Option<Type> {
    bound(Bound::Greatest, a, b)
}

fn bound(which: Bound, a: &Type, b: &Type) -> Option<Type> {
    evaluate(&(which, ById(a.clone()), ById(b.clone())), |known, (which, ById(a), ById(b))| rule(*which, a, b, known))
}

/// The result `Some(None)` says that there is no bound.
fn rule(which: Bound, a: &Type, b: &Type, known: &mut Recursion<(), Key, Option<Type>>) -> Option<Option<Type>> {
    let is_least = which == Bound::Least;
    let none: Option<Type> = is_least.then(|| ObjectType::new().into());
    if a.ptr_eq(b) {
        return Some(Some(a.clone()));
    }
    match (a.is::<ObjectType>(), b.is::<ObjectType>()) {
        (true, _) => return Some(Some(if is_least { a } else { b }.clone())),
        (_, true) => return Some(Some(if is_least { b } else { a }.clone())),
        _ => {}
    }
    if let (Some(x), Some(y)) = (a.downcast_ref::<DynTensorType>(), b.downcast_ref::<DynTensorType>()) {
        let ndim = bound_of(which, x.ndim, y.ndim, -1);
        let dtype = bound_of(which, x.dtype, y.dtype, DataType::void());
        return Some(ndim.zip(dtype).map(|(ndim, dtype)| DynTensorType::new(ndim, dtype).into()));
    }
    if let (Some(x), Some(y)) = (a.downcast_ref::<ShapeType>(), b.downcast_ref::<ShapeType>()) {
        return Some(bound_of(which, x.ndim, y.ndim, -1).map(|ndim| ShapeType::new(ndim).into()));
    }
    if let (Some(x), Some(y)) = (a.downcast_ref::<TupleType>(), b.downcast_ref::<TupleType>()) {
        if x.fields.len() != y.fields.len() {
            return Some(none);
        }
        let fields = known.all(pairs(which, &x.fields, &y.fields))?;
        return Some(fields.into_iter().collect::<Option<Vec<_>>>().map(|fields| TupleType::new(fields).into()));
    }
    if let (Some(x), Some(y)) = (Function::of(a), Function::of(b)) {
        if x.arg_types.len() != y.arg_types.len() {
            return Some(none);
        }
        let args = known.all(pairs(which.opposite(), x.arg_types, y.arg_types))?;
        let ret = known.get((which, ById(x.ret_type.clone()), ById(y.ret_type.clone())))?;
        let args = args.into_iter().collect::<Option<Vec<_>>>();
        let is_pure = if is_least { x.is_pure && y.is_pure } else { x.is_pure || y.is_pure };
        return Some(args.zip(ret).map(|(args, ret)| function_type(args, ret, is_pure)).or(none));
    }
    Some(if structural_equal(a, b) { Some(a.clone()) } else { none })
}

fn pairs(which: Bound, a: &Array<Type>, b: &Array<Type>) -> impl Iterator<Item = Key> {
    a.iter().zip(b.iter()).map(move |(a, b)| (which, ById(a), ById(b)))
}

/// The bound of two facts, where `unknown` says nothing.
fn bound_of<T: Copy + PartialEq>(which: Bound, a: T, b: T, unknown: T) -> Option<T> {
    if a == b {
        return Some(a);
    }
    match which {
        Bound::Least => Some(unknown),
        Bound::Greatest if a == unknown => Some(b),
        Bound::Greatest if b == unknown => Some(a),
        Bound::Greatest => None,
    }
}
