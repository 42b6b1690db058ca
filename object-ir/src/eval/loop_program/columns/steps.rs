//! Steps that use columns only.

use object_core::prelude::*;

use super::{ColumnId, ColumnLoop, Scratch, Step, WIDTH};
use crate::eval::loop_program::arithmetic::{Binary, with_comparison, with_float_function, with_int_function};
use crate::eval::loop_program::kind::{IntKind, round, round_f16};
use crate::eval::loop_program::run::division_by_zero;
use crate::eval::value::ElementType;

/// Combines a total with numbers, one after the other.
pub(super) fn fold_floats(
    operation: Binary,
    element: ElementType,
    total: f64,
    numbers: &[f64],
    is_swapped: bool,
) -> f64 {
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
pub(super) fn fold_ints(operation: Binary, kind: IntKind, total: &mut i64, numbers: &[i64], is_swapped: bool) {
    with_int_function!(operation, f => {
        for number in numbers {
            *total = kind.wrap(if is_swapped { f(*number, *total) } else { f(*total, *number) });
        }
    });
}

/// Combines the total of each lane with its number.
pub(super) fn combine_floats(
    operation: Binary,
    element: ElementType,
    totals: &mut [f64],
    numbers: &[f64],
    is_swapped: bool,
) {
    with_float_function!(operation, f => {
        let combine = |a: f64, b: f64| if is_swapped { f(b, a) } else { f(a, b) };
        let lanes = totals.iter_mut().zip(numbers);
        match element {
            ElementType::F64 => lanes.for_each(|(total, number)| *total = combine(*total, *number)),
            ElementType::F32 => lanes.for_each(|(total, number)| *total = f64::from(combine(*total, *number) as f32)),
            ElementType::F16 => lanes.for_each(|(total, number)| *total = round_f16(combine(*total, *number))),
            element => lanes.for_each(|(total, number)| *total = round(element, combine(*total, *number))),
        }
    });
}

/// Combines the total of each lane with its number. The operation is not a division.
pub(super) fn combine_ints(operation: Binary, kind: IntKind, totals: &mut [i64], numbers: &[i64], is_swapped: bool) {
    with_int_function!(operation, f => {
        for (total, number) in totals.iter_mut().zip(numbers) {
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
    pub(super) fn reserve(&mut self, columns: &ColumnLoop) {
        while self.ints.len() < columns.ints {
            self.ints.push(vec![0; WIDTH]);
        }
        while self.floats.len() < columns.floats {
            self.floats.push(vec![0.0; WIDTH]);
        }
    }

    /// Runs a step that uses columns only.
    pub(super) fn compute(&mut self, step: &Step, count: usize) -> Result<(), Error> {
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
