//! Comparison under lexical scopes: which pairs are bound where, and what is remembered of shared ones.

use crate::object::{ObjectView, Treatment, TypeInfo};
use crate::structural::engine::equal::{Comparison, Look, WORTH_REMEMBERING};
use crate::structural::engine::equal_stack::Leave;
use crate::structural::engine::sharing::is_shared;
use crate::structural::region::DefRegion;
use crate::structural::scope::bindings::Binding;
use crate::structural::scope::scope_stack::Used;

/// A shared pair, or the one of two scopes, that is being compared: the steps before, and the levels used before.
pub(crate) struct Entered {
    steps: u32,
    used: Used,
    hidden: u32,
    region: DefRegion,
}

impl<'a> Comparison<'a> {
    /// As [`look`](Self::look), under lexical scopes.
    #[inline(never)]
    pub(crate) fn look_in_scopes(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegion) -> Look {
        let info = a.type_info();
        let is_dag = match info.treatment {
            Treatment::Dag => true,
            Treatment::Var => false,
            _ => {
                if is_shared(a, b) && self.is_proven_here(a, b, region) {
                    return Look::Equal;
                }
                if !info.is_scope && !is_shared(a, b) {
                    return Look::Descend(Leave::Nothing, region);
                }
                return Look::Descend(self.enter_scope(info, region), region);
            }
        };
        let leave = match self.bindings.meet_in_scope(a, b, region, is_dag) {
            Binding::Each => return Look::Equal,
            Binding::Others => return Look::Differ,
            Binding::Neither if !is_dag && region == DefRegion::None && !a.ptr_eq(b) => Leave::Fail,
            Binding::Neither if info.is_scope => self.enter_scope(info, region),
            Binding::Neither if self.bindings.levels.confines(a, region) => {
                self.bindings.levels.open();
                Leave::Confined
            }
            Binding::Neither => Leave::Nothing,
        };
        let region = if is_dag { region } else { region.of_variable(&self.options) };
        Look::Descend(leave, region)
    }

    /// Begins with a scope, or a pair of shared objects.
    fn enter_scope(&mut self, info: &TypeInfo, region: DefRegion) -> Leave {
        let hidden = self.bindings.levels.hidden();
        let used = std::mem::take(&mut self.bindings.levels.used);
        self.entered.push(Entered { steps: self.steps, used, hidden, region });
        if info.is_scope {
            self.bindings.levels.open();
        }
        Leave::Scoped
    }

    fn is_proven_here(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegion) -> bool {
        if region == DefRegion::None && self.proven.contains(a, b) {
            return true;
        }
        match self.scoped.get(&(a.address(), b.address(), region)) {
            Some(stamp) if self.bindings.levels.holds(stamp) => {
                self.bindings.levels.used.add(stamp.used);
                true
            }
            _ => false,
        }
    }

    #[inline(never)]
    pub(crate) fn leave_scope(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let Some(entered) = self.entered.pop() else { return };
        if a.type_info().is_scope {
            self.bindings.close();
        }
        let levels = &mut self.bindings.levels;
        let used = levels.used;
        levels.used.add(entered.used);
        let is_dag = a.type_info().treatment == Treatment::Dag;
        if is_dag
            || entered.hidden != levels.hidden()
            || !is_shared(a, b)
            || self.steps.wrapping_sub(entered.steps) < WORTH_REMEMBERING
        {
            return;
        }
        // What refers to nothing around it is equal everywhere, unless a definition region around it says otherwise.
        if used.is_none() && entered.region == DefRegion::None {
            self.proven.insert(a, b);
        } else {
            let stamp = levels.stamp(used);
            self.scoped.insert((a.address(), b.address(), entered.region), stamp);
        }
    }
}
