//! Operations of numbers and conversions as instructions.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;

use super::arithmetic::{self, Binary};
use super::code::Instruction;
use super::compiler::Compiler;
use super::form::kind_of;
use super::intrinsics::Intrinsic;
use super::kind::{IntKind, Kind};
use super::registers::{IntFunction, Place, Register};
use crate::value::ElementType;

impl Compiler {
    pub(super) fn rounded(&mut self, to: Register, kind: Kind) -> Place {
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
                    && let Some(value) = arithmetic::of_ints(operation, x, y)
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
            (Kind::Float(_), Place::Float(x), Place::Float(y))
                if operation.is_division() && operation != Binary::Mod =>
            {
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

    pub(super) fn int_function(&mut self, function: IntFunction, kind: IntKind, from: Register) -> Place {
        let to = self.new_int();
        self.emit(Instruction::IntFunction { function, kind, to, from });
        Place::Int(to)
    }

    pub(super) fn unary(&mut self, intrinsic: Intrinsic, kind: Kind, value: Place) -> Result<Place, Error> {
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

    pub(super) fn reinterpret(&mut self, value: Place, (from, to): (&PrimExpr, &PrimExpr)) -> Result<Place, Error> {
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
}

fn no_function(intrinsic: Intrinsic) -> Error {
    Error::new(
        ErrorKind::TypeMismatch,
        format!("the intrinsic {intrinsic:?} does not exist for the type of its argument"),
    )
}
