//! Comparison under lexical scopes: entering and leaving scopes, and remembered results for shared pairs.

use crate::object::{CompareRule, DefRegionKind, ObjectView, TypeInfo};
use crate::structural::engine::comparison::{Comparison, EnteredPair, PairVerdict, WORTH_REMEMBERING};
use crate::structural::engine::equal_stack::OnExit;
use crate::structural::engine::sharing::is_shared;
use crate::structural::scope::bindings::Binding;

impl<'a> Comparison<'a> {
    /// As [`verdict`](Self::verdict), under lexical scopes.
    #[inline(never)]
    pub(crate) fn verdict_in_scopes(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
    ) -> PairVerdict {
        let info = a.type_info();
        let is_dag = match info.plan.compare_rule {
            CompareRule::Dag => true,
            CompareRule::Var => false,
            _ => {
                if is_shared(a, b) && self.is_known_equal_here(a, b, region) {
                    return PairVerdict::Equal;
                }
                if !info.is_scope && !is_shared(a, b) {
                    return PairVerdict::Descend(OnExit::Nothing, region);
                }
                return PairVerdict::Descend(self.enter_scope(info, region), region);
            }
        };
        let on_exit = match self.bindings.relate_in_scope(a, b, region, is_dag) {
            Binding::Matched => return PairVerdict::Equal,
            Binding::Conflict => return PairVerdict::Differ,
            Binding::Unbound if !is_dag && region == DefRegionKind::None && !a.ptr_eq(b) => OnExit::Fail,
            Binding::Unbound if info.is_scope => self.enter_scope(info, region),
            Binding::Unbound if self.bindings.scope_stack.isolates_fields(a, region) => {
                self.bindings.scope_stack.open();
                OnExit::EndFieldBindings
            }
            Binding::Unbound => OnExit::Nothing,
        };
        let region = if is_dag { region } else { self.options.variable_region(region) };
        PairVerdict::Descend(on_exit, region)
    }

    /// Enters a scope, or a pair of shared objects.
    fn enter_scope(&mut self, info: &TypeInfo, region: DefRegionKind) -> OnExit {
        let hidden = self.bindings.scope_stack.hidden();
        let used = std::mem::take(&mut self.bindings.scope_stack.used);
        self.entered.push(EnteredPair { steps: self.steps, used, hidden, region });
        if info.is_scope {
            self.bindings.scope_stack.open();
        }
        OnExit::EndScope
    }

    fn is_known_equal_here(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        if region == DefRegionKind::None && self.equal_classes.contains(a, b) {
            return true;
        }
        match self.scoped.get(&(a.address(), b.address(), region)) {
            Some(valid_in) if self.bindings.scope_stack.is_valid(valid_in) => {
                self.bindings.scope_stack.used.add(valid_in.used);
                true
            }
            _ => false,
        }
    }

    #[inline(never)]
    pub(crate) fn exit_scope(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let Some(entered) = self.entered.pop() else { return };
        if a.type_info().is_scope {
            self.bindings.close();
        }
        let scopes = &mut self.bindings.scope_stack;
        let used = scopes.used;
        scopes.used.add(entered.used);
        let is_dag = a.type_info().plan.compare_rule == CompareRule::Dag;
        if is_dag
            || entered.hidden != scopes.hidden()
            || !is_shared(a, b)
            || self.steps.wrapping_sub(entered.steps) < WORTH_REMEMBERING
        {
            return;
        }
        // A pair that refers to no outer binding is equal everywhere, unless an outer definition region binds its
        // variables.
        if used.is_none() && entered.region == DefRegionKind::None {
            self.equal_classes.insert(a, b);
        } else {
            let valid_in = scopes.valid_in(used);
            self.scoped.insert((a.address(), b.address(), entered.region), valid_in);
        }
    }
}
