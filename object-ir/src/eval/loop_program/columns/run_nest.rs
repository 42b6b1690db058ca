//! Runs nests of loops by columns.

use object_core::prelude::*;

use super::domain::{Domain, Part};
use super::independence::Independence;
use super::run::LEAST;
use super::scratch::Scratch;
use super::{ColumnLoop, MAX_LOOPS, WIDTH};
use crate::eval::loop_program::run::Run;

/// The most iterations of a nest that runs again by instructions after an error.
const MOST_UNSURE: usize = 1 << 20;

impl Run<'_> {
    /// Runs a nest. Whether it ran: otherwise its loops have to run, and will have the same results and errors.
    ///
    /// # Errors
    /// The errors of the controls.
    pub(in crate::eval::loop_program) fn nest(&mut self, nest: &ColumnLoop) -> Result<bool, Error> {
        let Some(domain) = Domain::of_nest(&self.ints, nest).filter(|domain| self.is_worth(nest, domain)) else {
            return Ok(false);
        };
        let independence = self.resolve_all(&nest.accesses, &domain);
        if independence == Independence::No {
            return Ok(false);
        }
        let may_fail = nest.may_divide
            || nest.divisors.iter().any(|divisor| self.int(*divisor) == 0)
            || self.scratch.resolved.iter().any(|access| access.is_checked);
        // A run with an error begins again, so it must not use what it has stored.
        let updates = independence == Independence::Updates || nest.inits.is_empty() && nest.has_folds();
        if may_fail && (updates || domain.lanes * domain.repeats > MOST_UNSURE) {
            return Ok(false);
        }
        // Out of the run while the steps use it.
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.reserve(nest, domain.lanes);
        let result = self.all_parts(nest, &mut scratch, &domain, may_fail);
        self.scratch = scratch;
        match result {
            Err(_) if may_fail => return Ok(false),
            result => result?,
        }
        let inner = if may_fail { (domain.lanes * domain.repeats) as u64 } else { 0 };
        self.count(domain.outer_steps().saturating_add(inner))?;
        Ok(true)
    }

    /// Whether the nest is faster than its loops, and starts once.
    fn is_worth(&self, nest: &ColumnLoop, domain: &Domain) -> bool {
        // An innermost loop that folds costs as much as many lanes, and a column as much as many of its iterations.
        let folds_faster = domain.lanes.saturating_mul(200 + domain.repeats) < domain.repeats.saturating_mul(100);
        domain.lanes >= LEAST && !(nest.has_folds() && folds_faster) && self.starts_once(nest, domain)
    }

    /// Whether the initialization happens in the first repeated iteration and in no other one.
    fn starts_once(&self, nest: &ColumnLoop, domain: &Domain) -> bool {
        // Each repeated loop needs a condition of its own.
        let mut starts = [false; MAX_LOOPS];
        for guard in nest.inits.iter().flatten() {
            let (first, steps) = domain.evaluate(&self.ints, &guard.value);
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
        may_fail: bool,
    ) -> Result<(), Error> {
        let mut part = Part { domain, from: 0, count: WIDTH.min(domain.lanes), repeated: [0; MAX_LOOPS] };
        self.steps(nest, &nest.entry, scratch, &part)?;
        let fold = nest.fold.filter(|fold| !may_fail && fold.is_possible(nest, &self.memory, &scratch.resolved));
        while part.from < domain.lanes {
            part.count = WIDTH.min(domain.lanes - part.from);
            self.steps(nest, &nest.start, scratch, &part)?;
            self.steps(nest, &nest.load_totals, scratch, &part)?;
            if let Some(fold) = &fold {
                self.fold_rows(nest, fold, scratch, &part)?;
            }
            while fold.is_none() {
                self.steps(nest, &nest.steps, scratch, &part)?;
                if !may_fail {
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
    fn has_folds(&self) -> bool {
        !self.load_totals.is_empty()
    }
}
