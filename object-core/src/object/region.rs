//! [`DefRegionKind`]: whether variables that are met at a place are bound there.

use super::field_info::FieldRole;
use super::type_info::SEqHashKind;

/// Whether variables that are met at a place are bound there: what the `def` and `def_simple` fields on the way to it
/// say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DefRegionKind {
    /// They are not: the place is a use.
    #[default]
    None,
    /// They are, but those in their fields are not: below a field marked `def_simple`.
    Simple,
    /// They are, and those in their fields too: below a field marked `def`.
    Recursive,
}

impl DefRegionKind {
    /// Whether variables are bound here.
    #[must_use]
    pub fn binds(self) -> bool {
        self != DefRegionKind::None
    }

    /// The region of a field in this one. A recursive region stays one throughout.
    #[inline]
    pub(crate) fn field(self, role: FieldRole) -> Self {
        match role {
            _ if self == DefRegionKind::Recursive => self,
            FieldRole::Content | FieldRole::Ignore => self,
            FieldRole::Def => DefRegionKind::Recursive,
            FieldRole::DefSimple => DefRegionKind::Simple,
        }
    }

    /// The region of the children of an object of this kind that is met in this region.
    #[inline]
    pub(crate) fn below(self, kind: SEqHashKind) -> Self {
        if self == DefRegionKind::Simple && kind == SEqHashKind::FreeVar { DefRegionKind::None } else { self }
    }
}
