//! Blocks as instructions.
//!
//! TVM 0.25 `src/s_tir/transform/lower_init_block.cc` and `lower_opaque_block.cc`.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{self, iter_var_type};

use super::arithmetic::Binary;
use super::code::Instruction;
use super::compiler::Compiler;
use super::kind::Kind;
use super::registers::{Place, Register};

impl Compiler {
    /// Compiles a block: its axes get values, and it runs where its predicate holds.
    pub(super) fn block(&mut self, realize: &tir::SBlockRealize) -> Result<(), Error> {
        let block = &realize.block;
        if block.iter_vars.len() != realize.iter_values.len() {
            let message = format!(
                "the block `{}` has {} axes, got {} values",
                block.name_hint,
                block.iter_vars.len(),
                realize.iter_values.len()
            );
            return Err(Error::new(ErrorKind::BadReference, message));
        }
        for (axis, value) in block.iter_vars.iter().zip(&*realize.iter_values) {
            self.bind(&axis.var, value)?;
        }
        let end = self.new_label();
        if !is_true(&realize.predicate) {
            let condition = self.condition(&realize.predicate)?;
            self.emit(Instruction::JumpUnless { condition, to: end });
        }
        for buffer in &*block.alloc_buffers {
            self.allocate(buffer)?;
        }
        for matched in &*block.match_buffers {
            self.match_region(matched)?;
        }
        if let Some(init) = &block.init {
            let skip = self.new_label();
            for axis in block.iter_vars.iter().filter(is_reduction) {
                let condition = self.at_first(&axis)?;
                self.emit(Instruction::JumpUnless { condition, to: skip });
            }
            self.body(init)?;
            self.place(skip);
        }
        self.body(&block.body)?;
        self.place(end);
        Ok(())
    }

    /// Whether an axis has its first value.
    fn at_first(&mut self, axis: &tir::IterVar) -> Result<Register, Error> {
        let first = self.first_value(axis)?;
        let value = self.integer(&axis.var.clone().into())?;
        match self.binary(Binary::Eq, Self::INDEX, Place::Int(value), Place::Int(first)) {
            Some(Place::Int(condition)) => Ok(condition),
            _ => Err(Error::new(ErrorKind::TypeMismatch, "expected an integer as the value of an axis")),
        }
    }

    /// The first value of an axis.
    pub(super) fn first_value(&mut self, axis: &tir::IterVar) -> Result<Register, Error> {
        match &axis.dom {
            Some(range) => self.integer(&range.min),
            None => Ok(self.int(0)),
        }
    }

    /// A reduction as an expression: a loop for each axis, which combines values.
    pub(super) fn reduce(&mut self, reduce: &tir::Reduce) -> Result<Place, Error> {
        let combiner = &reduce.combiner;
        let start = if reduce.init.is_empty() { &combiner.identity_element } else { &reduce.init };
        let count = reduce.source.len();
        let result = usize::try_from(reduce.value_index).ok().filter(|index| *index < count);
        let sizes = [start.len(), combiner.lhs.len(), combiner.rhs.len(), combiner.result.len()];
        let (Some(result), true) = (result, sizes.iter().all(|size| *size == count)) else {
            return Err(Error::new(ErrorKind::OutOfRange, "the parts of a reduction differ in number"));
        };
        let mut totals = Vec::new();
        for value in &**start {
            let (total, from) = (self.new_place(Kind::of(value.dtype)?), self.expression(value)?);
            self.copy(total, from);
            totals.push(total);
        }
        let axes: Vec<tir::IterVar> = reduce.axis.iter().collect();
        self.reduce_axes(reduce, &axes, &totals)?;
        Ok(totals[result])
    }

    fn reduce_axes(&mut self, reduce: &tir::Reduce, axes: &[tir::IterVar], totals: &[Place]) -> Result<(), Error> {
        let Some((axis, inner)) = axes.split_first() else { return self.combine(reduce, totals) };
        let Some(range) = &axis.dom else {
            return Err(Error::new(ErrorKind::BadReference, format!("the axis `{}` has no range", axis.var.name)));
        };
        let var = self.counter(&axis.var, &range.min)?;
        let extent = self.integer(&range.extent)?;
        let (end, step) = (self.index(Binary::Add, var, extent), self.int(1));
        self.repeat(
            (var, end, step),
            |_, _| None,
            |compiler| {
                compiler.define(&axis.var, vec![Place::Int(var)]);
                compiler.deeper(|compiler| compiler.reduce_axes(reduce, inner, totals))
            },
        )
    }

    fn combine(&mut self, reduce: &tir::Reduce, totals: &[Place]) -> Result<(), Error> {
        let end = self.new_label();
        if !is_true(&reduce.condition) {
            let condition = self.condition(&reduce.condition)?;
            self.emit(Instruction::JumpUnless { condition, to: end });
        }
        let combiner = &reduce.combiner;
        for ((lhs, rhs), (total, value)) in
            combiner.lhs.iter().zip(&*combiner.rhs).zip(totals.iter().zip(&*reduce.source))
        {
            let value = self.expression(value)?;
            self.define(&lhs, vec![*total]);
            self.define(rhs, vec![value]);
        }
        let mut results = Vec::new();
        for result in &*combiner.result {
            results.push(self.expression(result)?);
        }
        // A result may be a total that another result needs, so copies of all results come first.
        let mut copies = Vec::new();
        for result in results {
            let copy = match result {
                Place::Float(_) => Place::Float(self.new_float()),
                _ => Place::Int(self.new_int()),
            };
            self.copy(copy, result);
            copies.push(copy);
        }
        totals.iter().zip(copies).for_each(|(total, copy)| self.copy(*total, copy));
        self.place(end);
        Ok(())
    }
}

/// Whether an axis of a block is reduced.
pub(super) fn is_reduction(axis: &tir::IterVar) -> bool {
    axis.iter_type == iter_var_type::COMM_REDUCE
}

/// Whether an expression is the constant `true`.
pub(super) fn is_true(expr: &PrimExpr) -> bool {
    expr.downcast_ref::<IntImm>().is_some_and(|it| it.value != 0)
}
