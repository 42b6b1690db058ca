//! The bindings of exported fields, which outlive their scope.

use crate::object::{CompareRule, ObjectView};
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::changes::{Bound, Made, Replay, replays};
use crate::structural::scope::relations::ExportedPair;
use crate::structural::scope::scope_stack::{EXPORTED, EnteredAt};
use crate::table::AddressMap;

impl<'a> Bindings<'a> {
    /// Ends the current field of the innermost scope. If the scope exports the field, the bindings of variables in it outlive
    /// the scope.
    pub(crate) fn end_field(&mut self, is_exported: bool) {
        let changes = self.scope_stack.end_field();
        if is_exported {
            let exported = in_force(changes.iter().map(|it| &it.bindings), &self.lhs, &self.rhs_in_scope);
            self.exported.extend(exported);
        }
    }

    /// The bindings in force that scopes exported since `entered`.
    pub(super) fn exports_since(&self, entered: EnteredAt) -> Vec<ExportedPair<'a>> {
        let changes = self.scope_stack.changes_since(0);
        let mut before = replays(&changes[..entered.changes]);
        let exports = changes[entered.changes..].iter().filter(|change| {
            let last = change.replays.last(std::mem::replace(&mut before, change.replays));
            last == Replay::InOrder
        });
        in_force(exports.map(|it| &it.bindings), &self.lhs, &self.rhs_in_scope)
    }

    /// Closes the innermost scope: its bindings end, except for those that it exports, which the result lists.
    pub(super) fn close(&mut self) -> Vec<ExportedPair<'a>> {
        let depth = self.scope_stack.depth();
        let first = self.exported.partition_point(|(_, bound)| bound.level & !EXPORTED < depth);
        let (lhs, rhs, matches) = (&mut self.lhs, &mut self.rhs_in_scope, &mut self.matches);
        let unlisted = &mut self.unlisted;
        self.scope_stack.close(|change| change.undo(lhs, rhs, matches, unlisted));
        self.exported.split_off(first)
    }

    /// Moves a binding of a scope that has ended to the scope around it.
    pub(super) fn export(&mut self, a: ObjectView<'a>, bound: Bound<'a>) {
        self.scope_stack.change_version();
        self.put(a, Bound { level: self.scope_stack.depth() | EXPORTED, ..bound }, Replay::InOrder);
    }
}

/// The bindings of variables among `made` that no later one hides on both sides, in their order.
fn in_force<'m, 'a: 'm>(
    made: impl Iterator<Item = &'m Made<'a>>,
    lhs: &AddressMap<Bound<'a>>,
    rhs: &AddressMap<Bound<'a>>,
) -> Vec<ExportedPair<'a>> {
    let has = |bound: Option<Bound<'a>>, number: u64| bound.is_some_and(|it| it.number == number);
    let pair = |made: &Made<'a>| match made {
        Made::One { a, bound, .. } if a.type_info().plan.compare_rule == CompareRule::Var => {
            let (is_of_lhs, is_of_rhs) = (lhs.get(a.address()), rhs.get(bound.other.address()));
            (has(is_of_lhs, bound.number) || has(is_of_rhs, bound.number)).then_some((*a, *bound))
        }
        _ => None,
    };
    made.filter_map(pair).collect()
}
