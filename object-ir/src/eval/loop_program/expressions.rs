//! Expressions as instructions. A vector is compiled lane by lane.

use object_core::prelude::*;

use super::arithmetic::Binary;
use super::code::{Instruction, IntFunction, Place, Register};
use super::compiler::Compiler;
use super::form::{Form, int_kind_of, kind_of};
use super::intrinsics::Intrinsic;
use super::kind::{IntKind, Kind};
use crate::eval::value::ElementType;
use crate::ir::expr::{IntImm, PrimExpr};
use crate::tir;

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
            Form::Control(Intrinsic::Undefined, _) => Ok(match kind {
                Kind::Float(_) => Place::Float(self.float(0.0)),
                _ => Place::Int(self.int(0)),
            }),
            Form::Control(..) => {
                Err(Error::new(ErrorKind::TypeMismatch, "a statement cannot be a part of an expression"))
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

    fn rounded(&mut self, to: Register, kind: Kind) -> Place {
        if let Kind::Float(element) = kind
            && element != ElementType::F64
        {
            self.emit(Instruction::Round { to, element });
        }
        Place::Float(to)
    }

    /// An operation of two numbers of the type `kind`.
    pub(super) fn binary(&mut self, operation: Binary, kind: Kind, a: Place, b: Place) -> Option<Place> {
        use Instruction as I;
        match (kind, a, b) {
            (Kind::Int(kind), Place::Int(a), Place::Int(b)) if operation.has_ints() => {
                if let (Some(x), Some(y), false) = (self.constant(a), self.constant(b), kind.is_u64())
                    && let Some(value) = super::arithmetic::of_ints(operation, x, y)
                {
                    return Some(Place::Int(self.int(kind.wrap(value))));
                }
                let to = self.new_int();
                self.emit(match operation {
                    Binary::Add => I::Add { to, a, b },
                    Binary::Sub => I::Sub { to, a, b },
                    Binary::Mul => I::Mul { to, a, b },
                    _ if kind.is_u64() => I::U64 { operation, to, a, b },
                    _ => I::Int { operation, to, a, b },
                });
                if operation.may_leave_range() {
                    self.wrap(to, kind);
                }
                Some(Place::Int(to))
            }
            (Kind::Float(_), Place::Float(a), Place::Float(b)) if operation.is_comparison() => {
                let to = self.new_int();
                self.emit(I::Compare { operation, to, a, b });
                Some(Place::Int(to))
            }
            (Kind::Float(_), Place::Float(x), Place::Float(y)) if operation.is_division() && operation != Binary::Mod => {
                let to = self.new_float();
                self.emit(I::Float { operation: Binary::Div, to, a: x, b: y });
                let quotient = self.rounded(to, kind);
                if operation == Binary::Div {
                    return Some(quotient);
                }
                let floor = self.function(f64::floor, to);
                if operation == Binary::FloorDiv {
                    return Some(Place::Float(floor));
                }
                let product = self.binary(Binary::Mul, kind, Place::Float(floor), b)?;
                self.binary(Binary::Sub, kind, a, product)
            }
            (Kind::Float(element), Place::Float(a), Place::Float(b)) if operation.has_floats() => {
                let to = self.new_float();
                let is_f32 = element == ElementType::F32;
                self.emit(match operation {
                    Binary::Add if is_f32 => I::AddF32 { to, a, b },
                    Binary::Sub if is_f32 => I::SubF32 { to, a, b },
                    Binary::Mul if is_f32 => I::MulF32 { to, a, b },
                    _ => I::Float { operation, to, a, b },
                });
                let is_exact = matches!(operation, Binary::Min | Binary::Max | Binary::CopySign)
                    || is_f32 && matches!(operation, Binary::Add | Binary::Sub | Binary::Mul);
                Some(if is_exact { Place::Float(to) } else { self.rounded(to, kind) })
            }
            _ => None,
        }
    }

    pub(super) fn function(&mut self, function: fn(f64) -> f64, from: Register) -> Register {
        let to = self.new_float();
        self.code.functions.push(function);
        let function = u32::try_from(self.code.functions.len() - 1).unwrap_or(u32::MAX);
        self.emit(Instruction::Function { function, to, from });
        to
    }

    fn int_function(&mut self, function: IntFunction, kind: IntKind, from: Register) -> Place {
        let to = self.new_int();
        self.emit(Instruction::IntFunction { function, kind, to, from });
        Place::Int(to)
    }

    fn unary(&mut self, intrinsic: Intrinsic, kind: Kind, value: Place) -> Result<Place, Error> {
        use Intrinsic as I;
        Ok(match (intrinsic, value, kind) {
            (I::Identity, value, _) => value,
            (I::Function(function), Place::Float(from), _) => {
                let to = self.function(function, from);
                self.rounded(to, kind)
            }
            (I::Abs, Place::Float(from), _) => Place::Float(self.function(f64::abs, from)),
            (I::Test(test, _), Place::Float(from), _) => {
                let to = self.new_int();
                self.code.tests.push(test);
                let test = u32::try_from(self.code.tests.len() - 1).unwrap_or(u32::MAX);
                self.emit(Instruction::Test { test, to, from });
                Place::Int(to)
            }
            (I::Test(_, of_int), Place::Int(_), _) => Place::Int(self.int(of_int.into())),
            (_, Place::Int(from), Kind::Int(kind)) => {
                let function = match intrinsic {
                    I::Not => IntFunction::Not,
                    I::Abs => IntFunction::Abs,
                    I::PopCount => IntFunction::PopCount,
                    I::LeadingZeros => IntFunction::LeadingZeros,
                    // The rounding functions of an integer.
                    I::Function(function) if function(0.5).fract() == 0.0 && function(7.0) == 7.0 => return Ok(value),
                    _ => return Err(no_function(intrinsic)),
                };
                self.int_function(function, kind, from)
            }
            _ => return Err(no_function(intrinsic)),
        })
    }

    /// A value converted to another type.
    pub(super) fn convert(&mut self, value: Place, from_kind: Kind, kind: Kind) -> Place {
        match (value, from_kind, kind) {
            (Place::Int(from), Kind::Int(given), Kind::Int(kind)) if given != kind => {
                if kind == IntKind::BOOL {
                    return self.int_function(IntFunction::Truth, kind, from);
                }
                let fits = given.bits < kind.bits && (kind.is_signed || !given.is_signed);
                if fits || kind.bits == 64 {
                    return value;
                }
                if let Some(constant) = self.constant(from) {
                    return Place::Int(self.int(kind.wrap(constant)));
                }
                let to = self.new_int();
                self.emit(Instruction::CopyInt { to, from });
                self.wrap(to, kind);
                Place::Int(to)
            }
            (Place::Int(from), Kind::Int(given), Kind::Float(_)) => {
                let to = self.new_float();
                self.emit(Instruction::ToFloat { to, from, kind: given });
                self.rounded(to, kind)
            }
            (Place::Float(from), _, Kind::Int(kind)) => {
                let to = self.new_int();
                self.emit(Instruction::ToInt { to, from, kind });
                Place::Int(to)
            }
            (Place::Float(from), Kind::Float(given), Kind::Float(element)) if given != element => {
                let to = self.new_float();
                self.emit(Instruction::CopyFloat { to, from });
                self.rounded(to, kind)
            }
            _ => value,
        }
    }

    fn reinterpret(&mut self, value: Place, (from, to): (&PrimExpr, &PrimExpr)) -> Result<Place, Error> {
        if from.dtype.bits != to.dtype.bits || from.dtype.lanes() != to.dtype.lanes() {
            let message = format!("expected a type of as many bits as {:?}, got {:?}", from.dtype, to.dtype);
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        Ok(match (value, kind_of(from)?, kind_of(to)?) {
            (Place::Float(from), Kind::Float(element), Kind::Int(kind)) => {
                let to = self.new_int();
                self.emit(Instruction::FloatBits { to, from, element });
                self.wrap(to, kind);
                Place::Int(to)
            }
            (Place::Int(from), _, Kind::Float(element)) => {
                let to = self.new_float();
                self.emit(Instruction::FromBits { to, from, element });
                Place::Float(to)
            }
            (value @ Place::Int(_), Kind::Int(given), Kind::Int(kind)) => {
                self.convert(value, Kind::Int(given), Kind::Int(kind))
            }
            (value, given, kind) if given == kind => value,
            _ => return Err(Error::new(ErrorKind::TypeMismatch, format!("the bits of {:?}", from.dtype))),
        })
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
                return self.lane(&vector, index);
            }
            index -= lanes;
        }
        Err(wrong())
    }
}

fn no_function(intrinsic: Intrinsic) -> Error {
    Error::new(ErrorKind::TypeMismatch, format!("the intrinsic {intrinsic:?} does not exist for the type of its argument"))
}
