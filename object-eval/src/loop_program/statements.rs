//! Statements as instructions.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::kind::StmtKind;
use object_ir::tir::{self, Stmt};

use super::arithmetic::Binary;
use super::calls;
use super::code::Instruction;
use super::compiler::{Compiler, LoopLabels};
use super::expressions::lanes_of;
use super::form::{Form, kind_of};
use super::intrinsics::Intrinsic;
use super::kind::Kind;
use super::registers::{Place, Register};

/// The attributes of statements that stand for loops over the threads of a device.
const THREAD_LOOPS: [&str; 2] = ["thread_extent", "virtual_thread"];

/// The axis of threads that an attribute loops over.
fn thread_axis(it: &tir::AttrStmt) -> Option<tir::IterVar> {
    let Any::Object(axis) = &it.node else { return None };
    let axis = axis.downcast_ref::<tir::IterVar>().cloned();
    axis.filter(|_| THREAD_LOOPS.contains(&&*it.attr_key))
}

/// Whether an attribute is a loop over threads.
pub(super) fn is_thread_loop(it: &tir::AttrStmt) -> bool {
    thread_axis(it).is_some()
}

impl Compiler {
    /// Compiles a statement with its own definitions. A statement without a meaning fails when a run reaches it.
    pub(super) fn body(&mut self, stmt: &Stmt) -> Result<(), Error> {
        self.scope(|compiler| compiler.statement(stmt))
    }

    /// Compiles a statement, whose definitions the next statements see.
    pub(super) fn statement(&mut self, stmt: &Stmt) -> Result<(), Error> {
        let mark = self.code.instructions.len();
        let result = self.deeper(|compiler| compiler.step(stmt));
        match result {
            Err(error) if error.kind() != ErrorKind::LimitExceeded => {
                self.code.instructions.truncate(mark);
                let error = self.error(error);
                self.emit(Instruction::Fail { error });
                Ok(())
            }
            result => result,
        }
    }

    fn step(&mut self, stmt: &Stmt) -> Result<(), Error> {
        match StmtKind::of(stmt) {
            StmtKind::SeqStmt(it) => it.seq.iter().try_for_each(|stmt| self.statement(&stmt)),
            StmtKind::For(it) => self.for_loop(it),
            StmtKind::SBlockRealize(it) => self.scope(|compiler| compiler.block(it)),
            StmtKind::BufferStore(it) => self.store(it),
            StmtKind::Bind(it) => match kind_of(&it.value)? {
                Kind::Pointer => self.bind_pointer(&it.var, &it.value),
                _ => self.bind(&it.var, &it.value),
            },
            StmtKind::AllocBuffer(it) => self.allocate(&it.buffer),
            StmtKind::DeclBuffer(it) => self.place_of(&it.buffer).map(|_| ()),
            StmtKind::IfThenElse(it) => self.branch(it),
            StmtKind::While(it) => self.while_loop(it),
            StmtKind::AttrStmt(it) => self.attribute(it),
            StmtKind::AssertStmt(it) => self.assertion(it),
            StmtKind::Evaluate(it) => self.evaluate(&it.value),
            StmtKind::Break(_) => self.leave(true),
            StmtKind::Continue(_) => self.leave(false),
            StmtKind::SBlock(_) | StmtKind::ScopeIdDefStmt(_) | StmtKind::TilePrimitiveCall(_) | StmtKind::Other(_) => {
                let key = stmt.as_object().view().type_key();
                Err(Error::new(ErrorKind::Call, format!("the evaluator has no meaning for the statement `{key}`")))
            }
        }
    }

    fn for_loop(&mut self, it: &tir::For) -> Result<(), Error> {
        let var = self.counter(&it.loop_var, &it.min)?;
        let extent = self.integer(&it.extent)?;
        let end = self.index(Binary::Add, var, extent);
        let step = match &it.step {
            Some(step) => self.integer(step)?,
            None => self.int(1),
        };
        // A nest has all loops inside of it, so no second nest begins there.
        let is_inner = self.is_in_nest;
        let columns = |compiler: &mut Self, after: u32| {
            compiler.define(&it.loop_var, vec![Place::Int(var)]);
            if it.step.is_some() {
                return None;
            }
            let nest = if is_inner { None } else { compiler.nest(it, (var, end)) };
            if let Some(number) = nest {
                compiler.emit(Instruction::Nest { number, to: after });
                if it.body.is::<tir::For>() {
                    compiler.is_in_nest = true;
                    return None;
                }
            }
            compiler.columns(it, (var, end))
        };
        let result = self.repeat((var, end, step), columns, |compiler| compiler.body(&it.body));
        self.is_in_nest = is_inner;
        result
    }

    /// A register with the first value of a loop variable, which the loop changes.
    pub(super) fn counter(&mut self, var: &tir::Var, min: &PrimExpr) -> Result<Register, Error> {
        if !matches!(Kind::of(var.dtype)?, Kind::Int(_)) {
            let message = format!("expected an integer as the variable of a loop, got {:?}", var.dtype);
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let (from, to) = (self.integer(min)?, self.new_int());
        self.emit(Instruction::CopyInt { to, from });
        Ok(to)
    }

    /// A loop of a variable to an end. `before` gets the label of the end, runs before the first iteration, and may return the
    /// number of a loop by columns.
    pub(super) fn repeat(
        &mut self,
        (var, end, step): (Register, Register, Register),
        before: impl FnOnce(&mut Self, u32) -> Option<u32>,
        body: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (labels, head) = (LoopLabels { next: self.new_label(), end: self.new_label() }, self.new_label());
        self.emit(Instruction::LoopBegin { var, end, to: labels.end });
        self.loops.push(labels);
        let result = self.scope(|compiler| {
            let columns = before(compiler, labels.end);
            if let Some(number) = columns {
                let (tried, from) = (compiler.new_int(), compiler.int(0));
                compiler.emit(Instruction::CopyInt { to: tried, from });
                compiler.place(head);
                compiler.emit(Instruction::Columns { number, tried, to: labels.end });
            } else {
                compiler.place(head);
            }
            body(compiler)
        });
        self.loops.pop();
        self.place(labels.next);
        self.emit(Instruction::LoopNext { var, end, step, to: head });
        self.place(labels.end);
        result
    }

    fn while_loop(&mut self, it: &tir::While) -> Result<(), Error> {
        let labels = LoopLabels { next: self.new_label(), end: self.new_label() };
        self.place(labels.next);
        let condition = self.scope(|compiler| compiler.condition(&it.condition))?;
        self.emit(Instruction::JumpUnless { condition, to: labels.end });
        self.loops.push(labels);
        let result = self.body(&it.body);
        self.loops.pop();
        self.emit(Instruction::Jump { to: labels.next });
        self.place(labels.end);
        result
    }

    fn leave(&mut self, ends: bool) -> Result<(), Error> {
        let Some(labels) = self.loops.last().copied() else {
            return Err(Error::new(ErrorKind::BadReference, "`break` or `continue` outside of a loop"));
        };
        self.emit(Instruction::Jump { to: if ends { labels.end } else { labels.next } });
        Ok(())
    }

    fn branch(&mut self, it: &tir::IfThenElse) -> Result<(), Error> {
        let condition = self.condition(&it.condition)?;
        let (otherwise, end) = (self.new_label(), self.new_label());
        self.emit(Instruction::JumpUnless { condition, to: otherwise });
        self.body(&it.then_case)?;
        if it.else_case.is_some() {
            self.emit(Instruction::Jump { to: end });
        }
        self.place(otherwise);
        if let Some(other) = &it.else_case {
            self.body(other)?;
        }
        self.place(end);
        Ok(())
    }

    /// An attribute that gives a thread a number is a loop over the threads; other attributes are hints.
    fn attribute(&mut self, it: &tir::AttrStmt) -> Result<(), Error> {
        let Some(axis) = thread_axis(it) else { return self.body(&it.body) };
        if self.var(&axis.var).is_some() {
            // An outer attribute has given the thread its number.
            return self.body(&it.body);
        }
        let (end, from, step) = (self.integer(&it.value)?, self.int(0), self.int(1));
        let var = self.new_int();
        self.emit(Instruction::CopyInt { to: var, from });
        self.repeat(
            (var, end, step),
            |_, _| None,
            |compiler| {
                compiler.define(&axis.var, vec![Place::Int(var)]);
                compiler.body(&it.body)
            },
        )
    }

    fn assertion(&mut self, it: &tir::AssertStmt) -> Result<(), Error> {
        let (condition, end) = (self.condition(&it.condition)?, self.new_label());
        self.emit(Instruction::JumpIf { condition, to: end });
        let parts: String = it.message_parts.iter().map(|part| part.value.to_string()).collect();
        let error = self.error(Error::new(crate::ASSERTION_FAILED, format!("{}: {parts}", it.error_kind.value)));
        self.emit(Instruction::Fail { error });
        self.place(end);
        Ok(())
    }

    fn evaluate(&mut self, value: &PrimExpr) -> Result<(), Error> {
        match (Form::of(value)?, self.end_of_call) {
            (Form::Call(callee, args), _) => self.call(&callee, &args),
            (Form::Control(Intrinsic::Return, value), Some(to)) => {
                self.emit(Instruction::Jump { to });
                value.map_or(Ok(()), |_| Err(calls::no_value()))
            }
            (Form::Control(Intrinsic::Return, value), None) => {
                let is_truth = value.as_ref().is_some_and(|value| value.dtype == DataType::boolean());
                let value = value.map(|value| self.expression(&value)).transpose()?;
                self.emit(Instruction::Return { value, is_truth });
                Ok(())
            }
            (Form::Control(Intrinsic::Break, _), _) => self.leave(true),
            (Form::Control(Intrinsic::Continue, _), _) => self.leave(false),
            (Form::Control(..) | Form::Int(_), _) => Ok(()),
            _ => {
                for lane in 0..lanes_of(value.dtype)? {
                    self.lane(value, lane)?;
                }
                Ok(())
            }
        }
    }
}
