//! Runs loops by columns.

use object_core::prelude::*;

use super::accesses::{elements_of, load_floats, load_ints, store_floats, store_ints};
use super::{ColumnId, ColumnLoop, Scratch, Step, WIDTH};
use crate::eval::loop_program::arithmetic::{Binary, with_comparison, with_float_function, with_int_function};
use crate::eval::loop_program::kind::{IntKind, round, round_f16};
use crate::eval::loop_program::run::{Run, division_by_zero};
use crate::eval::value::ElementType;

/// A loop with fewer iterations runs by instructions.
const LEAST: usize = 8;

/// The iterations of a column: the first one of the loop, the number before the column, the number in the column.
type Part = (i64, usize, usize);

impl Run<'_> {
    /// Runs iterations of a loop from the current one on. Whether to try again after an iteration by instructions.
    ///
    /// # Errors
    /// The error of an iteration.
    pub(in crate::eval::loop_program) fn columns(&mut self, columns: &ColumnLoop) -> Result<bool, Error> {
        let (begin, end) = (self.int(columns.var), self.int(columns.end));
        let until = self.next_init(columns, begin, end);
        let count = usize::try_from(until.saturating_sub(begin)).unwrap_or(usize::MAX);
        let may_follow = until < end;
        if count < LEAST {
            return Ok(may_follow);
        }
        if !self.resolve_all(&columns.accesses, begin, count) {
            return Ok(false);
        }
        // Out of the run while the steps use it.
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.reserve(columns);
        let result = self.all_steps(columns, &mut scratch, begin, count);
        self.scratch = scratch;
        result?;
        self.ints[columns.var as usize] = until;
        Ok(may_follow)
    }

    /// The next iteration that initializes a block, or the end.
    fn next_init(&self, columns: &ColumnLoop, begin: i64, end: i64) -> i64 {
        let mut next = end;
        for guards in &columns.inits {
            // The only iteration where all conditions hold, or any if no condition depends on the iteration.
            let (mut only, mut never) = (None, false);
            for guard in guards {
                let coefficient = self.int(guard.coefficient);
                let distance = self.int(guard.first).wrapping_sub(self.int(guard.base));
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

    fn all_steps(
        &mut self,
        columns: &ColumnLoop,
        scratch: &mut Scratch,
        begin: i64,
        count: usize,
    ) -> Result<(), Error> {
        for step in &columns.entry {
            self.step(columns, step, scratch, (begin, 0, WIDTH))?;
        }
        let mut done = 0;
        while done < count {
            let part = (begin, done, WIDTH.min(count - done));
            for step in &columns.steps {
                self.step(columns, step, scratch, part)?;
            }
            done += part.2;
            self.count(part.2 as u64)?;
        }
        Ok(())
    }

    fn step(&mut self, columns: &ColumnLoop, step: &Step, scratch: &mut Scratch, part: Part) -> Result<(), Error> {
        let count = part.2;
        match *step {
            Step::FillInt { to, from } => scratch.ints[to as usize].fill(self.int(from)),
            Step::FillFloat { to, from } => scratch.floats[to as usize].fill(self.floats[from as usize]),
            Step::Iota { to, base, coefficient } => {
                let coefficient = self.int(coefficient);
                let mut value =
                    self.int(base).wrapping_add(coefficient.wrapping_mul(part.0.wrapping_add(part.1 as i64)));
                for to in &mut scratch.ints[to as usize][..count] {
                    *to = value;
                    value = value.wrapping_add(coefficient);
                }
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
            Step::FoldInt { operation, kind, from, access, is_swapped } => {
                let column = &scratch.ints[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    let mut total = [0];
                    load_ints(&run.memory, access, elements, &mut total);
                    fold_ints(operation, kind, &mut total[0], column, is_swapped);
                    store_ints(&mut run.memory, access, elements, &total);
                })?;
            }
            Step::FoldFloat { operation, from, access, is_swapped } => {
                let column = &scratch.floats[from as usize][..count];
                self.load(columns, access, scratch, part, |run, access, elements| {
                    let mut total = [0.0];
                    load_floats(&run.memory, access, elements, &mut total);
                    total[0] = fold_floats(operation, access.element, total[0], column, is_swapped);
                    store_floats(&mut run.memory, access, elements, &total);
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
        part: Part,
        use_elements: impl FnOnce(&mut Self, &super::ColumnAccess, &super::accesses::Elements<'_>),
    ) -> Result<(), Error> {
        let (access, mut listed) = (&columns.accesses[number as usize], Vec::new());
        let elements = elements_of(self, (access, number), scratch, part, &mut listed)?;
        use_elements(self, access, &elements);
        Ok(())
    }
}

/// Combines a total with numbers, one after the other.
fn fold_floats(operation: Binary, element: ElementType, total: f64, numbers: &[f64], is_swapped: bool) -> f64 {
    if operation == Binary::Add && element == ElementType::F32 {
        return numbers.iter().fold(total as f32, |total, number| total + *number as f32).into();
    }
    with_float_function!(operation, f => {
        let combine = |a: f64, b: f64| if is_swapped { f(b, a) } else { f(a, b) };
        match element {
            ElementType::F64 => numbers.iter().fold(total, |total, number| combine(total, *number)),
            ElementType::F32 => numbers.iter().fold(total, |total, number| f64::from(combine(total, *number) as f32)),
            ElementType::F16 => numbers.iter().fold(total, |total, number| round_f16(combine(total, *number))),
            element => numbers.iter().fold(total, |total, number| round(element, combine(total, *number))),
        }
    })
}

/// Combines a total with numbers, one after the other. The operation is not a division.
fn fold_ints(operation: Binary, kind: IntKind, total: &mut i64, numbers: &[i64], is_swapped: bool) {
    with_int_function!(operation, f => {
        for number in numbers {
            *total = kind.wrap(if is_swapped { f(*number, *total) } else { f(*total, *number) });
        }
    });
}

/// The column `to`, taken out, and two other columns.
fn map2<T, U: Copy>(to: &mut [T], a: &[U], b: &[U], f: impl Fn(U, U) -> T) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to = f(*a, *b);
    }
}

fn map<T, U: Copy>(to: &mut [T], from: &[U], f: impl Fn(U) -> T) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = f(*from);
    }
}

impl Scratch {
    /// Makes the columns of a loop.
    fn reserve(&mut self, columns: &ColumnLoop) {
        while self.ints.len() < columns.ints {
            self.ints.push(vec![0; WIDTH]);
        }
        while self.floats.len() < columns.floats {
            self.floats.push(vec![0.0; WIDTH]);
        }
    }

    /// Runs a step that uses columns only.
    fn compute(&mut self, step: &Step, count: usize) -> Result<(), Error> {
        match *step {
            Step::Int { to, .. }
            | Step::IntFunction { to, .. }
            | Step::Wrap { to, .. }
            | Step::Compare { to, .. }
            | Step::Test { to, .. }
            | Step::ToInt { to, .. }
            | Step::ChooseInt { to, .. } => {
                // Out of the list, because it is written while others are read. A step may read its own column.
                let mut column = std::mem::take(&mut self.ints[to as usize]);
                let result = self.int_step(step, &mut column[..count], count);
                self.ints[to as usize] = column;
                result
            }
            Step::Float { to, .. }
            | Step::Function { to, .. }
            | Step::Round { to, .. }
            | Step::ToFloat { to, .. }
            | Step::ChooseFloat { to, .. } => {
                let mut column = std::mem::take(&mut self.floats[to as usize]);
                self.float_step(step, &mut column[..count], count);
                self.floats[to as usize] = column;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn int_step(&self, step: &Step, to: &mut [i64], count: usize) -> Result<(), Error> {
        let ints = |column: ColumnId| &self.ints[column as usize][..count];
        let floats = |column: ColumnId| &self.floats[column as usize][..count];
        match *step {
            Step::Int { operation, a, b, mask, .. } => {
                let (a, b) = (ints(a), ints(b));
                if operation.is_division() && b.contains(&0) {
                    let is_on = |lane: usize| mask.is_none_or(|mask| ints(mask)[lane] != 0);
                    if (0..count).any(|lane| b[lane] == 0 && is_on(lane)) {
                        return Err(division_by_zero());
                    }
                    with_int_function!(operation, f => map2(to, a, b, |a, b| if b == 0 { 0 } else { f(a, b) }));
                } else {
                    with_int_function!(operation, f => map2(to, a, b, f));
                }
            }
            Step::IntFunction { function, kind, from, .. } => map(to, ints(from), |value| function.apply(kind, value)),
            Step::Wrap { kind, .. } => to.iter_mut().for_each(|value| *value = kind.wrap(*value)),
            Step::Compare { operation, a, b, .. } => {
                with_comparison!(operation, f => map2(to, floats(a), floats(b), |a, b| i64::from(f(a, b))));
            }
            Step::Test { test, from, .. } => map(to, floats(from), |value| test(value).into()),
            Step::ToInt { from, kind, .. } => map(to, floats(from), |value| kind.of_float(value)),
            Step::ChooseInt { condition, a, b, .. } => {
                let condition = ints(condition);
                for (lane, to) in to.iter_mut().enumerate() {
                    *to = if condition[lane] != 0 { ints(a)[lane] } else { ints(b)[lane] };
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn float_step(&self, step: &Step, to: &mut [f64], count: usize) {
        let ints = |column: ColumnId| &self.ints[column as usize][..count];
        let floats = |column: ColumnId| &self.floats[column as usize][..count];
        match *step {
            Step::Float { operation, a, b, .. } => {
                with_float_function!(operation, f => map2(to, floats(a), floats(b), f));
            }
            Step::Function { function, from, .. } => map(to, floats(from), function),
            Step::Round { from, element, .. } => match element {
                ElementType::F32 => map(to, floats(from), |value| f64::from(value as f32)),
                ElementType::F16 => map(to, floats(from), round_f16),
                element => map(to, floats(from), |value| round(element, value)),
            },
            Step::ToFloat { from, kind, .. } => map(to, ints(from), |value| kind.to_float(value)),
            Step::ChooseFloat { condition, a, b, .. } => {
                let (condition, a, b) = (ints(condition), floats(a), floats(b));
                for (((to, condition), a), b) in to.iter_mut().zip(condition).zip(a).zip(b) {
                    *to = if *condition != 0 { *a } else { *b };
                }
            }
            _ => {}
        }
    }
}
