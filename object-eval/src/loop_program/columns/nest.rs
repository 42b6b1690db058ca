//! Nests of loops as steps over columns.

use object_core::prelude::*;
use object_ir::tir::{self, Stmt};

use super::compile::Columns;
use super::{ColumnKind, MAX_LOOPS, Step};
use crate::loop_program::arithmetic::Binary;
use crate::loop_program::compiler::Compiler;
use crate::loop_program::registers::Register;

impl Compiler {
    /// Compiles a loop, with the loop that is its whole body and so on, and returns the number of the nest. The instructions for the
    /// numbers that all iterations share come first. `None` if the bounds of a loop depend on an outer one.
    pub(in crate::loop_program) fn nest(&mut self, it: &tir::For, (var, end): (Register, Register)) -> Option<u32> {
        // In another loop, a loop alone runs with other numbers each time, so a plan is of no use.
        let is_alone = !it.body.is::<tir::For>();
        (!is_alone || self.loops.len() == 1).then_some(())?;
        self.by_columns(|columns| {
            columns.push_loop(&it.loop_var, var, end)?;
            let mut body: &Stmt = &it.body;
            while let Some(inner) = body.downcast_ref::<tir::For>() {
                columns.inner_loop(inner)?;
                body = &inner.body;
            }
            columns.statement(body)?;
            columns.repeat_loops()
        })
    }
}

impl Columns<'_> {
    fn inner_loop(&mut self, it: &tir::For) -> Option<()> {
        let is_plain = it.step.is_none() && self.is_shared(&it.min) && self.is_shared(&it.extent);
        is_plain.then_some(())?;
        let begin = self.compiler.integer(&it.min).ok()?;
        let extent = self.compiler.integer(&it.extent).ok()?;
        let end = self.compiler.index(Binary::Add, begin, extent);
        self.push_loop(&it.loop_var, begin, end)
    }

    /// Lets the loops whose variables no store uses be repeated. `None` if no loop has lanes.
    fn repeat_loops(&mut self) -> Option<()> {
        let mut is_repeated = [true; MAX_LOOPS];
        for access in self.code.accesses.iter().filter(|access| access.is_store && !access.is_start) {
            for dim in &access.dims {
                dim.column.is_none().then_some(())?;
                for (is_repeated, coefficient) in is_repeated.iter_mut().zip(dim.index.coefficients) {
                    *is_repeated &= self.compiler.constant(coefficient) == Some(0);
                }
            }
        }
        for (counter, is_repeated) in self.code.loops.iter_mut().zip(is_repeated) {
            counter.is_repeated = is_repeated;
        }
        self.find_fixed();
        self.code.loops.iter().any(|counter| !counter.is_repeated).then_some(())
    }

    /// Compiles the initialization of a block, with the steps before it: the ones for the values of the axes. `None` if these
    /// store, or another block has an initialization.
    pub(super) fn start(&mut self, init: &Stmt) -> Option<()> {
        let is_first = self.code.inits.len() == 1 && !self.code.accesses.iter().any(|access| access.is_store);
        is_first.then_some(())?;
        let (mark, accesses) = (self.code.steps.len(), self.code.accesses.len());
        self.statement(init)?;
        let accesses = &mut self.code.accesses[accesses..];
        // The elements of folds are loaded after the initialization.
        accesses.iter().all(|access| access.total.is_none()).then_some(())?;
        accesses.iter_mut().for_each(|access| access.is_start = true);
        self.code.start = self.code.steps.clone();
        self.code.steps.truncate(mark);
        Some(())
    }

    /// Lets the lanes fold into a column, which is loaded before the repeated loops and stored after them.
    pub(super) fn add_total(&mut self, access: u32, kind: ColumnKind) {
        let from = self.push(kind, |to| Step::Load { kind, to, access });
        self.code.load_totals.extend(self.code.steps.pop());
        self.code.store_totals.push(Step::Store { kind, from, access });
        self.code.accesses[access as usize].total = Some(from);
    }
}
