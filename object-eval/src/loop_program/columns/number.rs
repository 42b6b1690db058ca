//! [`Number`]: the elements of columns, of which there is a list of columns for each type.

use object_core::prelude::*;
use pulp::{Arch, NullaryFnOnce};

use super::accesses::{Elements, gather, gather_from, scatter};
use super::scratch::Scratch;
use super::{ColumnAccess, ColumnId, ColumnKind, Fold, Step};
use crate::loop_program::arithmetic::{with_float_function, with_int_function, with_single_function};
use crate::loop_program::elements;
use crate::loop_program::kind::{Kind, round, round_f16};
use crate::loop_program::memory::Memory;
use crate::loop_program::registers::Register;
use crate::loop_program::run::Run;
use crate::value::ElementType;
use crate::value::ElementType as E;

impl ColumnKind {
    /// The columns that store numbers of a type.
    pub(super) fn of(kind: Kind) -> Option<ColumnKind> {
        match kind {
            Kind::Int(_) => Some(ColumnKind::Int),
            Kind::Float(ElementType::F32) => Some(ColumnKind::Single),
            Kind::Float(_) => Some(ColumnKind::Float),
            Kind::Pointer => None,
        }
    }
}

/// An element of a column.
pub(super) trait Number: Copy + Default {
    /// The columns of the type.
    fn columns(scratch: &Scratch) -> &[Vec<Self>];

    /// The columns of the type, to change one.
    fn columns_mut(scratch: &mut Scratch) -> &mut [Vec<Self>];

    /// The value of a register.
    fn of_register(run: &Run<'_>, register: Register) -> Self;

    /// Loads a column.
    fn load(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [Self]);

    /// Stores a column.
    fn store(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[Self]);

    /// Combines the total of each lane with its number. The operation is not a division of integers.
    fn combine(fold: Fold, totals: &mut [Self], numbers: &[Self]);

    /// Combines a total with numbers, one after the other. The operation is not a division of integers.
    fn fold(fold: Fold, total: Self, numbers: &[Self]) -> Self;

    /// Runs a step that uses columns only and has results of the type, but a choice.
    ///
    /// # Errors
    /// A division by zero in a lane.
    fn compute(scratch: &Scratch, step: &Step, to: &mut [Self]) -> Result<(), Error>;

    /// Calls `use_column` with a column out of its list, because it changes while others are read.
    #[inline]
    fn with_column<R>(
        scratch: &mut Scratch,
        at: ColumnId,
        use_column: impl FnOnce(&mut Scratch, &mut [Self]) -> R,
    ) -> R {
        let mut column = std::mem::take(&mut Self::columns_mut(scratch)[at as usize]);
        let result = use_column(scratch, &mut column);
        Self::columns_mut(scratch)[at as usize] = column;
        result
    }
}

/// Runs a block with `$T` as the type of the elements of a list of columns.
macro_rules! with_number {
    ($kind:expr, $T:ident => $body:expr) => {
        match $kind {
            $crate::loop_program::columns::ColumnKind::Int => {
                type $T = i64;
                $body
            }
            $crate::loop_program::columns::ColumnKind::Float => {
                type $T = f64;
                $body
            }
            $crate::loop_program::columns::ColumnKind::Single => {
                type $T = f32;
                $body
            }
        }
    };
}

pub(super) use with_number;

impl Number for i64 {
    #[inline]
    fn columns(scratch: &Scratch) -> &[Vec<Self>] {
        &scratch.ints
    }

    #[inline]
    fn columns_mut(scratch: &mut Scratch) -> &mut [Vec<Self>] {
        &mut scratch.ints
    }

    fn of_register(run: &Run<'_>, register: Register) -> Self {
        run.int(register)
    }

    fn load(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [Self]) {
        let bytes = memory.read(access.memory);
        match access.element {
            E::I64 | E::U64 => gather::<8, _>(bytes, elements, to, |it| i64::from_ne_bytes(*it)),
            E::I32 => gather::<4, _>(bytes, elements, to, |it| i32::from_ne_bytes(*it).into()),
            E::U32 => gather::<4, _>(bytes, elements, to, |it| u32::from_ne_bytes(*it).into()),
            E::I16 => gather::<2, _>(bytes, elements, to, |it| i16::from_ne_bytes(*it).into()),
            E::U16 => gather::<2, _>(bytes, elements, to, |it| u16::from_ne_bytes(*it).into()),
            element => gather::<1, _>(bytes, elements, to, |it| elements::load_int(element, it)),
        }
    }

    fn store(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[Self]) {
        let bytes = memory.write(access.memory);
        match access.size {
            8 => scatter::<8, _>(bytes, elements, from, i64::to_ne_bytes),
            4 => scatter::<4, _>(bytes, elements, from, |it| (it as u32).to_ne_bytes()),
            2 => scatter::<2, _>(bytes, elements, from, |it| (it as u16).to_ne_bytes()),
            _ if access.element == E::Bool => scatter::<1, _>(bytes, elements, from, |it| [u8::from(it != 0)]),
            _ => scatter::<1, _>(bytes, elements, from, |it| [it as u8]),
        }
    }

    fn combine(fold: Fold, totals: &mut [Self], numbers: &[Self]) {
        let Kind::Int(kind) = fold.kind else { return };
        with_int_function!(fold.operation, f => {
            for (total, number) in totals.iter_mut().zip(numbers) {
                *total = kind.wrap(if fold.is_swapped { f(*number, *total) } else { f(*total, *number) });
            }
        });
    }

    fn fold(fold: Fold, mut total: Self, numbers: &[Self]) -> Self {
        let Kind::Int(kind) = fold.kind else { return total };
        with_int_function!(fold.operation, f => {
            for number in numbers {
                total = kind.wrap(if fold.is_swapped { f(*number, total) } else { f(total, *number) });
            }
        });
        total
    }

    fn compute(scratch: &Scratch, step: &Step, to: &mut [Self]) -> Result<(), Error> {
        scratch.int_step(step, to)
    }
}

impl Number for f64 {
    #[inline]
    fn columns(scratch: &Scratch) -> &[Vec<Self>] {
        &scratch.floats
    }

    #[inline]
    fn columns_mut(scratch: &mut Scratch) -> &mut [Vec<Self>] {
        &mut scratch.floats
    }

    fn of_register(run: &Run<'_>, register: Register) -> Self {
        run.floats[register as usize]
    }

    fn load(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [Self]) {
        let bytes = memory.read(access.memory);
        match access.element {
            E::F64 => gather::<8, _>(bytes, elements, to, |it| f64::from_ne_bytes(*it)),
            E::F16 => gather::<2, _>(bytes, elements, to, |it| elements::f16_to_f64(u16::from_ne_bytes(*it))),
            E::BF16 => gather::<2, _>(bytes, elements, to, |it| elements::load_float(E::BF16, it)),
            element => gather::<1, _>(bytes, elements, to, |it| elements::load_float(element, it)),
        }
    }

    fn store(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[Self]) {
        let bytes = memory.write(access.memory);
        fn bytes_of<const SIZE: usize>(element: E, value: f64) -> [u8; SIZE] {
            let mut bytes = [0; SIZE];
            elements::store_float(element, &mut bytes, value);
            bytes
        }
        match access.element {
            E::F64 => scatter::<8, _>(bytes, elements, from, f64::to_ne_bytes),
            E::F16 => scatter::<2, _>(bytes, elements, from, |it| bytes_of(E::F16, it)),
            E::BF16 => scatter::<2, _>(bytes, elements, from, |it| bytes_of(E::BF16, it)),
            element => scatter::<1, _>(bytes, elements, from, |it| bytes_of(element, it)),
        }
    }

    fn combine(fold: Fold, totals: &mut [Self], numbers: &[Self]) {
        let Kind::Float(element) = fold.kind else { return };
        with_float_function!(fold.operation, f => {
            let combine = |a: f64, b: f64| if fold.is_swapped { f(b, a) } else { f(a, b) };
            let lanes = totals.iter_mut().zip(numbers);
            match element {
                E::F64 => lanes.for_each(|(total, number)| *total = combine(*total, *number)),
                E::F16 => lanes.for_each(|(total, number)| *total = round_f16(combine(*total, *number))),
                element => lanes.for_each(|(total, number)| *total = round(element, combine(*total, *number))),
            }
        });
    }

    fn fold(fold: Fold, total: Self, numbers: &[Self]) -> Self {
        let Kind::Float(element) = fold.kind else { return total };
        with_float_function!(fold.operation, f => {
            let combine = |a: f64, b: f64| if fold.is_swapped { f(b, a) } else { f(a, b) };
            match element {
                E::F64 => numbers.iter().fold(total, |total, number| combine(total, *number)),
                E::F16 => numbers.iter().fold(total, |total, number| round_f16(combine(total, *number))),
                element => numbers.iter().fold(total, |total, number| round(element, combine(total, *number))),
            }
        })
    }

    fn compute(scratch: &Scratch, step: &Step, to: &mut [Self]) -> Result<(), Error> {
        scratch.float_step(step, to);
        Ok(())
    }
}

/// A loop over a column that changes, and another one, with all vector instructions of the machine.
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

impl Number for f32 {
    #[inline]
    fn columns(scratch: &Scratch) -> &[Vec<Self>] {
        &scratch.singles
    }

    #[inline]
    fn columns_mut(scratch: &mut Scratch) -> &mut [Vec<Self>] {
        &mut scratch.singles
    }

    fn of_register(run: &Run<'_>, register: Register) -> Self {
        run.floats[register as usize] as f32
    }

    fn load(memory: &Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, to: &mut [Self]) {
        let bytes = memory.read(access.memory);
        match bytemuck::try_cast_slice::<u8, f32>(bytes) {
            Ok(numbers) => gather_from(numbers, elements, to, |it| *it),
            Err(_) => gather::<4, _>(bytes, elements, to, |it| f32::from_ne_bytes(*it)),
        }
    }

    fn store(memory: &mut Memory<'_>, access: &ColumnAccess, elements: &Elements<'_>, from: &[Self]) {
        scatter::<4, _>(memory.write(access.memory), elements, from, f32::to_ne_bytes);
    }

    fn combine(fold: Fold, totals: &mut [Self], numbers: &[Self]) {
        with_single_function!(fold.operation, f => match fold.is_swapped {
            true => Arch::new().dispatch(Update { to: totals, from: numbers, f: |total, number| f(number, total) }),
            false => Arch::new().dispatch(Update { to: totals, from: numbers, f }),
        });
    }

    fn fold(fold: Fold, total: Self, numbers: &[Self]) -> Self {
        with_single_function!(fold.operation, f => match fold.is_swapped {
            true => numbers.iter().fold(total, |total, number| f(*number, total)),
            false => numbers.iter().fold(total, |total, number| f(total, *number)),
        })
    }

    fn compute(scratch: &Scratch, step: &Step, to: &mut [Self]) -> Result<(), Error> {
        scratch.single_step(step, to);
        Ok(())
    }
}
