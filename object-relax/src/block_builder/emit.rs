//! Bindings: [`BlockBuilder::emit`] and its variants.

use object_core::prelude::*;
use object_ir::ir::{MatchCast, RelaxExpr, StructInfo, Var};

use super::builder::BlockBuilder;
use crate::derivation::{cast_fails, failing_cast_message, known_info};
use crate::normal_form::{Checkpoint, Walk, at};

impl BlockBuilder {
    /// Binds an expression to a new variable: a dataflow variable in a dataflow block, and an ordinary one elsewhere.
    /// Nested expressions are bound first.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if no function is open, or if the expression uses a dataflow variable of another
    /// block; and the errors of [`Normalizer::expr`](crate::normal_form::Normalizer::expr). The path leads to the part of
    /// the expression.
    pub fn emit(&mut self, expr: impl Into<RelaxExpr>) -> Result<Var, Error> {
        self.bind(&expr.into(), "", false)
    }

    /// Like [`emit`](Self::emit), with a name for the variable. If it is in use, the variable gets another one.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn emit_named(&mut self, name: &str, expr: impl Into<RelaxExpr>) -> Result<Var, Error> {
        self.bind(&expr.into(), name, false)
    }

    /// Binds an expression to an ordinary variable in a dataflow block, so that it is visible after the block.
    ///
    /// # Errors
    /// As [`emit`](Self::emit), and [`Malformed`](ErrorKind::Malformed) outside of a dataflow block.
    pub fn emit_output(&mut self, expr: impl Into<RelaxExpr>) -> Result<Var, Error> {
        self.bind(&expr.into(), "", true)
    }

    /// Like [`emit_output`](Self::emit_output), with a name for the variable.
    ///
    /// # Errors
    /// As [`emit_output`](Self::emit_output).
    pub fn emit_output_named(&mut self, name: &str, expr: impl Into<RelaxExpr>) -> Result<Var, Error> {
        self.bind(&expr.into(), name, true)
    }

    /// Binds a value to a new variable, and checks at run time that it has this structural information. The shape
    /// variables that are a whole dimension of it get their values from the value, unless they have one already.
    ///
    /// # Errors
    /// As [`emit`](Self::emit), and [`TypeMismatch`](ErrorKind::TypeMismatch) if the check fails for all values.
    ///
    /// ```
    /// use object_relax::block_builder::BlockBuilder;
    /// use object_ir::tir;
    /// use object_ir::ir::{ObjectStructInfo, TensorStructInfo, Var};
    /// use object_relax::op;
    ///
    /// let n = tir::Var::dim("n");
    /// let x = Var::of("x", ObjectStructInfo::any());
    /// let mut bb = BlockBuilder::new();
    /// bb.function("main", [&x], |bb| {
    ///     let tensor = bb.match_cast(&x, TensorStructInfo::of([&n], "float32")?)?;
    ///     bb.emit(op::exp(tensor))
    /// })?;
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn match_cast(&mut self, value: impl Into<RelaxExpr>, info: impl Into<StructInfo>) -> Result<Var, Error> {
        self.cast("", &value.into(), info.into())
    }

    /// Like [`match_cast`](Self::match_cast), with a name for the variable.
    ///
    /// # Errors
    /// As [`match_cast`](Self::match_cast).
    pub fn match_cast_named(
        &mut self,
        name: &str,
        value: impl Into<RelaxExpr>,
        info: impl Into<StructInfo>,
    ) -> Result<Var, Error> {
        self.cast(name, &value.into(), info.into())
    }

    /// The expression in normal form, with structural information. Nested expressions are bound to new variables.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn normalize(&mut self, expr: impl Into<RelaxExpr>) -> Result<RelaxExpr, Error> {
        let expr = expr.into();
        self.atomic(|builder| builder.value(&expr))
    }

    fn bind(&mut self, expr: &RelaxExpr, name: &str, is_output: bool) -> Result<Var, Error> {
        let is_dataflow = self.is_in_dataflow()?;
        if is_output && !is_dataflow {
            let message = "an output belongs in a dataflow block; `emit` binds a variable elsewhere";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        self.atomic(|builder| {
            let value = builder.value(expr)?;
            builder.state.name(&value, name, is_dataflow && !is_output)
        })
    }

    fn cast(&mut self, name: &str, value: &RelaxExpr, info: StructInfo) -> Result<Var, Error> {
        let is_dataflow = self.is_in_dataflow()?;
        self.atomic(|builder| {
            let value = builder.value(value)?;
            let given = known_info(&value)?;
            if cast_fails(given, &info, &builder.analyzer) {
                return Err(Error::new(ErrorKind::TypeMismatch, failing_cast_message(given, &info)));
            }
            let state = &mut builder.state;
            let var = state.new_var(name, is_dataflow, info.clone());
            state.surroundings.see_binders(std::slice::from_ref(&info));
            state.surroundings.add(&var);
            state.emit(MatchCast::new(&var, value, info).into())?;
            Ok(var)
        })
    }

    /// Whether a dataflow block is open.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if no function is open.
    pub(super) fn is_in_dataflow(&self) -> Result<bool, Error> {
        self.state.sequences.last().map(|sequence| sequence.is_in_dataflow()).ok_or_else(|| {
            let message = "bindings belong in a function; call `BlockBuilder::function`, and emit them in its closure";
            Error::new(ErrorKind::Malformed, message)
        })
    }

    /// The expression as the value of a binding.
    fn value(&mut self, expr: &RelaxExpr) -> Result<RelaxExpr, Error> {
        self.is_in_dataflow()?;
        let (state, context) = self.parts();
        Walk::new(state, context).value(expr).map_err(|located| at(expr, located))
    }

    /// The expression as an argument.
    pub(super) fn operand(&mut self, expr: &RelaxExpr) -> Result<RelaxExpr, Error> {
        let (state, context) = self.parts();
        Walk::new(state, context).operand(expr).map_err(|located| at(expr, located))
    }

    /// Does all of `work`, or, if it fails, nothing.
    pub(super) fn atomic<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let before: Checkpoint = self.state.checkpoint();
        work(self).inspect_err(|_| self.state.restore(before))
    }
}
