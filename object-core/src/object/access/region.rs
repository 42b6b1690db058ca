//! [`DefRegionKind`]: whether a place binds the variables in it.

use crate::object::model::computed::ComputedValues;
use crate::object::model::hook_fns::{HookContents, HookFns};
use crate::object::model::keywords::{FieldRole, SEqHashKind};
use crate::object::model::object_ref::ObjectView;

/// Whether a place binds the variables in it: the result of all `def` and `def_simple` fields on the path to the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum DefRegionKind {
    /// The place binds no variable: an occurrence of a variable is a use.
    #[default]
    None,
    /// The place binds variables, but not the variables in their fields: below a field marked `def_simple`.
    Simple,
    /// The place binds variables, and the variables in their fields: below a field marked `def`.
    Recursive,
    /// The fields of a variable in a recursive region under lexical scopes. They bind the variables that no outer scope
    /// binds. Only structural operations use this region.
    Annotation,
    /// Free variables may correspond to each other, under lexical scopes. Only structural operations use this region.
    Free,
}

impl DefRegionKind {
    /// Whether the place binds variables.
    #[must_use]
    pub fn binds(self) -> bool {
        self != DefRegionKind::None
    }

    /// The region of a field in this one. A recursive region includes all that lies below it, also the fields of the
    /// variables that `def_simple` binds in the fields of its variables.
    #[inline]
    pub(crate) fn field(self, role: FieldRole) -> Self {
        match (self, role) {
            (DefRegionKind::Recursive, _) => self,
            (_, FieldRole::Content | FieldRole::Ignore) => self,
            (_, FieldRole::Def) | (DefRegionKind::Annotation, FieldRole::DefSimple) => DefRegionKind::Recursive,
            (_, FieldRole::DefSimple) => DefRegionKind::Simple,
        }
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
        let computed = ComputedValues::default();
        let contents = HookContents::of(parent, hooks, computed.end());
        let listed = contents.values.iter().find(|listed| listed.value.is_object(child));
        self.field(listed.map_or(role, |listed| listed.role))
    }

    /// The region of the children of an object of this kind in this region, with persistent scopes.
    #[inline]
    pub(crate) fn below(self, kind: SEqHashKind) -> Self {
        if self == DefRegionKind::Simple && kind == SEqHashKind::FreeVar { DefRegionKind::None } else { self }
    }

    /// The region of the fields of a variable in this region, with lexical scopes.
    pub(crate) fn variable_fields(self) -> Self {
        match self {
            DefRegionKind::Recursive => DefRegionKind::Annotation,
            DefRegionKind::Simple => DefRegionKind::None,
            region => region,
        }
    }

    /// Whether a variable that no outer scope binds stays free here.
    #[inline]
    pub(crate) fn is_free(self) -> bool {
        matches!(self, DefRegionKind::None | DefRegionKind::Free)
    }
}
