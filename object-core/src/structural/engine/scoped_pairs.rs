//! The ends of compared pairs, and comparison under lexical scopes: entering and leaving scopes, remembered results.

use crate::object::{CompareRule, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::{Comparison, EnteredPair, PairVerdict, WORTH_REMEMBERING};
use crate::structural::engine::equal_stack::OnExit;
use crate::structural::engine::sharing::may_recur_in_scopes;
use crate::structural::scope::bindings::Binding;

impl<'a> Comparison<'a> {
    /// Ends the comparison of two objects whose children are equal.
    #[inline(always)]
    pub(crate) fn exit(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: OnExit) -> bool {
        match on_exit {
            OnExit::Nothing => true,
            OnExit::Remember(start) => {
                if self.steps.wrapping_sub(start) >= WORTH_REMEMBERING {
                    self.equal_classes.insert(a, b);
                }
                true
            }
            OnExit::LeavePair => {
                self.leave_pair(a, b);
                true
            }
            OnExit::Fail => false,
        }
    }

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
                if !may_recur_in_scopes(a, b) {
                    return PairVerdict::Descend(OnExit::Nothing, region);
                }
                if self.is_known_equal_here(a, b, region) {
                    return PairVerdict::Equal;
                }
                return PairVerdict::Descend(self.enter_pair(info.is_scope, region), region);
            }
        };
        let on_exit = match self.bindings.relate_in_scope(a, b, region, is_dag) {
            Binding::Matched => return PairVerdict::Equal,
            Binding::Conflict => return PairVerdict::Differ,
            Binding::Unbound if !is_dag && region == DefRegionKind::None && !a.ptr_eq(b) => OnExit::Fail,
            // The fields of a free variable count at its first occurrence only.
            Binding::Unbound if !is_dag && region.is_free() => {
                self.enter_pair(info.is_scope || self.bindings.scope_stack.isolates_fields(a, region), region)
            }
            Binding::Unbound if self.is_known_equal_here(a, b, region) => return PairVerdict::Equal,
            Binding::Unbound => self.enter_pair(info.is_scope, region),
        };
        let region = if is_dag { region } else { self.options.variable_region(region) };
        PairVerdict::Descend(on_exit, region)
    }

    /// Enters a scope, or a pair of objects that may occur again.
    fn enter_pair(&mut self, closes: bool, region: DefRegionKind) -> OnExit {
        let (entered, facts) = self.bindings.enter();
        if closes {
            self.bindings.scope_stack.open();
        }
        self.entered.push(EnteredPair { entered, facts, steps: self.steps, region, closes });
        OnExit::LeavePair
    }

    fn is_known_equal_here(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let is_known = (region == DefRegionKind::None && self.equal_classes.contains(a, b))
            || self.bindings.recall(a, b, region).is_some();
        self.count_facts();
        is_known
    }

    fn count_facts(&mut self) {
        self.steps = self.steps.wrapping_add(std::mem::take(&mut self.bindings.fact_steps));
    }

    #[inline(never)]
    pub(crate) fn leave_pair(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let Some(EnteredPair { entered, facts, steps, region, closes }) = self.entered.pop() else { return };
        self.count_facts();
        let is_long = self.steps.wrapping_sub(steps) >= WORTH_REMEMBERING;
        // The fields of a free variable do not count again.
        let is_free = a.type_info().plan.compare_rule == CompareRule::Var && region.is_free();
        let found = self.bindings.leave((entered, facts), closes, false, is_long && !is_free);
        self.count_facts();
        if let Some(found) = found {
            // A pair that depends on no binding is equal everywhere, unless a definition region around it binds its
            // variables.
            if found.is_without_facts() && region == DefRegionKind::None {
                self.equal_classes.insert(a, b);
            } else {
                self.bindings.remember(a, b, region, found);
            }
        }
    }
}
