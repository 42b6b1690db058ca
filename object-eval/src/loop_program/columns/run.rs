//! Runs loops by columns.

use object_core::prelude::*;

use super::accesses::{
    Elements, elements_of, load_floats, load_ints, load_singles, store_floats, store_ints, store_singles,
};
use super::domain::{Domain, Part};
use super::independence::Independence;
use super::scratch::Scratch;
use super::steps::{combine_floats, combine_ints, combine_singles, fold_floats, fold_ints, fold_singles};
use super::{ColumnAccess, ColumnLoop, MAX_LOOPS, Step, WIDTH};
use crate::loop_program::run::Run;

/// A loop with fewer iterations, or a nest with fewer lanes, runs by instructions.
pub(super) const LEAST: usize = 8;

impl Run<'_> {
    /// Runs iterations of a loop from the current one on. Whether to try again after an iteration by instructions.
    ///
    /// # Errors
    /// The error of an iteration.
    pub(in crate::loop_program) fn columns(
        &mut self,
        columns: &ColumnLoop,
        scratch: &mut Scratch,
    ) -> Result<bool, Error> {
        let [counter] = columns.loops[..] else { return Ok(false) };
        let (begin, end) = (self.int(counter.begin), self.int(counter.end));
        let until = self.next_init(columns, begin, end);
        let count = usize::try_from(until.saturating_sub(begin)).unwrap_or(usize::MAX);
        let may_follow = until < end;
        if count < LEAST {
            return Ok(may_follow);
        }
        let domain = Domain::of_loop(begin, count);
        let is_independent =
            |it: &Domain| self.resolve_all(&columns.accesses, it, &mut scratch.resolved) != Independence::No;
        let Some(domain) = domain.filter(is_independent) else { return Ok(false) };
        scratch.reserve(columns, domain.lanes)?;
        self.all_steps(columns, scratch, &domain)?;
        self.ints[counter.begin as usize] = until;
        Ok(may_follow)
    }

    /// The next iteration that initializes a block, or the end.
    fn next_init(&self, columns: &ColumnLoop, begin: i64, end: i64) -> i64 {
        let mut next = end;
        for guards in &columns.inits {
            // The only iteration where all conditions hold, or any if no condition depends on the iteration.
            let (mut only, mut never) = (None, false);
            for guard in guards {
                let coefficient = self.int(guard.value.coefficients[0]);
                let distance = self.int(guard.first).wrapping_sub(self.int(guard.value.base));
                if coefficient == 0 {
                    never |= distance != 0;
                } else if distance.wrapping_rem(coefficient) != 0 {
                    never = true;
                } else {
                    let at = distance.wrapping_div(coefficient);
                    never |= only.is_some_and(|only| only != at);
                    only = Some(at);
                }
            }
            let at = only.unwrap_or(begin);
            if !never && (begin..end).contains(&at) {
                next = next.min(at);
            }
        }
        next
    }

    fn all_steps(&mut self, columns: &ColumnLoop, scratch: &mut Scratch, domain: &Domain) -> Result<(), Error> {
        let mut part = Part { domain, from: 0, count: WIDTH.min(domain.lanes), repeated: [0; MAX_LOOPS] };
        self.steps(columns, &columns.entry, scratch, &part)?;
        while part.from < domain.lanes {
            part.count = WIDTH.min(domain.lanes - part.from);
            self.steps(columns, &columns.steps, scratch, &part)?;
            part.from += part.count;
            self.count(part.count as u64)?;
        }
        Ok(())
    }

    /// Runs steps for the lanes of a column.
    ///
    /// # Errors
    /// The error of a lane.
    pub(super) fn steps(
        &mut self,
        columns: &ColumnLoop,
        steps: &[Step],
        scratch: &mut Scratch,
        part: &Part<'_>,
    ) -> Result<(), Error> {
        steps.iter().try_for_each(|step| self.step(columns, step, scratch, part))
    }

    fn step(&mut self, columns: &ColumnLoop, step: &Step, scratch: &mut Scratch, part: &Part<'_>) -> Result<(), Error> {
        let count = part.count;
        match *step {
            Step::FillInt { to, from } => scratch.ints[to as usize][..count].fill(self.int(from)),
            Step::FillFloat { to, from } => scratch.floats[to as usize][..count].fill(self.floats[from as usize]),
            Step::FillSingle { to, from } => {
                scratch.singles[to as usize][..count].fill(self.floats[from as usize] as f32);
            }
            Step::Iota { to, value } => {
                let to = &mut scratch.ints[to as usize][..count];
                part.rows(self.ints, &value, |row, first, step| {
                    let mut value = first;
                    for to in &mut to[row] {
                        *to = value;
                        value = value.wrapping_add(step);
                    }
                });
            }
            Step::LoadInt { to, access } => {
                let mut column = std::mem::take(&mut scratch.ints[to as usize]);
                let result = self.load(columns, access, scratch, part, |run, access, elements| {
                    load_ints(&run.memory, access, elements, &mut column[..count]);
                });
                scratch.ints[to as usize] = column;
                result?;
            }
            Step::LoadFloat { to, access } => {
                let mut column = std::mem::take(&mut scratch.floats[to as usize]);
                let result = self.load(columns, access, scratch, part, |run, access, elements| {
                    load_floats(&run.memory, access, elements, &mut column[..count]);
                });
                scratch.floats[to as usize] = column;
                result?;
            }
            Step::LoadSingle { to, access } => {
                let mut column = std::mem::take(&mut scratch.singles[to as usize]);
                let result = self.load(columns, access, scratch, part, |run, access, elements| {
                    load_singles(&run.memory, access, elements, &mut column[..count]);
                });
                scratch.singles[to as usize] = column;
                result?;
            }
            Step::StoreInt { from, access } => {
                let column = &scratch.ints[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    store_ints(&mut run.memory, access, elements, column);
                })?;
            }
            Step::StoreFloat { from, access } => {
                let column = &scratch.floats[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    store_floats(&mut run.memory, access, elements, column);
                })?;
            }
            Step::StoreSingle { from, access } => {
                let column = &scratch.singles[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    store_singles(&mut run.memory, access, elements, column);
                })?;
            }
            Step::FoldInt { operation, kind, from, access, is_swapped } => {
                if let Some(total) = columns.accesses[access as usize].total {
                    let mut totals = std::mem::take(&mut scratch.ints[total as usize]);
                    let column = &scratch.ints[from as usize][..count];
                    combine_ints(operation, kind, &mut totals[..count], column, is_swapped);
                    scratch.ints[total as usize] = totals;
                    return Ok(());
                }
                let column = &scratch.ints[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    let mut total = [0];
                    load_ints(&run.memory, access, elements, &mut total);
                    fold_ints(operation, kind, &mut total[0], column, is_swapped);
                    store_ints(&mut run.memory, access, elements, &total);
                })?;
            }
            Step::FoldFloat { operation, from, access, is_swapped } => {
                if let ColumnAccess { total: Some(total), element, .. } = columns.accesses[access as usize] {
                    let mut totals = std::mem::take(&mut scratch.floats[total as usize]);
                    let column = &scratch.floats[from as usize][..count];
                    combine_floats(operation, element, &mut totals[..count], column, is_swapped);
                    scratch.floats[total as usize] = totals;
                    return Ok(());
                }
                let column = &scratch.floats[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    let mut total = [0.0];
                    load_floats(&run.memory, access, elements, &mut total);
                    total[0] = fold_floats(operation, access.element, total[0], column, is_swapped);
                    store_floats(&mut run.memory, access, elements, &total);
                })?;
            }
            Step::FoldSingle { operation, from, access, is_swapped } => {
                if let Some(total) = columns.accesses[access as usize].total {
                    let mut totals = std::mem::take(&mut scratch.singles[total as usize]);
                    combine_singles(
                        operation,
                        &mut totals[..count],
                        &scratch.singles[from as usize][..count],
                        is_swapped,
                    );
                    scratch.singles[total as usize] = totals;
                    return Ok(());
                }
                let column = &scratch.singles[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    let mut total = [0.0];
                    load_singles(&run.memory, access, elements, &mut total);
                    total[0] = fold_singles(operation, total[0], column, is_swapped);
                    store_singles(&mut run.memory, access, elements, &total);
                })?;
            }
            ref step => scratch.compute(step, count)?,
        }
        Ok(())
    }

    /// Calls `use_elements` with an access and its elements in a column.
    fn load(
        &mut self,
        columns: &ColumnLoop,
        number: u32,
        scratch: &Scratch,
        part: &Part<'_>,
        use_elements: impl FnOnce(&mut Self, &ColumnAccess, &Elements<'_>),
    ) -> Result<(), Error> {
        let (access, mut listed) = (&columns.accesses[number as usize], Vec::new());
        let elements = elements_of(self, (access, number), scratch, part, &mut listed)?;
        use_elements(self, access, &elements);
        Ok(())
    }
}
