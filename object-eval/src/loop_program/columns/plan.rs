//! Plans of nests.

use super::accesses::list;
use super::domain::{Domain, Lanes, Part, Planned, Resolved};
use super::independence::Independence;
use super::kernel::kernel_of;
use super::scratch::{NOWHERE, Plan, Scratch};
use super::{ColumnLoop, MAX_LOOPS, WIDTH};
use crate::loop_program::run::Run;

/// The most lanes whose elements a plan lists.
const MOST_LISTED: usize = 1 << 13;

/// The number of plans of a nest after which no plan lists elements.
const MOST_PLANS: u32 = 4;

/// The most iterations of a nest that runs again by instructions after an error.
const MOST_UNSURE: usize = 1 << 20;

impl Run<'_> {
    /// Whether a plan is for the numbers and memories of this run.
    pub(super) fn follows(&self, nest: &ColumnLoop, plan: &Plan) -> bool {
        plan.made > 0
            && nest.fixed.inputs.iter().zip(&plan.ints).all(|(register, known)| self.int(*register) == *known)
            && nest
                .accesses
                .iter()
                .zip(&plan.memories)
                .all(|(access, known)| self.memory.range(access.memory) == *known)
    }

    /// Plans a nest.
    pub(super) fn plan(&mut self, nest: &ColumnLoop, plan: &mut Plan, scratch: &mut Scratch) {
        plan.ints.clear();
        plan.ints.extend(nest.fixed.inputs.iter().map(|register| self.int(*register)));
        plan.memories.clear();
        plan.memories.extend(nest.accesses.iter().map(|access| self.memory.range(access.memory)));
        (plan.made, plan.domain, plan.has_lists, plan.kernel) = (plan.made.saturating_add(1), None, false, None);
        let Some(domain) = Domain::of_nest(self.ints, nest).filter(|domain| self.is_worth(nest, domain)) else {
            return;
        };
        let independence = self.resolve_all(&nest.accesses, &domain, &mut plan.resolved);
        if independence == Independence::No {
            return;
        }
        // Lists are of no use to a nest that runs with other numbers each time.
        plan.has_lists = plan.made <= MOST_PLANS && self.list_all(nest, plan, &domain, scratch);
        plan.may_fail = nest.may_divide
            || nest.divisors.iter().any(|divisor| self.int(*divisor) == 0)
            || plan.resolved.iter().any(|access| access.is_checked && access.list.is_none());
        // A run with an error begins again, so it must not use what it has stored.
        let updates = independence == Independence::Updates || nest.inits.is_empty() && nest.has_folds();
        if plan.may_fail && (updates || domain.lanes * domain.repeats > MOST_UNSURE) {
            return;
        }
        plan.domain = Some(domain);
        let Plan { resolved, may_fail, .. } = &*plan;
        let (steps, memory) = (nest.steps_of(plan), &self.memory);
        plan.kernel = kernel_of(&Planned { nest, steps, resolved, may_fail: *may_fail, domain: &domain, memory });
    }

    /// Lists the elements of the accesses that the inputs determine. Whether it could.
    fn list_all(&mut self, nest: &ColumnLoop, plan: &mut Plan, domain: &Domain, scratch: &mut Scratch) -> bool {
        let is_small = domain.repeats == 1 && domain.lanes <= MOST_LISTED && nest.inits.is_empty();
        if nest.fixed.accesses.is_empty() || !is_small {
            return false;
        }
        let lists = self.lists(nest, domain, scratch);
        let Some(lists) = lists else { return false };
        for (number, list) in nest.fixed.accesses.iter().zip(lists) {
            let access = &nest.accesses[*number as usize];
            let resolved = &mut plan.resolved[*number as usize];
            if resolved.is_checked || access.is_store && access.mask.is_some() {
                match step_of(&list) {
                    Some(step) => {
                        let first = i64::from(list[0]);
                        resolved.be_linear(domain, first, step);
                    }
                    None => resolved.list = Some(list),
                }
            }
        }
        true
    }

    /// The places of the elements of all lanes. `None` if a lane has an error, or no memory is left.
    fn lists(&mut self, nest: &ColumnLoop, domain: &Domain, scratch: &mut Scratch) -> Option<Vec<Vec<u32>>> {
        scratch.room.count::<u32>(domain.lanes * nest.fixed.accesses.len()).ok()?;
        scratch.reserve(nest, domain.lanes).ok()?;
        let mut lists = vec![Vec::with_capacity(domain.lanes); nest.fixed.accesses.len()];
        let mut part = Part { domain, from: 0, count: WIDTH.min(domain.lanes), repeated: [0; MAX_LOOPS] };
        let mut found = Vec::new();
        self.steps(nest, &nest.entry, scratch, &part).ok()?;
        while part.from < domain.lanes {
            part.count = WIDTH.min(domain.lanes - part.from);
            self.steps(nest, &nest.fixed.steps, scratch, &part).ok()?;
            for (number, list_of) in nest.fixed.accesses.iter().zip(&mut lists) {
                list(self, &nest.accesses[*number as usize], scratch, &part, &mut found).ok()?;
                for place in &found {
                    let place = place.map_or(Some(NOWHERE), |at| u32::try_from(at).ok().filter(|it| *it != NOWHERE));
                    list_of.push(place?);
                }
            }
            part.from += part.count;
        }
        Some(lists)
    }
}

/// The distance of two neighbours in a list, if it is the same for all and no place is [`NOWHERE`].
fn step_of(list: &[u32]) -> Option<i64> {
    let distance = |pair: &[u32]| i64::from(pair[1]) - i64::from(pair[0]);
    let step = list.get(..2).map_or(0, distance);
    let is_everywhere = !list.is_empty() && !list.contains(&NOWHERE);
    (is_everywhere && list.windows(2).all(|pair| distance(pair) == step)).then_some(step)
}

impl Resolved {
    /// Lets the elements of the lanes have one distance.
    fn be_linear(&mut self, domain: &Domain, first: i64, step: i64) {
        let mut distance = step;
        self.steps = [0; MAX_LOOPS];
        for number in (0..domain.rank).rev().filter(|number| domain.count[*number] > 1) {
            self.steps[number] = distance;
            distance = distance.wrapping_mul(domain.count[number]);
        }
        (self.first, self.lanes, self.is_checked) = (first, Lanes::new(domain, [&self.steps]), false);
    }
}
