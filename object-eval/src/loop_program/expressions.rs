//! Expressions as instructions. A vector is compiled lane by lane.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir;

use super::arithmetic::Binary;
use super::calls;
use super::code::{FIELDS, FIRST_FIELD, Instruction};
use super::compiler::Compiler;
use super::form::{Form, int_kind_of, kind_of};
use super::intrinsics::Intrinsic;
use super::kind::{IntKind, Kind};
use super::registers::{IntFunction, Place, Register};

/// The most lanes of a vector.
const MAX_LANES: i64 = 4096;

/// The number of lanes of a data type.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) for too many lanes, and for a number that only hardware knows.
pub(super) fn lanes_of(dtype: DataType) -> Result<usize, Error> {
    let lanes = i64::from(dtype.lanes());
    if (1..=MAX_LANES).contains(&lanes) {
        return usize::try_from(lanes).map_err(|_| Error::new(ErrorKind::LimitExceeded, "too many lanes"));
    }
    let message = format!("expected vectors of 1 to {MAX_LANES} lanes, got the type {dtype:?}");
    Err(Error::new(ErrorKind::LimitExceeded, message))
}

fn no_operation(operation: Binary, dtype: DataType) -> Error {
    Error::new(ErrorKind::TypeMismatch, format!("the operation {operation:?} does not exist for the type {dtype:?}"))
}

impl Compiler {
    /// Computes an expression of one lane.
    pub(super) fn expression(&mut self, expr: &PrimExpr) -> Result<Place, Error> {
        self.lane(expr, 0)
    }

    /// Computes an integer.
    pub(super) fn integer(&mut self, expr: &PrimExpr) -> Result<Register, Error> {
        match self.expression(expr)? {
            Place::Int(register) => Ok(register),
            _ => Err(Error::new(ErrorKind::TypeMismatch, format!("expected an integer, got {:?}", expr.dtype))),
        }
    }

    /// Computes a truth value.
    pub(super) fn condition(&mut self, expr: &PrimExpr) -> Result<Register, Error> {
        self.condition_lane(expr, 0)
    }

    fn condition_lane(&mut self, expr: &PrimExpr, lane: usize) -> Result<Register, Error> {
        let lane = if expr.dtype.lanes() == 1 { 0 } else { lane };
        match self.lane(expr, lane)? {
            Place::Int(register) => Ok(register),
            _ => Err(Error::new(ErrorKind::TypeMismatch, format!("expected a truth value, got {:?}", expr.dtype))),
        }
    }

    /// Computes a floating-point number.
    fn number(&mut self, expr: &PrimExpr, lane: usize) -> Result<Register, Error> {
        match self.lane(expr, lane)? {
            Place::Float(register) => Ok(register),
            _ => Err(Error::new(ErrorKind::TypeMismatch, format!("expected a float, got {:?}", expr.dtype))),
        }
    }

    /// Computes a lane of an expression.
    pub(super) fn lane(&mut self, expr: &PrimExpr, lane: usize) -> Result<Place, Error> {
        self.deeper(|compiler| compiler.form(expr, Form::of(expr)?, lane))
    }

    fn form(&mut self, expr: &PrimExpr, form: Form, lane: usize) -> Result<Place, Error> {
        let kind = kind_of(expr)?;
        match form {
            Form::Int(value) => Ok(match kind {
                Kind::Int(kind) => Place::Int(self.int(kind.wrap(value))),
                Kind::Float(element) => Place::Float(self.float(super::kind::round(element, value as f64))),
                Kind::Pointer => return Err(Error::new(ErrorKind::TypeMismatch, "an address has no constant value")),
            }),
            Form::Float(value) => match kind {
                Kind::Float(element) => Ok(Place::Float(self.float(super::kind::round(element, value)))),
                _ => Err(Error::new(ErrorKind::TypeMismatch, format!("a float constant of the type {:?}", expr.dtype))),
            },
            Form::Var(var) => self.variable(&var, lane),
            Form::Binary(operation, a, b) => {
                let (x, y) = (self.lane(&a, lane)?, self.lane(&b, lane)?);
                self.binary(operation, kind_of(&a)?, x, y).ok_or_else(|| no_operation(operation, a.dtype))
            }
            Form::Unary(intrinsic, a) => {
                let value = self.lane(&a, lane)?;
                self.unary(intrinsic, kind_of(&a)?, value)
            }
            Form::MultiplyAdd(a, b, c) => {
                let [a, b, c] = [self.number(&a, lane)?, self.number(&b, lane)?, self.number(&c, lane)?];
                let to = self.new_float();
                self.emit(Instruction::CopyFloat { to, from: a });
                self.emit(Instruction::MultiplyAdd { to, a: b, b: c });
                Ok(self.rounded(to, kind))
            }
            Form::MultiplyShift(args) => {
                let mut values = Vec::new();
                for arg in &args {
                    values.push(self.condition_lane(arg, lane)?);
                }
                let first = self.new_int();
                (1..4).for_each(|_| _ = self.new_int());
                for (to, from) in (first..).zip(values) {
                    self.emit(Instruction::CopyInt { to, from });
                }
                let to = self.new_int();
                self.emit(Instruction::MultiplyShift { to, first });
                self.wrap(to, int_kind_of(expr)?);
                Ok(Place::Int(to))
            }
            Form::Not(a) => {
                let from = self.condition_lane(&a, lane)?;
                Ok(self.int_function(IntFunction::IsZero, IntKind::BOOL, from))
            }
            Form::And(a, b) => self.both(&a, &b, lane, true),
            Form::Or(a, b) => self.both(&a, &b, lane, false),
            Form::Cast(a) => {
                let value = self.lane(&a, lane)?;
                Ok(self.convert(value, kind_of(&a)?, kind))
            }
            Form::Reinterpret(a) => {
                let value = self.lane(&a, lane)?;
                self.reinterpret(value, (&a, expr))
            }
            Form::Choice(condition, yes, no) => {
                let condition = self.condition_lane(&condition, lane)?;
                let (otherwise, end, to) = (self.new_label(), self.new_label(), self.new_place(kind));
                self.emit(Instruction::JumpUnless { condition, to: otherwise });
                let value = self.scope(|compiler| compiler.lane(&yes, lane))?;
                self.copy(to, value);
                self.emit(Instruction::Jump { to: end });
                self.place(otherwise);
                let value = self.scope(|compiler| compiler.lane(&no, lane))?;
                self.copy(to, value);
                self.place(end);
                Ok(to)
            }
            Form::Load(load) => self.load(&load, lane),
            Form::Let(it) => self.scope(|compiler| {
                compiler.bind(&it.var, &it.value)?;
                compiler.lane(&it.body, lane)
            }),
            Form::Ramp(ramp) => {
                let (start, stride) = (self.integer(&ramp.start)?, self.integer(&ramp.stride)?);
                let lane = self.int(lane as i64);
                let distance = self.index(Binary::Mul, stride, lane);
                Ok(Place::Int(self.index(Binary::Add, start, distance)))
            }
            Form::Broadcast(it) => self.lane(&it.value, 0),
            Form::Shuffle(it) => self.shuffle(&it, lane),
            Form::Reduce(it) => self.reduce(&it),
            Form::Field(tensor, field) => self.field(&tensor, field),
            Form::Call(..) => Err(calls::no_value()),
            Form::Control(Intrinsic::Undefined, _) => Ok(match kind {
                Kind::Float(_) => Place::Float(self.float(0.0)),
                _ => Place::Int(self.int(0)),
            }),
            Form::Control(..) => {
                Err(Error::new(ErrorKind::TypeMismatch, "a statement cannot be a part of an expression"))
            }
        }
    }

    /// A fact about a tensor that is a parameter.
    fn field(&mut self, tensor: &PrimExpr, field: i64) -> Result<Place, Error> {
        let first = match self.expression(tensor)? {
            Place::Pointer(memory) => self.fields.get(&memory).copied(),
            _ => None,
        };
        let index = field.checked_sub(FIRST_FIELD).and_then(|index| u32::try_from(index).ok());
        match (first, index.filter(|index| *index < FIELDS)) {
            (Some(first), Some(index)) => Ok(Place::Int(first + index)),
            _ => {
                let message =
                    format!("the evaluator has no meaning for the field {field} of a tensor in loop programs");
                Err(Error::new(ErrorKind::Call, message))
            }
        }
    }

    fn variable(&mut self, var: &tir::Var, lane: usize) -> Result<Place, Error> {
        let lanes = self.var(var).ok_or_else(|| {
            Error::new(ErrorKind::BadReference, format!("the variable `{}` has no value here", var.name))
        })?;
        lanes.get(lane).copied().ok_or_else(|| {
            let message = format!("the variable `{}` has {} lanes, got the index {lane}", var.name, lanes.len());
            Error::new(ErrorKind::OutOfRange, message)
        })
    }

    /// Computes the value of a variable, and makes the variable visible.
    pub(super) fn bind(&mut self, var: &tir::Var, value: &PrimExpr) -> Result<(), Error> {
        let mut lanes = Vec::new();
        for lane in 0..lanes_of(value.dtype)? {
            lanes.push(self.lane(value, lane)?);
        }
        self.define(var, lanes);
        Ok(())
    }

    fn both(&mut self, a: &PrimExpr, b: &PrimExpr, lane: usize, is_and: bool) -> Result<Place, Error> {
        let (to, end) = (self.new_int(), self.new_label());
        let from = self.condition_lane(a, lane)?;
        self.emit(Instruction::CopyInt { to, from });
        let condition = to;
        self.emit(match is_and {
            true => Instruction::JumpUnless { condition, to: end },
            false => Instruction::JumpIf { condition, to: end },
        });
        let from = self.scope(|compiler| compiler.condition_lane(b, lane))?;
        self.emit(Instruction::CopyInt { to, from });
        self.place(end);
        Ok(Place::Int(to))
    }

    fn shuffle(&mut self, shuffle: &tir::Shuffle, lane: usize) -> Result<Place, Error> {
        let wrong = || Error::new(ErrorKind::OutOfRange, "a shuffle has no constant index of a lane of its vectors");
        let index = shuffle.indices.get(lane).ok_or_else(wrong)?;
        let index = index.downcast_ref::<IntImm>().ok_or_else(wrong)?.value;
        let mut index = usize::try_from(index).map_err(|_| wrong())?;
        for vector in &*shuffle.vectors {
            let lanes = lanes_of(vector.dtype)?;
            if index < lanes {
                return self.lane(vector, index);
            }
            index -= lanes;
        }
        Err(wrong())
    }
}
