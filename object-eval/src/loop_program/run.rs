//! [`Run`]: runs the instructions of a loop program.

use object_core::prelude::*;

use super::code::{Access, Allocation, Instruction, LoopCode};
use super::columns::scratch::Scratch;
use super::kind::round;
use super::memory::Memory;
use super::registers::Place;
use super::{arithmetic, elements};
use crate::controls::Controls;

/// The number of iterations after which the step budget is checked.
const CHECK_EVERY: u64 = 1024;

/// A run under way.
pub(super) struct Run<'a> {
    pub(super) code: &'a LoopCode,
    pub(super) ints: &'a mut [i64],
    pub(super) floats: &'a mut [f64],
    pub(super) memory: Memory<'a>,
    pub(super) controls: &'a Controls,
    /// Iterations that the controls have not counted.
    pending: u64,
}

impl<'a> Run<'a> {
    /// A run whose parameters have no values.
    pub(super) fn new(
        code: &'a LoopCode,
        memory: Memory<'a>,
        controls: &'a Controls,
        (ints, floats): (&'a mut Vec<i64>, &'a mut Vec<f64>),
    ) -> Self {
        ints.clone_from(&code.first_ints);
        floats.clone_from(&code.first_floats);
        Run { code, ints, floats, memory, controls, pending: 0 }
    }

    #[inline]
    pub(super) fn int(&self, register: u32) -> i64 {
        self.ints[register as usize]
    }

    #[inline]
    fn float(&self, register: u32) -> f64 {
        self.floats[register as usize]
    }

    #[inline]
    fn set(&mut self, to: u32, value: i64) {
        self.ints[to as usize] = value;
    }

    #[inline]
    fn set_float(&mut self, to: u32, value: f64) {
        self.floats[to as usize] = value;
    }

    /// Counts iterations.
    #[inline]
    pub(super) fn count(&mut self, iterations: u64) -> Result<(), Error> {
        self.pending += iterations;
        if self.pending >= CHECK_EVERY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.controls.step(std::mem::take(&mut self.pending))
    }

    /// Runs the program, and returns the value of its `return`.
    pub(super) fn run(&mut self, scratch: &mut Scratch) -> Result<Any, Error> {
        use Instruction as I;
        let code = self.code;
        let mut next = 0;
        loop {
            let instruction = &code.instructions[next];
            next += 1;
            match *instruction {
                I::CopyInt { to, from } => self.set(to, self.int(from)),
                I::CopyFloat { to, from } => self.set_float(to, self.float(from)),
                I::Add { to, a, b } => self.set(to, self.int(a).wrapping_add(self.int(b))),
                I::Sub { to, a, b } => self.set(to, self.int(a).wrapping_sub(self.int(b))),
                I::Mul { to, a, b } => self.set(to, self.int(a).wrapping_mul(self.int(b))),
                I::Int { operation, to, a, b } => {
                    let result = arithmetic::of_ints(operation, self.int(a), self.int(b));
                    self.set(to, result.ok_or_else(division_by_zero)?);
                }
                I::U64 { operation, to, a, b } => {
                    let result = arithmetic::of_u64s(operation, self.int(a), self.int(b));
                    self.set(to, result.ok_or_else(division_by_zero)?);
                }
                I::Wrap { to, kind } => self.set(to, kind.wrap(self.int(to))),
                I::IntFunction { function, kind, to, from } => self.set(to, function.apply(kind, self.int(from))),
                I::AddF32 { to, a, b } => self.set_float(to, f64::from(self.float(a) as f32 + self.float(b) as f32)),
                I::SubF32 { to, a, b } => self.set_float(to, f64::from(self.float(a) as f32 - self.float(b) as f32)),
                I::MulF32 { to, a, b } => self.set_float(to, f64::from(self.float(a) as f32 * self.float(b) as f32)),
                I::Float { operation, to, a, b } => {
                    self.set_float(to, arithmetic::of_floats(operation, self.float(a), self.float(b)));
                }
                I::Compare { operation, to, a, b } => {
                    self.set(to, arithmetic::compares(operation, self.float(a), self.float(b)).into());
                }
                I::Function { function, to, from } => {
                    self.set_float(to, code.functions[function as usize](self.float(from)));
                }
                I::Test { test, to, from } => self.set(to, code.tests[test as usize](self.float(from)).into()),
                I::MultiplyAdd { to, a, b } => {
                    self.set_float(to, self.float(to).mul_add(self.float(a), self.float(b)));
                }
                I::MultiplyShift { to, first } => {
                    let [x, y, bits, shift] = [0, 1, 2, 3].map(|index| i128::from(self.int(first + index)));
                    let shift = (bits + shift).clamp(1, 120);
                    self.set(to, ((x * y + (1 << (shift - 1))) >> shift) as i64);
                }
                I::Round { to, element } => self.set_float(to, round(element, self.float(to))),
                I::ToFloat { to, from, kind } => self.set_float(to, kind.to_float(self.int(from))),
                I::ToInt { to, from, kind } => self.set(to, kind.of_float(self.float(from))),
                I::FloatBits { to, from, element } => self.set(to, elements::float_bits(element, self.float(from))),
                I::FromBits { to, from, element } => {
                    self.set_float(to, elements::from_bits(element, self.int(from)));
                }
                I::LoadInt { to, access } => {
                    let access = &code.accesses[access as usize];
                    self.set(to, elements::load_int(access.element, self.element(access)?));
                }
                I::LoadFloat { to, access } => {
                    let access = &code.accesses[access as usize];
                    self.set_float(to, elements::load_float(access.element, self.element(access)?));
                }
                I::StoreInt { from, access } => {
                    let (access, value) = (&code.accesses[access as usize], self.int(from));
                    elements::store_int(access.element, self.element_mut(access)?, value);
                }
                I::StoreFloat { from, access } => {
                    let (access, value) = (&code.accesses[access as usize], self.float(from));
                    elements::store_float(access.element, self.element_mut(access)?, value);
                }
                I::Jump { to } => {
                    // Only loops jump back.
                    if (to as usize) < next {
                        self.count(1)?;
                    }
                    next = to as usize;
                }
                I::JumpIf { condition, to } => {
                    if self.int(condition) != 0 {
                        next = to as usize;
                    }
                }
                I::JumpUnless { condition, to } => {
                    if self.int(condition) == 0 {
                        next = to as usize;
                    }
                }
                I::LoopBegin { var, end, to } => {
                    if self.int(var) >= self.int(end) {
                        next = to as usize;
                    }
                }
                I::LoopNext { var, end, step, to } => {
                    let value = self.advance(var, step)?;
                    if value < self.int(end) {
                        next = to as usize;
                    }
                }
                I::Columns { number, tried, to } => {
                    if self.int(tried) == 0 {
                        let columns = &code.columns[number as usize];
                        let may_follow = self.columns(columns, scratch)?;
                        self.set(tried, i64::from(!may_follow));
                        if columns.loops.iter().all(|it| self.int(it.begin) >= self.int(it.end)) {
                            next = to as usize;
                        }
                    }
                }
                I::Nest { number, to } => {
                    if self.nest(number, scratch)? {
                        next = to as usize;
                    }
                }
                I::Allocate { allocation } => self.allocate(&code.allocations[allocation as usize])?,
                I::Point { to, from, offset } => self.memory.point(to, from, self.int(offset))?,
                I::CheckEqual { expected, given, error } => {
                    let (expected, given) = (self.int(expected), self.int(given));
                    if expected != given {
                        let error = &code.errors[error as usize];
                        let message = format!("{}: expected {expected}, got {given}", error.message());
                        return Err(Error::new(error.kind(), message));
                    }
                }
                I::Fail { error } => return Err(code.errors[error as usize].clone()),
                I::Return { value, is_truth } => {
                    self.flush()?;
                    return Ok(match value {
                        Some(Place::Int(register)) if is_truth => Any::Bool(self.int(register) != 0),
                        Some(Place::Int(register)) => Any::Int(self.int(register)),
                        Some(Place::Float(register)) => Any::Float(self.float(register)),
                        _ => Any::None,
                    });
                }
            }
        }
    }

    /// Ends an iteration of a loop.
    #[inline]
    fn advance(&mut self, var: u32, step: u32) -> Result<i64, Error> {
        let step = self.int(step);
        if step <= 0 {
            let message = format!("a loop has the step {step}; expected a positive number");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        let value = self.int(var).saturating_add(step);
        self.set(var, value);
        self.count(1)?;
        Ok(value)
    }

    /// The place of an element: its first byte in its memory. `None` if the access is out of bounds.
    #[inline]
    fn locate(&self, access: &Access) -> Option<usize> {
        let mut at = self.int(access.offset);
        for dim in &access.dims {
            let index = self.int(dim.index);
            if index as u64 >= self.int(dim.extent) as u64 {
                return None;
            }
            at = at.wrapping_add(index.wrapping_mul(self.int(dim.stride)));
        }
        if access.lanes.0 != 1 {
            at = at.checked_mul(access.lanes.0)?.checked_add(access.lanes.1)?;
        }
        usize::try_from(at).ok()?.checked_mul(access.size)
    }

    #[inline]
    fn element(&self, access: &Access) -> Result<&[u8], Error> {
        let bytes =
            self.locate(access).and_then(|at| self.memory.read(access.memory).get(at..at.checked_add(access.size)?));
        bytes.ok_or_else(|| self.out_of_bounds(access))
    }

    #[inline]
    fn element_mut(&mut self, access: &Access) -> Result<&mut [u8], Error> {
        let at = self
            .locate(access)
            .filter(|at| at.checked_add(access.size).is_some_and(|end| end <= self.memory.read(access.memory).len()));
        let Some(at) = at else { return Err(self.out_of_bounds(access)) };
        let bytes = self.memory.write(access.memory).get_mut(at..at + access.size);
        bytes.ok_or_else(|| Error::new(ErrorKind::Call, "a write into memory that the program only reads"))
    }

    #[cold]
    fn out_of_bounds(&self, access: &Access) -> Error {
        let indices: Vec<i64> = access.dims.iter().map(|dim| self.int(dim.index)).collect();
        let extents: Vec<i64> = access.dims.iter().map(|dim| self.int(dim.extent)).collect();
        out_of_bounds(self.code, access.name, &indices, &extents)
    }

    fn allocate(&mut self, allocation: &Allocation) -> Result<(), Error> {
        let extents: Vec<i64> = allocation.extents.iter().map(|extent| self.int(*extent)).collect();
        let size = extents
            .iter()
            .try_fold(allocation.element_size, |size, extent| size.checked_mul(u64::try_from(*extent).ok()?));
        let Some(size) = size else {
            let message = format!("a loop program allocates a buffer of the shape {extents:?}, which does not exist");
            return Err(Error::new(ErrorKind::OutOfRange, message));
        };
        self.memory.allocate(allocation.memory, size, self.controls.meter())
    }
}

/// The error of an access out of bounds.
#[cold]
pub(super) fn out_of_bounds(code: &LoopCode, name: u32, indices: &[i64], extents: &[i64]) -> Error {
    let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let message = format!(
        "the access `{}[{}]` is out of the bounds of the buffer, which has the shape ({})",
        code.names[name as usize],
        list(indices),
        list(extents)
    );
    Error::new(ErrorKind::OutOfRange, message)
}

#[cold]
pub(super) fn division_by_zero() -> Error {
    Error::new(ErrorKind::OutOfRange, "a loop program divides an integer by 0")
}
