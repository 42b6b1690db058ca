//! [`VariableChildren`]: the children of an object in which an analysis of variables looks for variables.

use std::rc::Rc;

use crate::graph::{ChildSlot, Children};
use crate::object::{ComputedEnd, DefRegionKind, FieldRole, ListedValue, ObjectView, SEqHashKind};
use crate::table::AddressTable;

/// Which fields an analysis of variables considers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConsideredFields {
    /// The fields that structural equality compares.
    Compared,
    /// All fields.
    All,
}

/// The graph of an analysis.
pub(super) struct VariableGraph<'a> {
    considered: ConsideredFields,
    computed: ComputedEnd<'a>,
    /// The values that hooks listed, by object: a second list would have other computed values.
    listed: AddressTable<Rc<[ListedValue<'a>]>>,
}

impl<'a> VariableGraph<'a> {
    /// `computed` keeps the values that hooks compute.
    pub(super) fn new(considered: ConsideredFields, computed: ComputedEnd<'a>) -> Self {
        VariableGraph { considered, computed, listed: AddressTable::default() }
    }

    /// Begins again with other fields.
    pub(super) fn restart(&mut self, considered: ConsideredFields) {
        self.considered = considered;
        self.listed.clear();
    }

    /// Whether a hook listed the children of an object.
    pub(super) fn has_hooks(&self) -> bool {
        !self.listed.is_empty()
    }

    /// Whether neither `object` is a variable nor anything below it.
    pub(super) fn has_no_variables(&self, object: ObjectView<'_>) -> bool {
        let info = object.type_info();
        info.kind != SEqHashKind::FreeVar
            && (Children::of(object).is_none() || (info.plan.is_leaf && self.considered == ConsideredFields::Compared))
    }

    /// The children of `object`, which is in `region`.
    pub(super) fn children(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> VariableChildren<'a> {
        let info = object.type_info();
        let source = match self.listed(object) {
            Some(values) => Source::Listed { values, next: 0 },
            None => Source::Own(Children::of(object)),
        };
        let skips_ignored = self.considered == ConsideredFields::Compared;
        VariableChildren { object, source, inner: region.below(info.kind), skips_ignored }
    }

    /// The values that the hook of the type lists, if the analysis considers them.
    fn listed(&mut self, object: ObjectView<'a>) -> Option<Rc<[ListedValue<'a>]>> {
        let hooks = object.type_info().hooks.filter(|_| self.considered == ConsideredFields::Compared)?;
        let computed = &mut self.computed;
        let list = || {
            let contents = hooks.compared(object, *computed);
            *computed = contents.computed();
            contents.values.into()
        };
        Some(self.listed.entry(object.address()).or_insert_with(list).clone())
    }
}

/// The rest of the children of an object, in the order of the analysis.
pub(super) struct VariableChildren<'a> {
    object: ObjectView<'a>,
    source: Source<'a>,
    /// The region of the children, before their fields change it.
    inner: DefRegionKind,
    skips_ignored: bool,
}

enum Source<'a> {
    Own(Children<'a>),
    /// The children that the hook of the type lists.
    Listed {
        values: Rc<[ListedValue<'a>]>,
        next: usize,
    },
}

impl<'a> VariableChildren<'a> {
    /// The parent.
    pub(super) fn object(&self) -> ObjectView<'a> {
        self.object
    }

    /// Whether the bindings in the last returned child outlive the parent, if the parent is a scope.
    pub(super) fn is_exported(&self) -> bool {
        matches!(&self.source, Source::Own(children) if self.object.type_info().plan.exports
            && matches!(children.slot(), Some(ChildSlot::Field(field)) if field.meta.export))
    }

    /// Whether the last returned child is a key of a map.
    pub(super) fn is_at_key(&self) -> bool {
        matches!(&self.source, Source::Own(children) if matches!(children.slot(), Some(ChildSlot::Key(_))))
    }
}

impl<'a> Iterator for VariableChildren<'a> {
    type Item = (ObjectView<'a>, DefRegionKind);

    fn next(&mut self) -> Option<(ObjectView<'a>, DefRegionKind)> {
        loop {
            match &mut self.source {
                Source::Own(children) => {
                    let (child, role) = children.next_object()?;
                    if !(self.skips_ignored && role == FieldRole::Ignore) {
                        return Some((child, self.inner.child(self.object, child, role)));
                    }
                }
                Source::Listed { values, next } => {
                    let listed = values.get(*next)?;
                    *next += 1;
                    if let Some(child) = listed.value.as_object() {
                        return Some((child, self.inner.field(listed.role)));
                    }
                }
            }
        }
    }
}
