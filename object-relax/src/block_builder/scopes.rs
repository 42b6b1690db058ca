//! Scopes of [`BlockBuilder`]: functions, dataflow blocks and branches, whose bindings a closure emits.

use object_core::prelude::*;
use object_ir::ir::{Function, If, ObjectStructInfo, RelaxExpr, SeqExpr, Var};

use super::builder::BlockBuilder;
use super::header::FunctionHeader;
use crate::derivation::known_info;
use crate::op::describe::describe;
use crate::struct_info::{Compatibility, check_compatibility};

impl BlockBuilder {
    /// Builds a dataflow block. A variable that is used after the block is one of [`emit_output`](Self::emit_output).
    ///
    /// # Errors
    /// The errors of `body`, and [`Malformed`](ErrorKind::Malformed) if no function is open, or a dataflow block is.
    pub fn dataflow<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.is_in_dataflow()? {
            let message = "a dataflow block is open already; blocks do not nest";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        self.atomic(|builder| {
            builder.state.begin_dataflow();
            let result = body(builder)?;
            builder.state.end_dataflow();
            Ok(result)
        })
    }

    /// Binds the result of one of two branches to a new variable. Each closure emits the bindings of a branch, and returns
    /// its result.
    ///
    /// # Errors
    /// The errors of the closures, [`TypeMismatch`](ErrorKind::TypeMismatch) if the condition is not a truth value, and
    /// [`Malformed`](ErrorKind::Malformed) if no function is open, or a dataflow block is.
    ///
    /// ```
    /// use object_relax::block_builder::BlockBuilder;
    /// use object_ir::ir::{TensorStructInfo, Var};
    /// use object_relax::op;
    ///
    /// let x = Var::of("x", TensorStructInfo::of([2], "float32")?);
    /// let c = Var::of("c", TensorStructInfo::of((), "bool")?);
    /// let mut bb = BlockBuilder::new();
    /// bb.function("main", [&x, &c], |bb| bb.if_else(&c, |bb| bb.emit(op::exp(&x)), |_| Ok(x.clone())))?;
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn if_else<A: Into<RelaxExpr>, B: Into<RelaxExpr>>(
        &mut self,
        condition: impl Into<RelaxExpr>,
        if_true: impl FnOnce(&mut Self) -> Result<A, Error>,
        if_false: impl FnOnce(&mut Self) -> Result<B, Error>,
    ) -> Result<Var, Error> {
        if self.is_in_dataflow()? {
            let message = "a dataflow block contains no branches; end the block before";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        let condition = condition.into();
        self.atomic(|builder| {
            let condition = builder.operand(&condition)?;
            let if_true = builder.sequence(if_true)?;
            let if_false = builder.sequence(if_false)?;
            builder.emit(If::new(condition, if_true, if_false))
        })
    }

    /// Builds a function that is not a global one. It sees the variables around it, except dataflow variables; [`emit`]
    /// binds it.
    ///
    /// [`emit`]: Self::emit
    ///
    /// # Errors
    /// As [`function`](Self::function).
    ///
    /// ```
    /// use object_relax::block_builder::BlockBuilder;
    /// use object_ir::ir::{Call, TensorStructInfo, Var};
    /// use object_relax::op;
    ///
    /// let tensor = TensorStructInfo::of([2], "float32")?;
    /// let (x, y) = (Var::of("x", tensor.clone()), Var::of("y", tensor));
    /// let mut bb = BlockBuilder::new();
    /// bb.function("main", [&x], |bb| {
    ///     let add = bb.closure([&y], |bb| bb.emit(op::add(&x, &y)))?;
    ///     let add = bb.emit_named("add", add)?;
    ///     bb.emit(Call::new(&add, [(&x).into()], None, []))
    /// })?;
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn closure<E: Into<RelaxExpr>>(
        &mut self,
        header: impl Into<FunctionHeader>,
        body: impl FnOnce(&mut Self) -> Result<E, Error>,
    ) -> Result<Function, Error> {
        let header = header.into();
        self.atomic(|builder| builder.build(&header, None, body))
    }

    /// Builds a function.
    pub(super) fn build<E: Into<RelaxExpr>>(
        &mut self,
        header: &FunctionHeader,
        symbol: Option<&Str>,
        body: impl FnOnce(&mut Self) -> Result<E, Error>,
    ) -> Result<Function, Error> {
        let state = &mut self.state;
        header.params.iter().for_each(|param| state.names().reserve(&param.vid.name_hint));
        let outside = state.see_params(&header.params);
        let seq = self.sequence(body)?;
        let result = header.result.clone().unwrap_or_else(|| ObjectStructInfo::any().into());
        let given = known_info(seq.as_ref())?;
        if check_compatibility(given, &result, &self.analyzer) == Compatibility::Incompatible {
            let (expected, given) = (describe(&result), describe(given));
            let message = format!("the result of the function: expected {expected}, got {given}");
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let attrs = header.dict_attrs(symbol);
        let params: Array<Var> = header.params.clone().into();
        let function = Function::new(attrs, params, seq, result, !header.is_impure);
        let body = function.body.clone();
        let (state, context) = self.parts();
        state.end_function(function, body, outside, context)
    }

    /// Builds a sequence with a scope of its own.
    fn sequence<E: Into<RelaxExpr>>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<E, Error>,
    ) -> Result<SeqExpr, Error> {
        let outside = self.state.begin_sequence();
        let result = body(self)?.into();
        let result = self.operand(&result)?;
        let (state, context) = self.parts();
        state.end_body(result, outside, context)
    }
}
