//! [`FieldContents`]: the objects that values of a field type can contain, as far as types tell. Only the rules about
//! annotations, which the compiler evaluates, read it.

use crate::object::model::keywords::SEqHashKind;
use crate::object::model::type_info::TypeInfo;

/// A set of object kinds, as `may_contain(var, dag, none)` declares it: kinds whose comparison depends on the surrounding
/// objects, or fails. The set is one byte, because every field has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents(u8);

impl Contents {
    /// Variables, which are equal if they are bound at the same place.
    pub(crate) const VAR: Self = Contents(1);
    /// `dag` nodes, which are equal if they are shared in the same way.
    pub(crate) const DAG: Self = Contents(2);
    /// Objects of kind `none`, whose comparison is an error.
    pub(crate) const NONE: Self = Contents(4);
    /// All kinds whose comparison depends on the surrounding objects.
    pub(crate) const ANY: Self = Contents(1 | 2);

    /// The set of the kinds whose argument is `true`.
    #[must_use]
    pub const fn of(var: bool, dag: bool, none: bool) -> Self {
        Contents((var as u8) | ((dag as u8) << 1) | ((none as u8) << 2))
    }

    /// Whether the sets have a kind in common.
    pub(crate) const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The kinds of `self` that are not in `other`.
    pub(crate) const fn without(self, other: Self) -> Self {
        Contents(self.0 & !other.0)
    }

    /// The set that an object of this kind adds itself, if it is compared.
    pub(crate) const fn of_kind(kind: SEqHashKind) -> Self {
        match kind {
            SEqHashKind::FreeVar => Self::VAR,
            SEqHashKind::DagNode => Self::DAG,
            _ => Contents(0),
        }
    }
}

/// The objects that values of a field type can be or contain. Rules about annotations read it at compile time.
///
/// Generated code and the field types of this crate fill it in; a hand-written [`FieldType`](crate::FieldType) keeps the
/// default.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum FieldContents {
    /// No objects with fields: numbers, text, shapes.
    Plain,
    /// Any object.
    Anything,
    /// Objects of one type and of the types that extend it.
    Objects(TableAddress),
    /// Objects of a type with wrong annotations. Rules skip it, so that the compiler reports one error for it.
    Unknown,
    /// The objects that values of either of two types can be or contain.
    Either(&'static FieldContents, &'static FieldContents),
}

/// The address of a type table. Types refer to each other in circles, and the evaluation of a constant must not need
/// itself. An address that a later constant dereferences avoids this.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct TableAddress(*const TypeInfo);

// SAFETY: the pointer comes from a `&'static TypeInfo`, and `TypeInfo` is `Sync`.
unsafe impl Send for TableAddress {}
// SAFETY: as for `Send`.
unsafe impl Sync for TableAddress {}

impl TableAddress {
    /// The address of `info`.
    #[must_use]
    pub const fn of(info: &'static TypeInfo) -> Self {
        TableAddress(info)
    }

    /// The type table.
    #[must_use]
    pub const fn info(self) -> &'static TypeInfo {
        // SAFETY: the pointer comes from a `&'static TypeInfo`.
        unsafe { &*self.0 }
    }
}

impl TypeInfo {
    /// The declaration `may_contain(...)` of this type or of the nearest ancestor that has one, and that type.
    pub(crate) const fn declared_contents(&'static self) -> Option<(Contents, &'static TypeInfo)> {
        if let Some(declared) = self.may_contain {
            return Some((declared, self));
        }
        let mut i = self.ancestors.len();
        while i > 0 {
            i -= 1;
            if let Some(declared) = self.ancestors[i].info.may_contain {
                return Some((declared, self.ancestors[i].info));
            }
        }
        None
    }
}
