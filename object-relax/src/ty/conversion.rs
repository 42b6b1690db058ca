//! [`conversion`]: how a value of one type becomes a value of another (spec: When Type Conversions are Necessary).

use object_ir::ir::Type;

use super::bounds::find_glb;
use super::subtype::is_subtype;

/// How a value of one type becomes a value of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Every value of the given type is a value of the expected type.
    Implicit,
    /// Some values may be values of both types: a [`MatchCast`](object_ir::ir::MatchCast) checks it at run time.
    MatchCast,
    /// No value is a value of both types: the types have no greatest lower bound.
    Impossible,
}

/// How a value of the type `given` becomes a value of the type `expected`.
///
/// ```
/// use object_core::DataType;
/// use object_ir::ir::{DynTensorType, ShapeType, Type};
/// use object_relax::ty::{Conversion, conversion};
///
/// let matrix: Type = DynTensorType::new(2, DataType::void()).into();
/// let floats: Type = DynTensorType::new(-1, DataType::float(32)).into();
/// let tensor: Type = DynTensorType::new(-1, DataType::void()).into();
/// assert_eq!(conversion(&matrix, &tensor), Conversion::Implicit);
/// assert_eq!(conversion(&matrix, &floats), Conversion::MatchCast);
/// assert_eq!(conversion(&matrix, &ShapeType::new(2).into()), Conversion::Impossible);
/// ```
#[must_use]
pub fn conversion(given: &Type, expected: &Type) -> Conversion {
    if is_subtype(given, expected) {
        Conversion::Implicit
    } else if find_glb(given, expected).is_some() {
        Conversion::MatchCast
    } else {
        Conversion::Impossible
    }
}
