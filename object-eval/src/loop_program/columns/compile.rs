//! [`Columns`]: loops as steps over columns.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{self, Buffer, Stmt};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{ColumnAccess, ColumnDim, ColumnId, ColumnKind, ColumnLoop, Counter, Fold, Guard, Linear, MAX_LOOPS, Step};
use crate::loop_program::arithmetic::Binary;
use crate::loop_program::blocks::{is_reduction, is_true};
use crate::loop_program::buffers::element_of;
use crate::loop_program::compiler::{Compiler, key};
use crate::loop_program::form::{Form, kind_of};
use crate::loop_program::kind::Kind;
use crate::loop_program::registers::{Place, Register};
use crate::loop_program::statements::is_thread_loop;

/// The value of an expression in all iterations.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// A number that all iterations share.
    SharedInt(Register),
    SharedFloat(Register),
    Affine(Linear),
    /// A column in the list of this kind.
    Of(ColumnKind, ColumnId),
}

/// A loop under compilation. A method returns `None` for a part that does not run by columns.
pub(super) struct Columns<'c> {
    pub(super) compiler: &'c mut Compiler,
    /// The variables of the loops.
    pub(super) loops: Vec<usize>,
    pub(super) vars: FxHashMap<usize, Column>,
    pub(super) code: ColumnLoop,
    pub(super) mask: Option<ColumnId>,
    pub(super) is_shared: FxHashMap<usize, bool>,
    pub(super) not_affine: FxHashSet<usize>,
    pub(super) filled: FxHashMap<(ColumnKind, Register), ColumnId>,
}

impl Compiler {
    /// Compiles a loop by columns, and returns its number. The instructions for the numbers that all iterations share come
    /// first.
    pub(in crate::loop_program) fn columns(&mut self, it: &tir::For, (var, end): (Register, Register)) -> Option<u32> {
        self.by_columns(|columns| {
            columns.push_loop(&it.loop_var, var, end)?;
            columns.statement(&it.body)
        })
    }

    /// Compiles loops by columns, and returns their number. Leaves no instructions if that is not possible.
    pub(super) fn by_columns(&mut self, compile: impl FnOnce(&mut Columns<'_>) -> Option<()>) -> Option<u32> {
        let mark = self.code.instructions.len();
        let compiled = self.scope(|compiler| {
            let mut columns = Columns {
                compiler,
                loops: Vec::new(),
                vars: FxHashMap::default(),
                code: ColumnLoop::default(),
                mask: None,
                is_shared: FxHashMap::default(),
                not_affine: FxHashSet::default(),
                filled: FxHashMap::default(),
            };
            Ok(compile(&mut columns).map(|()| columns.code))
        });
        match compiled {
            Ok(Some(code)) => {
                self.code.columns.push(code);
                u32::try_from(self.code.columns.len() - 1).ok()
            }
            _ => {
                self.code.instructions.truncate(mark);
                None
            }
        }
    }
}

impl Columns<'_> {
    /// Adds a loop within the ones so far. `None` if a loop has the variable already, or there are too many.
    pub(super) fn push_loop(&mut self, var: &tir::Var, begin: Register, end: Register) -> Option<()> {
        let is_new = !self.loops.contains(&key(var)) && self.loops.len() < MAX_LOOPS;
        is_new.then_some(())?;
        self.loops.push(key(var));
        self.code.loops.push(Counter { begin, end, is_repeated: false });
        Some(())
    }

    /// Whether the loops are a nest.
    pub(super) fn is_nest(&self) -> bool {
        self.loops.len() > 1
    }

    /// Runs a step on one level deeper.
    pub(super) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.compiler.go_down().ok()?;
        let result = with_stack(|| step(self));
        self.compiler.go_up();
        result
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) -> Option<()> {
        self.deeper(|columns| columns.step(stmt))
    }

    fn step(&mut self, stmt: &Stmt) -> Option<()> {
        if let Some(it) = stmt.downcast_ref::<tir::SeqStmt>() {
            return it.seq.iter().try_for_each(|stmt| self.statement(&stmt));
        }
        if let Some(it) = stmt.downcast_ref::<tir::BufferStore>() {
            return self.store(it);
        }
        if let Some(it) = stmt.downcast_ref::<tir::SBlockRealize>() {
            return self.block(it);
        }
        if let Some(it) = stmt.downcast_ref::<tir::Bind>() {
            return self.bind(&it.var, &it.value);
        }
        if let Some(it) = stmt.downcast_ref::<tir::IfThenElse>() {
            let condition = self.column(&it.condition)?;
            let condition = self.operand(ColumnKind::Int, condition)?;
            self.under(condition, true, |columns| columns.statement(&it.then_case))?;
            return match &it.else_case {
                Some(other) => self.under(condition, false, |columns| columns.statement(other)),
                None => Some(()),
            };
        }
        if let Some(it) = stmt.downcast_ref::<tir::AttrStmt>() {
            return if is_thread_loop(it) { None } else { self.statement(&it.body) };
        }
        let evaluate = stmt.downcast_ref::<tir::Evaluate>()?;
        evaluate.value.is::<IntImm>().then_some(())
    }

    /// Compiles a part that runs in the iterations where a condition holds, or where it does not.
    pub(super) fn under<T>(
        &mut self,
        condition: ColumnId,
        holds: bool,
        part: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let outer = self.mask;
        let condition = if holds { condition } else { self.negation(condition) };
        self.mask = Some(match outer {
            Some(outer) => self.push(ColumnKind::Int, |to| Step::Int {
                operation: Binary::And,
                to,
                a: outer,
                b: condition,
                mask: None,
            }),
            None => condition,
        });
        let result = part(self);
        self.mask = outer;
        result
    }

    fn block(&mut self, realize: &tir::SBlockRealize) -> Option<()> {
        let block = &realize.block;
        let is_plain = block.alloc_buffers.is_empty() && block.match_buffers.is_empty();
        if !is_plain || block.iter_vars.len() != realize.iter_values.len() {
            return None;
        }
        for (axis, value) in block.iter_vars.iter().zip(&*realize.iter_values) {
            self.bind(&axis.var, value)?;
        }
        if let Some(init) = &block.init {
            let mut guards = Vec::new();
            for axis in block.iter_vars.iter().filter(is_reduction) {
                let value = self.affine(&axis.var.clone().into())?;
                let first = self.compiler.first_value(&axis).ok()?;
                guards.push(Guard { value, first });
            }
            self.code.inits.push(guards);
            if self.is_nest() {
                is_true(&realize.predicate).then_some(())?;
                self.start(init)?;
            }
        }
        if is_true(&realize.predicate) {
            return self.statement(&block.body);
        }
        let condition = self.column(&realize.predicate)?;
        let condition = self.operand(ColumnKind::Int, condition)?;
        self.under(condition, true, |columns| columns.statement(&block.body))
    }

    /// Makes the value of a variable known.
    pub(super) fn bind(&mut self, var: &tir::Var, value: &PrimExpr) -> Option<()> {
        let column = match self.column(value)? {
            Column::Affine(value) if self.is_constant(&value) => Column::SharedInt(value.base),
            column => column,
        };
        match column {
            Column::SharedInt(register) => self.compiler.define(var, vec![Place::Int(register)]),
            Column::SharedFloat(register) => self.compiler.define(var, vec![Place::Float(register)]),
            column => _ = self.vars.insert(key(var), column),
        }
        Some(())
    }

    fn store(&mut self, store: &tir::BufferStore) -> Option<()> {
        if store.predicate.is_some() || store.value.dtype.lanes() != 1 || store.buffer.dtype != store.value.dtype {
            return None;
        }
        if self.mask.is_none() && self.fold(store).is_some() {
            return Some(());
        }
        let value = self.column(&store.value)?;
        let access = self.access(&store.buffer, &store.indices, true)?;
        let kind = ColumnKind::of(kind_of(&store.value).ok()?)?;
        let from = self.operand(kind, value)?;
        self.code.steps.push(Step::Store { kind, from, access });
        self.written(access);
        Some(())
    }

    /// A store of a combination of the element itself with a value, into one element in all iterations.
    fn fold(&mut self, store: &tir::BufferStore) -> Option<()> {
        let Ok(Form::Binary(operation, a, b)) = Form::of(&store.value) else { return None };
        if !matches!(operation, Binary::Add | Binary::Mul | Binary::Min | Binary::Max) {
            return None;
        }
        let is_element = |expr: &PrimExpr| {
            expr.downcast_ref::<tir::BufferLoad>().is_some_and(|load| {
                load.buffer.as_object().ptr_eq(store.buffer.as_object())
                    && load.indices.len() == store.indices.len()
                    && load.indices.iter().zip(&*store.indices).all(|(a, b)| structural_equal(&a, b))
            })
        };
        let (value, is_swapped) = if is_element(&a) {
            (b, false)
        } else if is_element(&b) {
            (a, true)
        } else {
            return None;
        };
        if !self.is_nest() && !store.indices.iter().all(|index| self.is_shared(&index)) {
            return None;
        }
        let kind = kind_of(&value).ok()?;
        let value = self.column(&value)?;
        let is_ordered = !matches!(kind, Kind::Int(kind) if kind.is_u64());
        let column = ColumnKind::of(kind).filter(|_| is_ordered)?;
        let (from, access) = (self.operand(column, value)?, self.access(&store.buffer, &store.indices, true)?);
        self.code.steps.push(Step::Fold { fold: Fold { operation, kind, is_swapped }, from, access });
        self.code.accesses[access as usize].is_fold = true;
        if self.is_nest() {
            self.add_total(access, column);
        }
        self.written(access);
        Some(())
    }

    fn written(&mut self, access: u32) {
        let memory = self.code.accesses[access as usize].memory;
        self.compiler.code.is_written[memory as usize] = true;
    }

    /// An access to a buffer.
    pub(super) fn access(&mut self, buffer: &Buffer, indices: &Array<PrimExpr>, is_store: bool) -> Option<u32> {
        let place = self.compiler.place_of(buffer).ok()?;
        if indices.len() != place.extents.len() || buffer.dtype.lanes() != 1 {
            return None;
        }
        let mut dims = Vec::with_capacity(indices.len());
        for (dim, index) in indices.iter().enumerate() {
            let (index, column) = match self.affine(&index) {
                Some(value) => (value, None),
                None => {
                    let (zero, index) = (self.compiler.int(0), self.column(&index)?);
                    (self.constant(zero), Some(self.operand(ColumnKind::Int, index)?))
                }
            };
            dims.push(ColumnDim { index, column, extent: place.extents[dim], stride: place.strides[dim] });
        }
        let element = element_of(buffer).ok()?;
        self.code.accesses.push(ColumnAccess {
            name: place.name,
            memory: place.memory,
            element,
            size: element.size(),
            dims,
            offset: place.offset,
            mask: self.mask,
            is_store,
            is_fold: false,
            total: None,
            is_start: false,
        });
        u32::try_from(self.code.accesses.len() - 1).ok()
    }
}
