//! Runs loops by columns.

use object_core::prelude::*;

use super::accesses::{Elements, elements_of};
use super::domain::{Domain, Part};
use super::independence::Independence;
use super::number::{Number, with_number};
use super::scratch::Scratch;
use super::{ColumnAccess, ColumnKind, ColumnLoop, MAX_LOOPS, Step, WIDTH};
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
            Step::Fill { kind, to, from } => with_number!(kind, T => {
                T::columns_mut(scratch)[to as usize][..count].fill(T::of_register(self, from));
            }),
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
            Step::Load { kind, to, access } => with_number!(kind, T => {
                T::with_column(scratch, to, |scratch, column| {
                    self.load(columns, access, scratch, part, |run, access, elements| {
                        T::load(&run.memory, access, elements, &mut column[..count]);
                    })
                })?;
            }),
            Step::Store { kind, from, access } => with_number!(kind, T => {
                let column = scratch.column::<T>(from, count);
                self.load(columns, access, scratch, part, |run, access, elements| {
                    T::store(&mut run.memory, access, elements, column);
                })?;
            }),
            Step::Fold { fold, from, access } => {
                let Some(kind) = ColumnKind::of(fold.kind) else { return Ok(()) };
                with_number!(kind, T => match columns.accesses[access as usize].total {
                    Some(total) => T::with_column(scratch, total, |scratch, totals| {
                        T::combine(fold, &mut totals[..count], scratch.column(from, count));
                    }),
                    None => {
                        let column = scratch.column::<T>(from, count);
                        self.load(columns, access, scratch, part, |run, access, elements| {
                            let mut total = [T::default()];
                            T::load(&run.memory, access, elements, &mut total);
                            T::store(&mut run.memory, access, elements, &[T::fold(fold, total[0], column)]);
                        })?;
                    }
                });
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
