//! [`first_mismatch`]: where two values first differ.

use std::fmt;

use super::comparison::Comparison;
use super::entries::MapOrder;
use super::equal::StructuralEqual;
use crate::access_path::AccessPath;
use crate::error::Result;
use crate::object::{Any, FieldType};

/// The first place at which two values differ, seen from both sides.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The place on the left.
    pub lhs: AccessPath,
    /// The place on the right.
    pub rhs: AccessPath,
    /// The value there on the left; `None` if there is nothing.
    pub lhs_value: Option<Any>,
    /// The value there on the right; `None` if there is nothing.
    pub rhs_value: Option<Any>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |value: &Option<Any>| value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
        write!(f, "{} is {}, but {} is {}", self.lhs, side(&self.lhs_value), self.rhs, side(&self.rhs_value))
    }
}

impl StructuralEqual {
    /// The first mismatch of `a` and `b`, in the order of declaration of fields and of insertion into maps. `None`
    /// exactly if they are [equal](StructuralEqual::equal).
    ///
    /// # Errors
    /// As [`StructuralEqual::equal`].
    pub fn first_mismatch<T: FieldType, U: FieldType>(&self, a: &T, b: &U) -> Result<Option<Mismatch>> {
        let (a, b) = (a.view(), b.view());
        let Some(canonical) = Comparison::mismatch(*self, MapOrder::Canonical, a, b)? else {
            return Ok(None);
        };
        // Readers expect the first differing entry in the order in which the map prints. Where only the order of
        // entries made the difference, the mismatch in the canonical order is the one there is.
        Ok(Some(match Comparison::mismatch(*self, MapOrder::AsInserted, a, b) {
            Ok(Some(as_inserted)) => as_inserted,
            Ok(None) | Err(_) => canonical,
        }))
    }
}

/// The first mismatch of two values under the default options: see [`StructuralEqual::first_mismatch`].
///
/// # Errors
/// As [`StructuralEqual::equal`].
pub fn first_mismatch<T: FieldType, U: FieldType>(a: &T, b: &U) -> Result<Option<Mismatch>> {
    StructuralEqual::new().first_mismatch(a, b)
}
