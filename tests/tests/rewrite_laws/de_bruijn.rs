//! Terms in the notation of de Bruijn: a short definition of substitution.

use object_core::prelude::*;

use crate::demo::{Add, Expr, Imm, Lambda, Let, Var};

/// A term. A bound variable is the number of binders between the variable and its binder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    Bound(usize),
    /// The index of the variable among the variables of the test; `None` for any other.
    Free(Option<usize>),
    Imm(i64),
    Add(Box<Term>, Box<Term>),
    Lambda(Box<Term>),
    Let(Box<Term>, Box<Term>),
}

impl Term {
    /// The term of `expr`, where `bound` are the variables of the binders around it, the innermost last.
    pub(crate) fn of(expr: &Expr, vars: &[Var], bound: &mut Vec<Var>) -> Term {
        if let Some(var) = expr.downcast_ref::<Var>() {
            let binder = bound.iter().rev().position(|binder| binder.ptr_eq(var));
            return binder.map_or_else(|| Term::Free(vars.iter().position(|known| known.ptr_eq(var))), Term::Bound);
        }
        if let Some(sum) = expr.downcast_ref::<Add>() {
            return Term::Add(Box::new(Term::of(&sum.lhs, vars, bound)), Box::new(Term::of(&sum.rhs, vars, bound)));
        }
        let mut under = |var: &Var, body: &Expr| {
            bound.push(var.clone());
            let body = Term::of(body, vars, bound);
            bound.pop();
            Box::new(body)
        };
        if let Some(lambda) = expr.downcast_ref::<Lambda>() {
            return Term::Lambda(under(&lambda.params[0], &lambda.body));
        }
        if let Some(binding) = expr.downcast_ref::<Let>() {
            let body = under(&binding.var, &binding.body);
            return Term::Let(Box::new(Term::of(&binding.value, vars, bound)), body);
        }
        Term::Imm(expr.downcast_ref::<Imm>().map_or(0, |number| number.value))
    }

    /// Replaces free variables by values. Every bound variable of a value is bound inside of the value, so the indices
    /// need no shift.
    pub(crate) fn substitute(&self, values: &[(usize, Term)]) -> Term {
        match self {
            Term::Free(Some(var)) => {
                values.iter().find(|(known, _)| known == var).map_or_else(|| self.clone(), |(_, value)| value.clone())
            }
            Term::Bound(_) | Term::Free(None) | Term::Imm(_) => self.clone(),
            Term::Add(a, b) => Term::Add(Box::new(a.substitute(values)), Box::new(b.substitute(values))),
            Term::Lambda(body) => Term::Lambda(Box::new(body.substitute(values))),
            Term::Let(value, body) => Term::Let(Box::new(value.substitute(values)), Box::new(body.substitute(values))),
        }
    }

    /// The free variables, in the order of their first occurrence.
    pub(crate) fn free(&self, into: &mut Vec<usize>) {
        match self {
            Term::Free(Some(var)) if !into.contains(var) => into.push(*var),
            Term::Free(_) | Term::Bound(_) | Term::Imm(_) => {}
            Term::Lambda(body) => body.free(into),
            Term::Add(a, b) | Term::Let(a, b) => {
                a.free(into);
                b.free(into);
            }
        }
    }
}
