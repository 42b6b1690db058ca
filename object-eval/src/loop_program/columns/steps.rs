//! Steps that use columns only.

use object_core::prelude::*;
use pulp::{Arch, NullaryFnOnce};

use super::number::{Number, with_number};
use super::scratch::{Room, Scratch};
use super::{ColumnId, ColumnKind, ColumnLoop, Step, WIDTH};
use crate::loop_program::arithmetic::{
    Binary, with_comparison, with_float_function, with_int_function, with_single_function,
};
use crate::loop_program::kind::{round, round_f16};
use crate::loop_program::run::division_by_zero;
use crate::value::ElementType;

/// A loop over a column and its operands. The loops over `float32` use all vector instructions of the machine; they are structs
/// because `pulp` does not copy closures into the code that does.
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
        make(&mut self.ints, columns.columns[ColumnKind::Int as usize], lanes, &mut self.room)?;
        make(&mut self.floats, columns.columns[ColumnKind::Float as usize], lanes, &mut self.room)?;
        make(&mut self.singles, columns.columns[ColumnKind::Single as usize], lanes, &mut self.room)
    }

    /// Runs a step that uses columns only.
    pub(super) fn compute(&mut self, step: &Step, count: usize) -> Result<(), Error> {
        let Some((kind, to)) = step.result() else { return Ok(()) };
        // A step may read its own column.
        with_number!(kind, T => T::with_column(self, to, |scratch, to| match *step {
            Step::Choose { condition, a, b, .. } => {
                let [a, b] = [a, b].map(|column| scratch.column::<T>(column, count));
                choose(&mut to[..count], scratch.column(condition, count), a, b);
                Ok(())
            }
            ref step => T::compute(scratch, step, &mut to[..count]),
        }))
    }

    /// The first lanes of a column.
    #[inline]
    pub(super) fn column<T: Number>(&self, column: ColumnId, count: usize) -> &[T] {
        &T::columns(self)[column as usize][..count]
    }

    pub(super) fn int_step(&self, step: &Step, to: &mut [i64]) -> Result<(), Error> {
        let count = to.len();
        let ints = |column| self.column::<i64>(column, count);
        let floats = |column| self.column::<f64>(column, count);
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
            Step::Compare { kind: ColumnKind::Single, operation, a, b, .. } => {
                let [a, b] = [a, b].map(|column| self.column::<f32>(column, count));
                with_comparison!(operation, f => map2(to, a, b, |a: f32, b: f32| i64::from(f(a.into(), b.into()))));
            }
            Step::Compare { operation, a, b, .. } => {
                with_comparison!(operation, f => map2(to, floats(a), floats(b), |a, b| i64::from(f(a, b))));
            }
            Step::Test { test, from, .. } => map(to, floats(from), |value| test(value).into()),
            Step::ToInt { from, kind, .. } => map(to, floats(from), |value| kind.of_float(value)),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn single_step(&self, step: &Step, to: &mut [f32]) {
        let count = to.len();
        match *step {
            Step::Float { operation, a, b, .. } => {
                let [a, b] = [a, b].map(|column| self.column::<f32>(column, count));
                with_single_function!(operation, f => Arch::new().dispatch(Zip { to, a, b, f }));
            }
            Step::Narrow { from, .. } => map(to, self.column(from, count), |value: f64| value as f32),
            _ => {}
        }
    }

    pub(super) fn float_step(&self, step: &Step, to: &mut [f64]) {
        let count = to.len();
        let floats = |column| self.column::<f64>(column, count);
        match *step {
            Step::Float { operation, a, b, .. } => {
                with_float_function!(operation, f => map2(to, floats(a), floats(b), f));
            }
            Step::Widen { from, .. } => map(to, self.column(from, count), |value: f32| value.into()),
            Step::Function { function, from, .. } => map(to, floats(from), function),
            Step::Round { from, element, .. } => match element {
                ElementType::F16 => map(to, floats(from), round_f16),
                element => map(to, floats(from), |value| round(element, value)),
            },
            Step::ToFloat { from, kind, .. } => map(to, self.column(from, count), |value| kind.to_float(value)),
            _ => {}
        }
    }
}
