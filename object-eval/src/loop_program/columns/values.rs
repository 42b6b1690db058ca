//! Expressions as steps over columns.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};

use super::compile::{Column, ColumnKind, Columns};
use super::{ColumnId, Linear, MAX_LOOPS, Step};
use crate::loop_program::arithmetic::Binary;
use crate::loop_program::compiler::key;
use crate::loop_program::form::{Form, kind_of};
use crate::loop_program::intrinsics::Intrinsic;
use crate::loop_program::kind::{IntKind, Kind};
use crate::loop_program::registers::{IntFunction, Place, Register};
use crate::value::ElementType;

impl Columns<'_> {
    pub(super) fn int_step(&mut self, step: impl FnOnce(ColumnId) -> Step) -> ColumnId {
        let to = u32::try_from(self.code.ints).unwrap_or(u32::MAX);
        self.code.ints += 1;
        self.code.steps.push(step(to));
        to
    }

    pub(super) fn float_step(&mut self, step: impl FnOnce(ColumnId) -> Step) -> ColumnId {
        let to = u32::try_from(self.code.floats).unwrap_or(u32::MAX);
        self.code.floats += 1;
        self.code.steps.push(step(to));
        to
    }

    pub(super) fn single_step(&mut self, step: impl FnOnce(ColumnId) -> Step) -> ColumnId {
        let to = u32::try_from(self.code.singles).unwrap_or(u32::MAX);
        self.code.singles += 1;
        self.code.steps.push(step(to));
        to
    }

    pub(super) fn negation(&mut self, from: ColumnId) -> ColumnId {
        self.int_step(|to| Step::IntFunction { function: IntFunction::IsZero, kind: IntKind::BOOL, to, from })
    }

    /// The column of integers.
    pub(super) fn ints(&mut self, value: Column) -> Option<ColumnId> {
        match value {
            Column::Int(column) => Some(column),
            Column::SharedInt(from) => Some(self.filled(ColumnKind::Int, from)),
            Column::Affine(value) => Some(self.int_step(|to| Step::Iota { to, value })),
            _ => None,
        }
    }

    /// The column of floating-point numbers.
    pub(super) fn floats(&mut self, value: Column) -> Option<ColumnId> {
        match value {
            Column::Float(column) => Some(column),
            Column::Single(from) => Some(self.float_step(|to| Step::Widen { to, from })),
            Column::SharedFloat(from) => Some(self.filled(ColumnKind::Float, from)),
            _ => None,
        }
    }

    /// The column of numbers of the type `float32`.
    pub(super) fn singles(&mut self, value: Column) -> Option<ColumnId> {
        match value {
            Column::Single(column) => Some(column),
            Column::Float(from) => Some(self.single_step(|to| Step::Narrow { to, from })),
            Column::SharedFloat(from) => Some(self.filled(ColumnKind::Single, from)),
            _ => None,
        }
    }

    fn filled(&mut self, kind: ColumnKind, from: Register) -> ColumnId {
        if let Some(column) = self.filled.get(&(kind, from)) {
            return *column;
        }
        let column = match kind {
            ColumnKind::Int => self.int_step(|to| Step::FillInt { to, from }),
            ColumnKind::Float => self.float_step(|to| Step::FillFloat { to, from }),
            ColumnKind::Single => self.single_step(|to| Step::FillSingle { to, from }),
        };
        // The column stays the same in all iterations.
        self.code.entry.extend(self.code.steps.pop());
        self.filled.insert((kind, from), column);
        column
    }

    /// Whether all iterations share the value of an expression, and computing it cannot fail.
    pub(super) fn is_shared(&mut self, expr: &PrimExpr) -> bool {
        let key = key(expr);
        if let Some(known) = self.is_shared.get(&key) {
            return *known;
        }
        let is_shared = self.deeper(|columns| columns.shares(expr)).is_some();
        self.is_shared.insert(key, is_shared);
        is_shared
    }

    fn shares(&mut self, expr: &PrimExpr) -> Option<()> {
        if expr.dtype.lanes() != 1 {
            return None;
        }
        let mut all = |parts: &[&PrimExpr]| parts.iter().all(|part| self.is_shared(part)).then_some(());
        match Form::of(expr).ok()? {
            Form::Int(_) | Form::Float(_) => Some(()),
            Form::Var(var) => (!self.loops.contains(&key(&var))
                && !self.vars.contains_key(&key(&var))
                && self.compiler.var(&var).is_some())
            .then_some(()),
            Form::Binary(operation, a, b) => {
                let is_safe = !operation.is_division()
                    || matches!(kind_of(&a), Ok(Kind::Float(_)))
                    || b.downcast_ref::<IntImm>().is_some_and(|it| it.value != 0);
                is_safe.then_some(())?;
                all(&[&a, &b])
            }
            Form::Unary(_, a) | Form::Not(a) | Form::Cast(a) | Form::Reinterpret(a) => all(&[&a]),
            Form::And(a, b) | Form::Or(a, b) => all(&[&a, &b]),
            Form::Choice(a, b, c) | Form::MultiplyAdd(a, b, c) => all(&[&a, &b, &c]),
            _ => None,
        }
    }

    /// A number that all iterations share.
    pub(super) fn constant(&mut self, base: Register) -> Linear {
        Linear { base, coefficients: [self.compiler.int(0); MAX_LOOPS] }
    }

    /// Whether no variable of a loop has another coefficient than 0.
    pub(super) fn is_constant(&self, value: &Linear) -> bool {
        value.coefficients.iter().all(|coefficient| self.compiler.constant(*coefficient) == Some(0))
    }

    /// An index as a number that is linear in the variables of the loops. Indices do not overflow.
    pub(super) fn affine(&mut self, expr: &PrimExpr) -> Option<Linear> {
        if self.not_affine.contains(&key(expr)) {
            return None;
        }
        let found = self.deeper(|columns| columns.linear(expr));
        if found.is_none() {
            self.not_affine.insert(key(expr));
        }
        found
    }

    fn linear(&mut self, expr: &PrimExpr) -> Option<Linear> {
        let is_index =
            |expr: &PrimExpr| matches!(kind_of(expr), Ok(Kind::Int(kind)) if kind.is_signed && kind.bits >= 32);
        if !is_index(expr) || expr.dtype.lanes() != 1 {
            return None;
        }
        if self.is_shared(expr) {
            let base = self.compiler.integer(expr).ok()?;
            return Some(self.constant(base));
        }
        match Form::of(expr).ok()? {
            Form::Var(var) => match self.loops.iter().position(|it| *it == key(&var)) {
                Some(number) => {
                    let zero = self.compiler.int(0);
                    let mut value = self.constant(zero);
                    value.coefficients[number] = self.compiler.int(1);
                    Some(value)
                }
                None => match self.vars.get(&key(&var)) {
                    Some(Column::Affine(value)) => Some(*value),
                    _ => None,
                },
            },
            Form::Binary(operation @ (Binary::Add | Binary::Sub), a, b) => {
                let (a, b) = (self.affine(&a)?, self.affine(&b)?);
                let mut value = a;
                value.base = self.compiler.index(operation, a.base, b.base);
                for (to, b) in value.coefficients.iter_mut().zip(b.coefficients) {
                    *to = self.compiler.index(operation, *to, b);
                }
                Some(value)
            }
            Form::Binary(Binary::Mul, a, b) => {
                let (a, b) = (self.affine(&a)?, self.affine(&b)?);
                let (mut value, factor) = if self.is_constant(&b) { (a, b) } else { (b, a) };
                self.is_constant(&factor).then_some(())?;
                value.base = self.compiler.index(Binary::Mul, value.base, factor.base);
                for to in &mut value.coefficients {
                    *to = self.compiler.index(Binary::Mul, *to, factor.base);
                }
                Some(value)
            }
            Form::Cast(a) if is_index(&a) => self.affine(&a),
            Form::Unary(Intrinsic::Identity, a) => self.affine(&a),
            _ => None,
        }
    }

    /// The value of an expression.
    pub(super) fn column(&mut self, expr: &PrimExpr) -> Option<Column> {
        if expr.dtype.lanes() != 1 {
            return None;
        }
        if self.is_shared(expr) {
            return match self.compiler.expression(expr).ok()? {
                Place::Int(register) => Some(Column::SharedInt(register)),
                Place::Float(register) => Some(Column::SharedFloat(register)),
                Place::Pointer(_) => None,
            };
        }
        if let Some(value) = self.affine(expr) {
            return Some(Column::Affine(value));
        }
        self.deeper(|columns| columns.form(expr))
    }

    fn form(&mut self, expr: &PrimExpr) -> Option<Column> {
        let kind = kind_of(expr).ok()?;
        match Form::of(expr).ok()? {
            Form::Var(var) => self.vars.get(&key(&var)).copied(),
            Form::Binary(operation, a, b) => {
                let kind = kind_of(&a).ok()?;
                let (a, b) = (self.column(&a)?, self.column(&b)?);
                self.operation(operation, kind, a, b)
            }
            Form::Unary(intrinsic, a) => {
                let (kind, value) = (kind_of(&a).ok()?, self.column(&a)?);
                self.unary(intrinsic, kind, value)
            }
            Form::Not(a) => {
                let value = self.column(&a)?;
                let from = self.ints(value)?;
                Some(Column::Int(self.negation(from)))
            }
            Form::And(a, b) => self.both(&a, &b, Binary::And),
            Form::Or(a, b) => self.both(&a, &b, Binary::Or),
            Form::Cast(a) => {
                let (given, value) = (kind_of(&a).ok()?, self.column(&a)?);
                self.convert(value, given, kind)
            }
            Form::Choice(condition, yes, no) => {
                let condition = self.column(&condition)?;
                let condition = self.ints(condition)?;
                let a = self.under(condition, true, |columns| columns.column(&yes))?;
                let b = self.under(condition, false, |columns| columns.column(&no))?;
                if kind == Kind::Float(ElementType::F32) {
                    let (a, b) = (self.singles(a)?, self.singles(b)?);
                    return Some(Column::Single(self.single_step(|to| Step::ChooseSingle { to, condition, a, b })));
                }
                if matches!(kind, Kind::Float(_)) {
                    let (a, b) = (self.floats(a)?, self.floats(b)?);
                    return Some(Column::Float(self.float_step(|to| Step::ChooseFloat { to, condition, a, b })));
                }
                let (a, b) = (self.ints(a)?, self.ints(b)?);
                Some(Column::Int(self.int_step(|to| Step::ChooseInt { to, condition, a, b })))
            }
            Form::Load(load) if load.predicate.is_none() => {
                let access = self.access(&load.buffer, &load.indices, false)?;
                match kind {
                    Kind::Int(_) => Some(Column::Int(self.int_step(|to| Step::LoadInt { to, access }))),
                    Kind::Float(ElementType::F32) => {
                        Some(Column::Single(self.single_step(|to| Step::LoadSingle { to, access })))
                    }
                    Kind::Float(_) => Some(Column::Float(self.float_step(|to| Step::LoadFloat { to, access }))),
                    Kind::Pointer => None,
                }
            }
            Form::Let(it) => {
                self.bind(&it.var, &it.value)?;
                self.column(&it.body)
            }
            _ => None,
        }
    }

    fn both(&mut self, a: &PrimExpr, b: &PrimExpr, operation: Binary) -> Option<Column> {
        let first = self.column(a)?;
        let first = self.ints(first)?;
        let second = self.under(first, operation == Binary::And, |columns| {
            let second = columns.column(b)?;
            columns.ints(second)
        })?;
        Some(Column::Int(self.int_step(|to| Step::Int { operation, to, a: first, b: second, mask: None })))
    }

    /// The numbers, rounded to their type.
    fn rounded(&mut self, from: ColumnId, kind: Kind) -> Column {
        match kind {
            Kind::Float(ElementType::F32) => Column::Single(self.single_step(|to| Step::Narrow { to, from })),
            Kind::Float(element) if element != ElementType::F64 => {
                Column::Float(self.float_step(|to| Step::Round { to, from, element }))
            }
            _ => Column::Float(from),
        }
    }

    fn operation(&mut self, operation: Binary, kind: Kind, a: Column, b: Column) -> Option<Column> {
        match kind {
            Kind::Int(kind) => {
                let differs = operation.is_division()
                    || matches!(operation, Binary::Min | Binary::Max | Binary::Lt | Binary::Le | Binary::Right);
                if !operation.has_ints() || kind.is_u64() && differs {
                    return None;
                }
                if operation.is_division() {
                    self.divides_by(b);
                }
                let (a, b, mask) = (self.ints(a)?, self.ints(b)?, self.mask);
                let column = self.int_step(|to| Step::Int { operation, to, a, b, mask });
                if operation.may_leave_range() && kind.bits < 64 {
                    self.code.steps.push(Step::Wrap { to: column, kind });
                }
                Some(Column::Int(column))
            }
            Kind::Float(ElementType::F32) if operation.is_comparison() => {
                let (a, b) = (self.singles(a)?, self.singles(b)?);
                Some(Column::Int(self.int_step(|to| Step::CompareSingle { operation, to, a, b })))
            }
            Kind::Float(ElementType::F32) if operation.has_singles() => {
                let (a, b) = (self.singles(a)?, self.singles(b)?);
                Some(Column::Single(self.single_step(|to| Step::Single { operation, to, a, b })))
            }
            Kind::Float(_) if operation.is_comparison() => {
                let (a, b) = (self.floats(a)?, self.floats(b)?);
                Some(Column::Int(self.int_step(|to| Step::Compare { operation, to, a, b })))
            }
            Kind::Float(_) if operation.is_division() && operation != Binary::Mod => {
                let (x, y) = (self.floats(a)?, self.floats(b)?);
                let quotient = self.float_step(|to| Step::Float { operation: Binary::Div, to, a: x, b: y });
                let quotient = self.rounded(quotient, kind);
                if operation == Binary::Div {
                    return Some(quotient);
                }
                let quotient = self.floats(quotient)?;
                let floor = self.float_step(|to| Step::Function { function: f64::floor, to, from: quotient });
                if operation == Binary::FloorDiv {
                    return Some(Column::Float(floor));
                }
                let product = self.operation(Binary::Mul, kind, Column::Float(floor), b)?;
                self.operation(Binary::Sub, kind, a, product)
            }
            Kind::Float(_) if operation.has_floats() => {
                let (a, b) = (self.floats(a)?, self.floats(b)?);
                let result = self.float_step(|to| Step::Float { operation, to, a, b });
                let is_exact = matches!(operation, Binary::Min | Binary::Max | Binary::CopySign);
                Some(if is_exact { Column::Float(result) } else { self.rounded(result, kind) })
            }
            _ => None,
        }
    }

    /// Notes a divisor that may be 0.
    fn divides_by(&mut self, divisor: Column) {
        match divisor {
            Column::SharedInt(register) if self.compiler.constant(register).is_some_and(|value| value != 0) => {}
            Column::SharedInt(register) => self.code.divisors.push(register),
            _ => self.code.may_divide = true,
        }
    }

    fn unary(&mut self, intrinsic: Intrinsic, kind: Kind, value: Column) -> Option<Column> {
        if matches!(intrinsic, Intrinsic::Identity) {
            return Some(value);
        }
        match kind {
            Kind::Float(_) => {
                let from = self.floats(value)?;
                match intrinsic {
                    Intrinsic::Function(function) => {
                        let result = self.float_step(|to| Step::Function { function, to, from });
                        Some(self.rounded(result, kind))
                    }
                    Intrinsic::Abs => {
                        Some(Column::Float(self.float_step(|to| Step::Function { function: f64::abs, to, from })))
                    }
                    Intrinsic::Test(test, _) => Some(Column::Int(self.int_step(|to| Step::Test { test, to, from }))),
                    _ => None,
                }
            }
            Kind::Int(kind) => {
                let from = self.ints(value)?;
                let function = match intrinsic {
                    Intrinsic::Not => IntFunction::Not,
                    Intrinsic::Abs => IntFunction::Abs,
                    Intrinsic::PopCount => IntFunction::PopCount,
                    Intrinsic::LeadingZeros => IntFunction::LeadingZeros,
                    _ => return None,
                };
                Some(Column::Int(self.int_step(|to| Step::IntFunction { function, kind, to, from })))
            }
            Kind::Pointer => None,
        }
    }

    fn convert(&mut self, value: Column, given: Kind, kind: Kind) -> Option<Column> {
        match (given, kind) {
            (Kind::Int(given), Kind::Int(kind)) => {
                let from = self.ints(value)?;
                if kind == IntKind::BOOL && given != kind {
                    let function = IntFunction::Truth;
                    return Some(Column::Int(self.int_step(|to| Step::IntFunction { function, kind, to, from })));
                }
                let fits = given == kind || given.bits < kind.bits && (kind.is_signed || !given.is_signed);
                if fits || kind.bits == 64 {
                    return Some(Column::Int(from));
                }
                let zero = self.compiler.int(0);
                let zero = self.filled(ColumnKind::Int, zero);
                let to = self.int_step(|to| Step::Int { operation: Binary::Add, to, a: from, b: zero, mask: None });
                self.code.steps.push(Step::Wrap { to, kind });
                Some(Column::Int(to))
            }
            (Kind::Int(given), Kind::Float(_)) => {
                let from = self.ints(value)?;
                let result = self.float_step(|to| Step::ToFloat { to, from, kind: given });
                Some(self.rounded(result, kind))
            }
            (Kind::Float(_), Kind::Int(kind)) => {
                let from = self.floats(value)?;
                Some(Column::Int(self.int_step(|to| Step::ToInt { to, from, kind })))
            }
            (Kind::Float(given), Kind::Float(element)) if given != element => {
                let from = self.floats(value)?;
                Some(self.rounded(from, kind))
            }
            (Kind::Float(_), Kind::Float(_)) => Some(value),
            _ => None,
        }
    }
}
