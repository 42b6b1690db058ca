//! Expressions as steps over columns.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};

use super::compile::{Column, Columns};
use super::{ColumnId, ColumnKind, ColumnKind as K, Linear, MAX_LOOPS, Step};
use crate::loop_program::arithmetic::Binary;
use crate::loop_program::compiler::key;
use crate::loop_program::form::{Form, kind_of};
use crate::loop_program::intrinsics::Intrinsic;
use crate::loop_program::kind::{IntKind, Kind};
use crate::loop_program::registers::{IntFunction, Place, Register};
use crate::value::ElementType;

impl Columns<'_> {
    /// Adds a step whose result is a new column.
    pub(super) fn push(&mut self, kind: ColumnKind, step: impl FnOnce(ColumnId) -> Step) -> ColumnId {
        let count = &mut self.code.columns[kind as usize];
        let to = u32::try_from(*count).unwrap_or(u32::MAX);
        *count += 1;
        self.code.steps.push(step(to));
        to
    }

    /// As [`push`](Self::push), with the column as a value.
    fn made(&mut self, kind: ColumnKind, step: impl FnOnce(ColumnId) -> Step) -> Column {
        Column::Of(kind, self.push(kind, step))
    }

    pub(super) fn negation(&mut self, from: ColumnId) -> ColumnId {
        self.push(K::Int, |to| Step::IntFunction { function: IntFunction::IsZero, kind: IntKind::BOOL, to, from })
    }

    /// The column of a value in the list of a kind.
    pub(super) fn operand(&mut self, kind: ColumnKind, value: Column) -> Option<ColumnId> {
        match (kind, value) {
            (kind, Column::Of(given, column)) if kind == given => Some(column),
            (K::Int, Column::SharedInt(from)) | (K::Float | K::Single, Column::SharedFloat(from)) => {
                Some(self.filled(kind, from))
            }
            (K::Int, Column::Affine(value)) => Some(self.push(kind, |to| Step::Iota { to, value })),
            (K::Float, Column::Of(K::Single, from)) => Some(self.push(kind, |to| Step::Widen { to, from })),
            (K::Single, Column::Of(K::Float, from)) => Some(self.push(kind, |to| Step::Narrow { to, from })),
            _ => None,
        }
    }

    fn filled(&mut self, kind: ColumnKind, from: Register) -> ColumnId {
        if let Some(column) = self.filled.get(&(kind, from)) {
            return *column;
        }
        let column = self.push(kind, |to| Step::Fill { kind, to, from });
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
                let from = self.operand(K::Int, value)?;
                Some(Column::Of(K::Int, self.negation(from)))
            }
            Form::And(a, b) => self.both(&a, &b, Binary::And),
            Form::Or(a, b) => self.both(&a, &b, Binary::Or),
            Form::Cast(a) => {
                let (given, value) = (kind_of(&a).ok()?, self.column(&a)?);
                self.convert(value, given, kind)
            }
            Form::Choice(condition, yes, no) => {
                let condition = self.column(&condition)?;
                let condition = self.operand(K::Int, condition)?;
                let a = self.under(condition, true, |columns| columns.column(&yes))?;
                let b = self.under(condition, false, |columns| columns.column(&no))?;
                let kind = ColumnKind::of(kind)?;
                let (a, b) = (self.operand(kind, a)?, self.operand(kind, b)?);
                Some(self.made(kind, |to| Step::Choose { kind, to, condition, a, b }))
            }
            Form::Load(load) if load.predicate.is_none() => {
                let access = self.access(&load.buffer, &load.indices, false)?;
                let kind = ColumnKind::of(kind)?;
                Some(self.made(kind, |to| Step::Load { kind, to, access }))
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
        let first = self.operand(K::Int, first)?;
        let second = self.under(first, operation == Binary::And, |columns| {
            let second = columns.column(b)?;
            columns.operand(K::Int, second)
        })?;
        Some(self.made(K::Int, |to| Step::Int { operation, to, a: first, b: second, mask: None }))
    }

    /// The numbers, rounded to their type.
    fn rounded(&mut self, from: ColumnId, kind: Kind) -> Column {
        match kind {
            Kind::Float(ElementType::F32) => self.made(K::Single, |to| Step::Narrow { to, from }),
            Kind::Float(element) if element != ElementType::F64 => {
                self.made(K::Float, |to| Step::Round { to, from, element })
            }
            _ => Column::Of(K::Float, from),
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
                let (a, b, mask) = (self.operand(K::Int, a)?, self.operand(K::Int, b)?, self.mask);
                let column = self.push(K::Int, |to| Step::Int { operation, to, a, b, mask });
                if operation.may_leave_range() && kind.bits < 64 {
                    self.code.steps.push(Step::Wrap { to: column, kind });
                }
                Some(Column::Of(K::Int, column))
            }
            Kind::Float(_) if operation.is_comparison() => {
                let kind = ColumnKind::of(kind)?;
                let (a, b) = (self.operand(kind, a)?, self.operand(kind, b)?);
                Some(self.made(K::Int, |to| Step::Compare { kind, operation, to, a, b }))
            }
            Kind::Float(ElementType::F32) if operation.has_singles() => {
                let (a, b) = (self.operand(K::Single, a)?, self.operand(K::Single, b)?);
                Some(self.made(K::Single, |to| Step::Float { kind: K::Single, operation, to, a, b }))
            }
            Kind::Float(_) if operation.is_division() && operation != Binary::Mod => {
                let (x, y) = (self.operand(K::Float, a)?, self.operand(K::Float, b)?);
                let quotient =
                    self.push(K::Float, |to| Step::Float { kind: K::Float, operation: Binary::Div, to, a: x, b: y });
                let quotient = self.rounded(quotient, kind);
                if operation == Binary::Div {
                    return Some(quotient);
                }
                let quotient = self.operand(K::Float, quotient)?;
                let floor = self.push(K::Float, |to| Step::Function { function: f64::floor, to, from: quotient });
                if operation == Binary::FloorDiv {
                    return Some(Column::Of(K::Float, floor));
                }
                let product = self.operation(Binary::Mul, kind, Column::Of(K::Float, floor), b)?;
                self.operation(Binary::Sub, kind, a, product)
            }
            Kind::Float(_) if operation.has_floats() => {
                let (a, b) = (self.operand(K::Float, a)?, self.operand(K::Float, b)?);
                let result = self.push(K::Float, |to| Step::Float { kind: K::Float, operation, to, a, b });
                let is_exact = matches!(operation, Binary::Min | Binary::Max | Binary::CopySign);
                Some(if is_exact { Column::Of(K::Float, result) } else { self.rounded(result, kind) })
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
                let from = self.operand(K::Float, value)?;
                match intrinsic {
                    Intrinsic::Function(function) => {
                        let result = self.push(K::Float, |to| Step::Function { function, to, from });
                        Some(self.rounded(result, kind))
                    }
                    Intrinsic::Abs => Some(self.made(K::Float, |to| Step::Function { function: f64::abs, to, from })),
                    Intrinsic::Test(test, _) => Some(self.made(K::Int, |to| Step::Test { test, to, from })),
                    _ => None,
                }
            }
            Kind::Int(kind) => {
                let from = self.operand(K::Int, value)?;
                let function = match intrinsic {
                    Intrinsic::Not => IntFunction::Not,
                    Intrinsic::Abs => IntFunction::Abs,
                    Intrinsic::PopCount => IntFunction::PopCount,
                    Intrinsic::LeadingZeros => IntFunction::LeadingZeros,
                    _ => return None,
                };
                Some(self.made(K::Int, |to| Step::IntFunction { function, kind, to, from }))
            }
            Kind::Pointer => None,
        }
    }

    fn convert(&mut self, value: Column, given: Kind, kind: Kind) -> Option<Column> {
        match (given, kind) {
            (Kind::Int(given), Kind::Int(kind)) => {
                let from = self.operand(K::Int, value)?;
                if kind == IntKind::BOOL && given != kind {
                    let function = IntFunction::Truth;
                    return Some(self.made(K::Int, |to| Step::IntFunction { function, kind, to, from }));
                }
                let fits = given == kind || given.bits < kind.bits && (kind.is_signed || !given.is_signed);
                if fits || kind.bits == 64 {
                    return Some(Column::Of(K::Int, from));
                }
                let zero = self.compiler.int(0);
                let zero = self.filled(K::Int, zero);
                let to = self.push(K::Int, |to| Step::Int { operation: Binary::Add, to, a: from, b: zero, mask: None });
                self.code.steps.push(Step::Wrap { to, kind });
                Some(Column::Of(K::Int, to))
            }
            (Kind::Int(given), Kind::Float(_)) => {
                let from = self.operand(K::Int, value)?;
                let result = self.push(K::Float, |to| Step::ToFloat { to, from, kind: given });
                Some(self.rounded(result, kind))
            }
            (Kind::Float(_), Kind::Int(kind)) => {
                let from = self.operand(K::Float, value)?;
                Some(self.made(K::Int, |to| Step::ToInt { to, from, kind }))
            }
            (Kind::Float(given), Kind::Float(element)) if given != element => {
                let from = self.operand(K::Float, value)?;
                Some(self.rounded(from, kind))
            }
            (Kind::Float(_), Kind::Float(_)) => Some(value),
            _ => None,
        }
    }
}
