//! Runs nests of loops by columns.

use object_core::prelude::*;

use super::domain::{Domain, Part};
use super::run::LEAST;
use super::scratch::{Kernel, Plan, Scratch};
use super::{ColumnLoop, MAX_LOOPS, RowFold, Step, WIDTH};
use crate::loop_program::run::Run;

impl Run<'_> {
    /// Runs a nest by its number. Whether it ran: otherwise its loops have to run, and will have the same results and errors.
    ///
    /// # Errors
    /// The errors of the controls.
    pub(in crate::loop_program) fn nest(&mut self, number: u32, scratch: &mut Scratch) -> Result<bool, Error> {
        let nest = &self.code.columns[number as usize];
        let mut plan = scratch.take_plan(number);
        if !self.follows(nest, &plan) {
            self.plan(nest, &mut plan, scratch);
        }
        let result = self.run_plan(nest, &mut plan, scratch);
        scratch.put_plan(number, plan);
        result
    }

    fn run_plan(&mut self, nest: &ColumnLoop, plan: &mut Plan, scratch: &mut Scratch) -> Result<bool, Error> {
        let Some(domain) = plan.domain else { return Ok(false) };
        if let Some(Kernel::Copy(copy)) = &plan.kernel {
            self.count(copy.lanes())?;
            copy.run(&mut self.memory);
            self.count(domain.outer_steps())?;
            return Ok(true);
        }
        scratch.reserve(nest, domain.lanes)?;
        std::mem::swap(&mut scratch.resolved, &mut plan.resolved);
        let result = self.all_parts(nest, scratch, &domain, plan);
        std::mem::swap(&mut scratch.resolved, &mut plan.resolved);
        match result {
            Err(_) if plan.may_fail => return Ok(false),
            result => result?,
        }
        let inner = if plan.may_fail { (domain.lanes * domain.repeats) as u64 } else { 0 };
        self.count(domain.outer_steps().saturating_add(inner))?;
        Ok(true)
    }

    /// Whether the nest is faster than its loops, and starts once.
    pub(super) fn is_worth(&self, nest: &ColumnLoop, domain: &Domain) -> bool {
        // An innermost loop that folds costs as much as many lanes, and a column as much as many of its iterations.
        let folds_faster = domain.lanes.saturating_mul(200 + domain.repeats) < domain.repeats.saturating_mul(100);
        let is_fast = RowFold::of(nest).is_some() || domain.lanes >= LEAST && !(nest.has_folds() && folds_faster);
        is_fast && self.starts_once(nest, domain)
    }

    /// Whether the initialization happens in the first repeated iteration and in no other one.
    fn starts_once(&self, nest: &ColumnLoop, domain: &Domain) -> bool {
        // Each repeated loop needs a condition of its own.
        let mut starts = [false; MAX_LOOPS];
        for guard in nest.inits.iter().flatten() {
            let (first, steps) = domain.evaluate(self.ints, &guard.value);
            let depends = |number: &usize| steps[*number] != 0 && domain.count[*number] > 1;
            let mut loops = (0..domain.rank).filter(depends);
            let (one, more) = (loops.next(), loops.next());
            if first != self.int(guard.first) || more.is_some() || one.is_some_and(|one| !domain.is_repeated[one]) {
                return false;
            }
            one.into_iter().for_each(|one| starts[one] = true);
        }
        let all_start = (0..domain.rank).all(|it| starts[it] || !domain.is_repeated[it] || domain.count[it] == 1);
        nest.inits.is_empty() || all_start
    }

    fn all_parts(
        &mut self,
        nest: &ColumnLoop,
        scratch: &mut Scratch,
        domain: &Domain,
        plan: &Plan,
    ) -> Result<(), Error> {
        let mut part = Part { domain, from: 0, count: WIDTH.min(domain.lanes), repeated: [0; MAX_LOOPS] };
        self.steps(nest, &nest.entry, scratch, &part)?;
        let steps = nest.steps_of(plan);
        let fold = if let Some(Kernel::Fold(fold)) = &plan.kernel { Some(fold) } else { None };
        while part.from < domain.lanes {
            part.count = WIDTH.min(domain.lanes - part.from);
            self.steps(nest, &nest.start, scratch, &part)?;
            self.steps(nest, &nest.load_totals, scratch, &part)?;
            if let Some(fold) = fold {
                self.fold_rows(nest, fold, scratch, &part)?;
            }
            while fold.is_none() {
                self.steps(nest, steps, scratch, &part)?;
                if !plan.may_fail {
                    self.count(part.count as u64)?;
                }
                if !domain.next_repeated(&mut part.repeated) {
                    break;
                }
            }
            self.steps(nest, &nest.store_totals, scratch, &part)?;
            part.from += part.count;
        }
        Ok(())
    }
}

impl ColumnLoop {
    /// The steps for each column in a run with a plan.
    pub(super) fn steps_of(&self, plan: &Plan) -> &[Step] {
        if plan.has_lists { &self.fixed.others } else { &self.steps }
    }

    pub(super) fn has_folds(&self) -> bool {
        !self.load_totals.is_empty()
    }
}
