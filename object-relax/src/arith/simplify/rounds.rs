//! [`simplest`]: forms of an expression, until none is shorter.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::context::Context;
use super::super::normal::arena::Steps;
use super::super::normal::interval::Interval;
use super::super::normal::operation::Operation;
use super::super::query::Query;
use super::emit::{Emitter, FactorOrder, Style, build};
use super::factor::{Factoring, Form};
use super::overflow::{is_ring, overflow_keeps_value};
use super::size::size;
use crate::addresses::address;

/// The most forms that one simplification goes through.
const MAX_ROUNDS: usize = 16;

/// The most forms of the same length that are tried one after the other.
const MAX_DETOUR: usize = 4;

/// The share of the steps of one question that a proof about overflow may take. Most proofs take a hundredth; a statement
/// without a proof takes all.
const PROOF: usize = 16;

/// How often the steps of one question suffice for the parts of an expression that has no simpler form as a whole.
const PARTS: usize = 2;

/// A form of `expr` that is not longer and has the same value wherever `expr` does not overflow. The simplest form of the
/// result is the result.
pub(in crate::arith) fn simplest(context: &Context, max_steps: usize, expr: &PrimExpr) -> PrimExpr {
    let next = |expr: &PrimExpr| {
        let left = max_steps.saturating_mul(PARTS);
        Round { context, max_steps, left, kept: FxHashSet::default() }.simplify(expr)
    };
    let (mut simplest, mut length) = (expr.clone(), size(expr));
    for _ in 0..MAX_ROUNDS {
        // A form of the same length is taken if it is the last one, or if it leads to a shorter one.
        let (mut form, mut form_length, mut is_last) = (simplest.clone(), length, false);
        for _ in 0..MAX_DETOUR {
            let other = next(&form);
            // The form stays the same object, because equal objects may share other parts.
            is_last = structural_equal(&other, &form);
            if is_last {
                break;
            }
            (form_length, form) = (size(&other), other);
            if form_length < length {
                break;
            }
        }
        if is_last {
            return form;
        }
        if form_length >= length {
            break;
        }
        (simplest, length) = (form, form_length);
    }
    simplest
}

/// One pass over an expression.
struct Round<'c> {
    context: &'c Context,
    max_steps: usize,
    /// The steps that are left for all questions.
    left: usize,
    /// The addresses of the parts without a simpler form.
    kept: FxHashSet<usize>,
}

/// A part of the expression. It is in the range of its type if the expression is computed without overflow, unless it is a
/// part of a sum or product in a form that wraps.
#[derive(Clone, Copy)]
struct Part<'e> {
    expr: &'e PrimExpr,
    is_in_range: bool,
}

enum Task<'e> {
    Enter(Part<'e>),
    Leave(Part<'e>, Operation, usize),
}

impl Round<'_> {
    /// A simpler form of the whole expression, or else the simpler form in which parts without one stay as they are.
    fn simplify(&mut self, root: &PrimExpr) -> PrimExpr {
        let mut known: FxHashMap<(usize, bool), PrimExpr> = FxHashMap::default();
        let mut results: Vec<PrimExpr> = Vec::new();
        let mut tasks = vec![Task::Enter(Part { expr: root, is_in_range: true })];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Enter(part @ Part { expr, is_in_range }) => {
                    // The parts of another occurrence are not kept, so the form does not depend on shared parts.
                    let kept = std::mem::take(&mut self.kept);
                    let form = known.get(&(address(expr), is_in_range)).cloned().or_else(|| self.form(part));
                    self.kept = kept;
                    let (operation, operands) = Operation::of(expr);
                    match form {
                        Some(form) => results.push(form),
                        None if operands.is_empty() || self.left == 0 => results.push(expr.clone()),
                        None => {
                            tasks.push(Task::Leave(part, operation, operands.len()));
                            let is_in_range = !is_ring(operation);
                            tasks
                                .extend(operands.into_iter().rev().map(|expr| Task::Enter(Part { expr, is_in_range })));
                        }
                    }
                }
                Task::Leave(Part { expr, is_in_range }, operation, count) => {
                    let operands = results.split_off(results.len() - count);
                    let changed = with_operands(expr, operation, operands);
                    let is_other_question = !self.kept.is_empty() || !changed.ptr_eq(expr);
                    let form = if is_other_question { self.form(Part { expr: &changed, is_in_range }) } else { None };
                    let form = form.unwrap_or_else(|| {
                        self.kept.insert(address(&changed));
                        changed
                    });
                    // Also keeps the addresses in use.
                    known.insert((address(expr), is_in_range), form.clone());
                    results.push(form);
                }
            }
        }
        results.pop().unwrap_or_else(|| root.clone())
    }

    /// A form of `expr` as a whole, which may be the same one. `None` if no form is as short and keeps the value.
    fn form(&mut self, part: Part<'_>) -> Option<PrimExpr> {
        let expr = part.expr;
        if Interval::of_dtype(expr.dtype).is_none() || matches!(Operation::of(expr).0, Operation::Constant(_)) {
            return Some(expr.clone());
        }
        if self.left == 0 {
            return None;
        }
        let usual = self.factored(expr, Style::Usual);
        let expanded = self.expanded(expr);
        // Products that are multiplied out are simpler only if they cancel others.
        let is_shorter = |expanded: &PrimExpr| usual.as_ref().is_none_or(|usual| size(expanded) <= size(usual) / 2);
        let expanded = expanded.filter(is_shorter);
        let length = size(expr);
        for form in [expanded, usual].into_iter().flatten() {
            if self.is_better(part, length, &form) {
                return Some(form);
            }
        }
        self.factored(expr, Style::Cautious).filter(|form| self.is_better(part, length, form))
    }

    fn is_better(&mut self, part: Part<'_>, length: usize, form: &PrimExpr) -> bool {
        let Part { expr, is_in_range } = part;
        size(form) <= length
            && (structural_equal(form, expr)
                || self
                    .ask(PROOF, |context, steps| overflow_keeps_value(context, (expr, is_in_range), form, steps))
                    .unwrap_or(false))
    }

    fn factored(&mut self, expr: &PrimExpr, style: Style) -> Option<PrimExpr> {
        let kept = std::mem::take(&mut self.kept);
        let factored = self.ask(1, |context, steps| {
            // The conditions in the expression have as many steps as the expression.
            let mut of_conditions = Steps { left: steps.left };
            let mut query = Query::about_forms(context, &context.constraints, &mut of_conditions);
            let given = steps.left;
            let factored = Factoring::new(context, &mut query, steps, Form { style, kept: &kept }).simplify(expr);
            steps.left = steps.left.saturating_sub(given - of_conditions.left);
            factored
        });
        self.kept = kept;
        factored
    }

    fn expanded(&mut self, expr: &PrimExpr) -> Option<PrimExpr> {
        self.ask(1, |context, steps| {
            let mut query = Query::about_forms(context, &context.constraints, steps);
            let value = query.expand(expr)?;
            Emitter::new(query.arena(), &FactorOrder::default(), Style::Usual).emit(&value, expr.dtype)
        })
    }

    /// Asks a question, with all facts and at most the steps of one question divided by `share`.
    fn ask<T>(&mut self, share: usize, question: impl FnOnce(&Context, &mut Steps) -> Option<T>) -> Option<T> {
        let given = self.left.min(self.max_steps / share);
        let mut steps = Steps { left: given };
        let answer = question(self.context, &mut steps);
        self.left -= given - steps.left;
        answer
    }
}

/// `expr` with other operands. A condition that is a constant leaves one of the values.
fn with_operands(expr: &PrimExpr, operation: Operation, operands: Vec<PrimExpr>) -> PrimExpr {
    let constant = operands.first().and_then(|first| first.downcast_ref::<IntImm>()).map(|first| first.value != 0);
    let chosen = match (operation, constant) {
        (Operation::And, Some(is_true)) => Some(usize::from(is_true)),
        (Operation::Or, Some(is_true)) => Some(usize::from(!is_true)),
        (Operation::IfThenElse | Operation::Select, Some(is_true)) => Some(if is_true { 1 } else { 2 }),
        _ => None,
    };
    let chosen = chosen.and_then(|chosen| operands.get(chosen)).filter(|chosen| chosen.dtype == expr.dtype);
    if let Some(chosen) = chosen {
        return chosen.clone();
    }
    if Operation::of(expr).1.iter().zip(&operands).all(|(old, new)| old.ptr_eq(new)) {
        return expr.clone();
    }
    build(operation, expr.dtype, operands).unwrap_or_else(|| expr.clone())
}
