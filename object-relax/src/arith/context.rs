//! [`Context`]: the facts of an [`Analyzer`](super::Analyzer) about variables.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::{SizeVar, Var};
use rustc_hash::FxHashMap;

use super::normal::expand::Variables;
use super::normal::interval::Interval;
use crate::addresses::address;

/// The facts about variables, by their addresses, and the conditions that hold.
#[derive(Clone, Debug, Default)]
pub(in crate::arith) struct Context {
    variables: FxHashMap<usize, Known>,
    pub(in crate::arith) constraints: Vec<PrimExpr>,
    /// Whether variables without facts are not negative.
    pub(in crate::arith) shape_variables: bool,
}

/// The facts about a variable.
#[derive(Clone, Debug)]
struct Known {
    /// Keeps the address in use.
    _var: PrimExpr,
    interval: Interval,
    value: Option<PrimExpr>,
}

impl Context {
    pub(in crate::arith) fn bind(&mut self, var: &Var, value: PrimExpr) {
        self.known(var).value = Some(value);
    }

    /// Replaces the bounds of a variable, and removes its value.
    pub(in crate::arith) fn set_interval(&mut self, var: &Var, interval: Interval) {
        let known = self.known(var);
        known.interval = interval;
        known.value = None;
    }

    /// Whether no fact mentions the variable.
    pub(in crate::arith) fn knows_nothing_about(&self, var: &Var) -> bool {
        self.constraints.is_empty() && !self.variables.contains_key(&address(var))
    }

    fn known(&mut self, var: &Var) -> &mut Known {
        let expr = PrimExpr::from(var.clone());
        let interval = self.interval(&expr);
        self.variables.entry(address(&expr)).or_insert(Known { _var: expr, interval, value: None })
    }
}

impl Variables for Context {
    fn interval(&self, var: &PrimExpr) -> Interval {
        // The range of `int64` is open, as in TVM: bounds near its ends say nothing, but make numbers large.
        let range = Interval::of_dtype(var.dtype).filter(|_| var.dtype != DataType::int(64)).unwrap_or(Interval::ALL);
        match self.variables.get(&address(var)) {
            Some(known) => range.intersect(known.interval),
            None if self.shape_variables || var.is::<SizeVar>() => range.intersect(Interval::at_least(0)),
            None => range,
        }
    }

    fn value(&self, var: &PrimExpr) -> Option<&PrimExpr> {
        self.variables.get(&address(var))?.value.as_ref()
    }
}
