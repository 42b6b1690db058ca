//! Steps that use columns only.

use object_core::prelude::*;
use pulp::{Arch, NullaryFnOnce};

use super::scratch::{Room, Scratch};
use super::{ColumnId, ColumnLoop, Step, WIDTH};
use crate::loop_program::arithmetic::{
    Binary, with_comparison, with_float_function, with_int_function, with_single_function,
};
use crate::loop_program::kind::{IntKind, round, round_f16};
use crate::loop_program::run::division_by_zero;
use crate::value::ElementType;

/// Combines a total with numbers, one after the other.
pub(super) fn fold_floats(
    operation: Binary,
    element: ElementType,
    total: f64,
    numbers: &[f64],
    is_swapped: bool,
) -> f64 {
    with_float_function!(operation, f => {
        let combine = |a: f64, b: f64| if is_swapped { f(b, a) } else { f(a, b) };
        match element {
            ElementType::F64 => numbers.iter().fold(total, |total, number| combine(total, *number)),
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

/// Combines a total with numbers, one after the other.
pub(super) fn fold_singles(operation: Binary, total: f32, numbers: &[f32], is_swapped: bool) -> f32 {
    with_single_function!(operation, f => match is_swapped {
        true => numbers.iter().fold(total, |total, number| f(*number, total)),
        false => numbers.iter().fold(total, |total, number| f(total, *number)),
    })
}

/// Combines the total of each lane with its number.
pub(super) fn combine_singles(operation: Binary, totals: &mut [f32], numbers: &[f32], is_swapped: bool) {
    with_single_function!(operation, f => match is_swapped {
        true => Arch::new().dispatch(Update { to: totals, from: numbers, f: |total, number| f(number, total) }),
        false => Arch::new().dispatch(Update { to: totals, from: numbers, f }),
    });
}

/// A loop over a column that changes, and another one. The loops over `float32` use all vector instructions of the machine;
/// they are structs because `pulp` does not copy closures into the code that does.
struct Update<'a, F> {
    to: &'a mut [f32],
    from: &'a [f32],
    f: F,
}

impl<F: Fn(f32, f32) -> f32> NullaryFnOnce for Update<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Update { to, from, f } = self;
        to.iter_mut().zip(from).for_each(|(to, from)| *to = f(*to, *from));
    }
}

/// A loop over a column and its operands.
struct Zip<'a, F> {
    to: &'a mut [f32],
    a: &'a [f32],
    b: &'a [f32],
    f: F,
}

impl<F: Fn(f32, f32) -> f32> NullaryFnOnce for Zip<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        map2(self.to, self.a, self.b, self.f);
    }
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
#[inline(always)]
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

/// Divides by one power of 2, or numbers of 32 bits without signs, because divisions of 64 bits are slow. Whether it could.
/// Divisors are not 0.
fn divide_fast(operation: Binary, to: &mut [i64], a: &[i64], b: &[i64]) -> bool {
    let is_quotient = matches!(operation, Binary::Div | Binary::FloorDiv);
    let is_floored = matches!(operation, Binary::FloorDiv | Binary::FloorMod);
    let divisor = b.first().copied().unwrap_or(1);
    if is_floored && divisor.count_ones() == 1 && divisor > 0 && b.iter().all(|it| *it == divisor) {
        match is_quotient {
            true => map(to, a, |a: i64| a >> divisor.trailing_zeros()),
            false => map(to, a, |a: i64| a & (divisor - 1)),
        }
        return true;
    }
    let all = a.iter().chain(b).fold(0, |all, it| all | it);
    let are_short = u32::try_from(all).is_ok();
    if are_short {
        match is_quotient {
            true => map2(to, a, b, |a: i64, b: i64| (a as u32 / b as u32).into()),
            false => map2(to, a, b, |a: i64, b: i64| (a as u32 % b as u32).into()),
        }
    }
    are_short
}

fn choose<T: Copy>(to: &mut [T], condition: &[i64], a: &[T], b: &[T]) {
    for (((to, condition), a), b) in to.iter_mut().zip(condition).zip(a).zip(b) {
        *to = if *condition != 0 { *a } else { *b };
    }
}

/// Makes columns with room for so many lanes.
///
/// # Errors
/// As for [`Room::count`].
fn make<T: Copy + Default>(
    columns: &mut Vec<Vec<T>>,
    count: usize,
    lanes: usize,
    room: &mut Room,
) -> Result<(), Error> {
    columns.resize_with(columns.len().max(count), Vec::new);
    for column in columns[..count].iter_mut().filter(|column| column.len() < lanes) {
        // Rare, because the length of a column stays.
        room.count::<T>(lanes - column.len())?;
        *column = vec![T::default(); lanes];
    }
    Ok(())
}

impl Scratch {
    /// Makes the columns of a loop, with room for so many lanes.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
    pub(super) fn reserve(&mut self, columns: &ColumnLoop, lanes: usize) -> Result<(), Error> {
        let lanes = lanes.min(WIDTH);
        make(&mut self.ints, columns.ints, lanes, &mut self.room)?;
        make(&mut self.floats, columns.floats, lanes, &mut self.room)?;
        make(&mut self.singles, columns.singles, lanes, &mut self.room)
    }

    /// Runs a step that uses columns only.
    pub(super) fn compute(&mut self, step: &Step, count: usize) -> Result<(), Error> {
        match *step {
            Step::Int { to, .. }
            | Step::IntFunction { to, .. }
            | Step::Wrap { to, .. }
            | Step::Compare { to, .. }
            | Step::CompareSingle { to, .. }
            | Step::Test { to, .. }
            | Step::ToInt { to, .. }
            | Step::ChooseInt { to, .. } => {
                // Out of the list, because it is written while others are read. A step may read its own column.
                let mut column = std::mem::take(&mut self.ints[to as usize]);
                let result = self.int_step(step, &mut column[..count], count);
                self.ints[to as usize] = column;
                result
            }
            Step::Single { to, .. } | Step::Narrow { to, .. } | Step::ChooseSingle { to, .. } => {
                let mut column = std::mem::take(&mut self.singles[to as usize]);
                self.single_step(step, &mut column[..count], count);
                self.singles[to as usize] = column;
                Ok(())
            }
            Step::Float { to, .. }
            | Step::Widen { to, .. }
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
                } else if !(operation.is_division() && divide_fast(operation, to, a, b)) {
                    with_int_function!(operation, f => map2(to, a, b, f));
                }
            }
            Step::IntFunction { function, kind, from, .. } => map(to, ints(from), |value| function.apply(kind, value)),
            Step::Wrap { kind, .. } => to.iter_mut().for_each(|value| *value = kind.wrap(*value)),
            Step::Compare { operation, a, b, .. } => {
                with_comparison!(operation, f => map2(to, floats(a), floats(b), |a, b| i64::from(f(a, b))));
            }
            Step::CompareSingle { operation, a, b, .. } => {
                let (a, b) = (&self.singles[a as usize][..count], &self.singles[b as usize][..count]);
                with_comparison!(operation, f => map2(to, a, b, |a: f32, b: f32| i64::from(f(a.into(), b.into()))));
            }
            Step::Test { test, from, .. } => map(to, floats(from), |value| test(value).into()),
            Step::ToInt { from, kind, .. } => map(to, floats(from), |value| kind.of_float(value)),
            Step::ChooseInt { condition, a, b, .. } => {
                choose(to, ints(condition), ints(a), ints(b));
            }
            _ => {}
        }
        Ok(())
    }

    fn single_step(&self, step: &Step, to: &mut [f32], count: usize) {
        let singles = |column: ColumnId| &self.singles[column as usize][..count];
        match *step {
            Step::Single { operation, a, b, .. } => {
                with_single_function!(operation, f => Arch::new().dispatch(Zip { to, a: singles(a), b: singles(b), f }));
            }
            Step::Narrow { from, .. } => map(to, &self.floats[from as usize][..count], |value: f64| value as f32),
            Step::ChooseSingle { condition, a, b, .. } => {
                choose(to, &self.ints[condition as usize][..count], singles(a), singles(b));
            }
            _ => {}
        }
    }

    fn float_step(&self, step: &Step, to: &mut [f64], count: usize) {
        let ints = |column: ColumnId| &self.ints[column as usize][..count];
        let floats = |column: ColumnId| &self.floats[column as usize][..count];
        match *step {
            Step::Float { operation, a, b, .. } => {
                with_float_function!(operation, f => map2(to, floats(a), floats(b), f));
            }
            Step::Widen { from, .. } => map(to, &self.singles[from as usize][..count], f64::from),
            Step::Function { function, from, .. } => map(to, floats(from), function),
            Step::Round { from, element, .. } => match element {
                ElementType::F16 => map(to, floats(from), round_f16),
                element => map(to, floats(from), |value| round(element, value)),
            },
            Step::ToFloat { from, kind, .. } => map(to, ints(from), |value| kind.to_float(value)),
            Step::ChooseFloat { condition, a, b, .. } => {
                choose(to, ints(condition), floats(a), floats(b));
            }
            _ => {}
        }
    }
}
