//! [`DefRegion`]: what happens to the variables that are met at a place.

use crate::object::{FieldRole, Region};
use crate::structural::equal::{Scopes, StructuralEqual};

/// Whether variables that are met are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DefRegion {
    /// They are not: only bound ones and identical ones are equal.
    None,
    /// They are, but those in their fields are not.
    Simple,
    /// They are, and those in their fields too.
    Recursive,
    /// Lexical scopes only: the fields of a variable in a recursive region, which bind what is not bound around here.
    Annotation,
    /// Lexical scopes only: free variables may correspond to each other.
    Free,
}

impl DefRegion {
    /// That of a whole value.
    pub(crate) fn outermost(options: &StructuralEqual) -> Self {
        match (options.map_free_vars, options.scopes) {
            (true, Scopes::Persistent) => DefRegion::Recursive,
            (true, Scopes::Lexical) => DefRegion::Free,
            (false, _) => DefRegion::None,
        }
    }

    /// That of the fields of a variable in this region.
    pub(crate) fn of_variable(self, options: &StructuralEqual) -> Self {
        match (self, options.scopes) {
            (DefRegion::Simple, Scopes::Lexical) if options.map_free_vars => DefRegion::Free,
            (DefRegion::Recursive, Scopes::Persistent) => self,
            (region, _) => region.below_variable(),
        }
    }

    /// That of the fields of a variable in this region, for hashes: as under lexical scopes, which say the most.
    pub(crate) fn below_variable(self) -> Self {
        match self {
            DefRegion::Recursive => DefRegion::Annotation,
            DefRegion::Simple => DefRegion::None,
            region => region,
        }
    }

    /// Whether variables that are bound nowhere around stay free here.
    #[inline]
    pub(crate) fn is_free(self) -> bool {
        matches!(self, DefRegion::None | DefRegion::Free)
    }

    /// The region of a child in this region. A recursive region stays one throughout.
    #[inline]
    pub(crate) fn child(self, region: Region) -> Self {
        match region {
            _ if self == DefRegion::Recursive => self,
            Region::Inherit => self,
            Region::Def => DefRegion::Recursive,
            Region::DefSimple => DefRegion::Simple,
        }
    }

    /// The region of a field in this region.
    #[inline]
    pub(crate) fn field(self, role: FieldRole) -> Self {
        match role {
            FieldRole::Content | FieldRole::Ignore => self,
            FieldRole::Def => self.child(Region::Def),
            FieldRole::DefSimple => self.child(Region::DefSimple),
        }
    }
}
