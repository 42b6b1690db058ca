//! [`IntoDims`]: lists of dimensions as arguments of constructors.

use object_core::FieldType;
use object_core::prelude::*;

use crate::ir::{IntImm, PrimExpr};
use crate::tir::{IntoPrimExpr, cast};

/// The dimensions of a shape: an array, vector or slice of expressions or numbers, or a tuple of both, such as `(n, 4)`.
pub trait IntoDims {
    /// The dimensions as expressions. Numbers are constants of type `int64`.
    fn into_dims(self) -> Vec<PrimExpr>;
}

fn dim(dim: impl IntoPrimExpr) -> PrimExpr {
    dim.into_prim_expr(DataType::int(64))
}

impl<D: IntoPrimExpr, const N: usize> IntoDims for [D; N] {
    fn into_dims(self) -> Vec<PrimExpr> {
        self.into_iter().map(dim).collect()
    }
}

impl<D: IntoPrimExpr> IntoDims for Vec<D> {
    fn into_dims(self) -> Vec<PrimExpr> {
        self.into_iter().map(dim).collect()
    }
}

impl<D: IntoPrimExpr + Clone> IntoDims for &[D] {
    fn into_dims(self) -> Vec<PrimExpr> {
        self.iter().cloned().map(dim).collect()
    }
}

impl<D: IntoPrimExpr + FieldType> IntoDims for Array<D> {
    fn into_dims(self) -> Vec<PrimExpr> {
        self.iter().map(dim).collect()
    }
}

impl<D: IntoPrimExpr + FieldType> IntoDims for &Array<D> {
    fn into_dims(self) -> Vec<PrimExpr> {
        self.iter().map(dim).collect()
    }
}

impl IntoDims for () {
    fn into_dims(self) -> Vec<PrimExpr> {
        Vec::new()
    }
}

macro_rules! tuples {
    ($([$($Dim:ident)+])+) => {
        $(
            impl<$($Dim: IntoPrimExpr),+> IntoDims for ($($Dim,)+) {
                fn into_dims(self) -> Vec<PrimExpr> {
                    #[expect(non_snake_case, reason = "the type parameters name the members")]
                    let ($($Dim,)+) = self;
                    vec![$(dim($Dim)),+]
                }
            }
        )+
    };
}
tuples! { [A] [A B] [A B C] [A B C D] [A B C D E] [A B C D E F] }

/// The dimensions as TVM's constructors store them: constants are converted to `int64`.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if another expression does not have the type `int64`.
pub(super) fn checked_dims(dims: impl IntoDims) -> Result<Array<PrimExpr>, Error> {
    let int64 = DataType::int(64);
    let checked = dims.into_dims().into_iter().enumerate().map(|(i, dim)| {
        if dim.dtype == int64 {
            return Ok(dim);
        }
        if dim.is::<IntImm>() {
            return cast(int64, dim);
        }
        Err(Error::new(
            ErrorKind::TypeMismatch,
            format!("dimension {i} has the type `{:?}`, expected `int64`: cast it with `tir::cast`", dim.dtype),
        ))
    });
    Ok(checked.collect::<Result<Vec<_>, _>>()?.into())
}
