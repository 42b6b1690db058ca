//! [`FieldContents`]: what the values of a field type can contain, as far as types tell. The compiler reads it when it checks
//! annotations against each other; at run time nothing does.

use crate::object::model::keywords::SEqHashKind;
use crate::object::model::type_info::TypeInfo;

/// Kinds of objects that matter to those around them: `may_contain(var, dag, none)`. One byte, because every field has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents(u8);

impl Contents {
    /// Variables: equal if they are bound at the same place.
    pub(crate) const VAR: Self = Contents(1);
    /// `dag` nodes: equal if they are shared in the same way.
    pub(crate) const DAG: Self = Contents(2);
    /// Objects of kind `none`: comparing them is an error.
    pub(crate) const NONE: Self = Contents(4);
    /// What is compared by what surrounds it.
    pub(crate) const ANY: Self = Contents(1 | 2);

    /// Those that are named.
    #[must_use]
    pub const fn of(var: bool, dag: bool, none: bool) -> Self {
        Contents((var as u8) | ((dag as u8) << 1) | ((none as u8) << 2))
    }

    /// Whether any is in both sets.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Those that `other` lacks.
    pub(crate) const fn without(self, other: Self) -> Self {
        Contents(self.0 & !other.0)
    }

    /// What an object of this kind is itself to those around it, if it is compared.
    pub(crate) const fn of_kind(kind: SEqHashKind) -> Self {
        match kind {
            SEqHashKind::FreeVar => Self::VAR,
            SEqHashKind::DagNode => Self::DAG,
            _ => Contents(0),
        }
    }
}

/// What the values of a field type can be or contain.
#[derive(Clone, Copy)]
pub enum FieldContents {
    /// Nothing that has fields: numbers, texts, shapes.
    Plain,
    /// Any object.
    Anything,
    /// Objects of one type, and of those that extend it.
    Objects(TableAddress),
    /// Objects of a type whose own annotations are wrong, so that nobody complains about it a second time.
    Unknown,
    /// What the values of either type can be or contain.
    Either(&'static FieldContents, &'static FieldContents),
}

/// Where the table of a type is. Types hold each other in circles, so a constant of one must not need the constants of
/// the other: an address that is only followed later does not.
#[derive(Clone, Copy)]
pub struct TableAddress(*const TypeInfo);

// SAFETY: it is made of a shared reference to a table, which is `Sync`.
unsafe impl Send for TableAddress {}
// SAFETY: as above.
unsafe impl Sync for TableAddress {}

impl TableAddress {
    pub(crate) const fn info(self) -> &'static TypeInfo {
        // SAFETY: it is made of a `&'static`.
        unsafe { &*self.0 }
    }
}

impl FieldContents {
    /// Objects of the type `info`, and of those that extend it.
    #[must_use]
    pub const fn objects(info: &'static TypeInfo) -> Self {
        FieldContents::Objects(TableAddress(info))
    }
}

impl TypeInfo {
    /// What `may_contain` says of this type, or of the nearest ancestor that has it, and which of them it is.
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
