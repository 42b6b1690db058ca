//! [`DefRegionKind`]: whether variables that are met at a place are bound there.

use crate::object::model::keywords::FieldRole;
use crate::object::model::keywords::SEqHashKind;
use crate::object::model::object_ref::ObjectView;
use crate::object::typed::hook::{EqualPair, HookFns, Region};

/// Whether variables that are met at a place are bound there: what the `def` and `def_simple` fields on the way to it
/// say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
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

    /// The region of a child that a hook lists with `region`.
    #[inline]
    pub(crate) fn listed(self, region: Region) -> Self {
        self.field(match region {
            Region::Inherit => FieldRole::Content,
            Region::Def => FieldRole::Def,
            Region::DefSimple => FieldRole::DefSimple,
        })
    }

    /// The region of a child of `parent`, which is in this one: as its field says, or the hook of the type.
    #[inline]
    pub(crate) fn child(self, parent: ObjectView<'_>, child: ObjectView<'_>, role: FieldRole) -> Self {
        match parent.type_info().hooks {
            None => self.field(role),
            Some(hooks) => self.hooked_child(hooks, parent, child, role),
        }
    }

    #[cold]
    fn hooked_child(self, hooks: HookFns, parent: ObjectView<'_>, child: ObjectView<'_>, role: FieldRole) -> Self {
        let is_child = |pair: &EqualPair<'_>| pair.a.is_object(child);
        let listed = hooks.list(parent).into_iter().find(is_child);
        listed.map_or_else(|| self.field(role), |pair| self.listed(pair.region))
    }

    /// The region of the children of an object of this kind that is met in this region.
    #[inline]
    pub(crate) fn below(self, kind: SEqHashKind) -> Self {
        if self == DefRegionKind::Simple && kind == SEqHashKind::FreeVar { DefRegionKind::None } else { self }
    }
}

impl HookFns {
    /// What the hook compares `object` by, each value paired with itself.
    pub(crate) fn list(self, object: ObjectView<'_>) -> Vec<EqualPair<'_>> {
        // Most hooks list a few pairs.
        self.equal(object, object, Vec::with_capacity(4))
    }
}
