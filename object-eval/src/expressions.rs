//! The instructions of each kind of expression.

use object_core::prelude::*;
use object_ir::attrs::{CallInplacePackedAttrs, CallTIRInplaceAttrs};
use object_ir::ir::{
    Call, Constant, DataTypeImm, ExternFunc, Function, GlobalVar, If, Op, PrimValue, RelaxExpr, SeqExpr, ShapeExpr,
    StringImm, StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var,
};
use object_relax::op::operator;

use super::code::{Callee, Destination, Instruction, Output, OutputDims, Site, Slot};
use super::compile::{Compiler, Task};
use crate::operator::table::evaluation_of;

impl Compiler<'_> {
    /// Compiles an expression whose value goes to the slot `to`.
    pub(super) fn expression(&mut self, expr: &RelaxExpr, to: Slot, site: Option<&Site>) -> Result<(), Error> {
        let mut pending = Vec::new();
        if let Some(it) = expr.downcast_ref::<Var>() {
            let from = self.lookup(it)?;
            self.emit(Instruction::Copy { to, from }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<Call>() {
            self.call(it, to, site)?;
        } else if let Some(it) = expr.downcast_ref::<Constant>() {
            self.emit(Instruction::Constant { to, data: it.data.clone() }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<Tuple>() {
            let members = self.operands(it.fields.as_slice(), &mut pending)?;
            self.after(pending, Instruction::Tuple { to, members }, site);
        } else if let Some(it) = expr.downcast_ref::<TupleGetItem>() {
            let tuple = self.operand(&it.tuple_value, &mut pending)?;
            self.after(pending, Instruction::Member { to, tuple, index: it.index }, site);
        } else if let Some(it) = expr.downcast_ref::<ShapeExpr>() {
            let dims = it.values.iter().map(|value| self.scalar_code(&value)).collect::<Result<_, _>>()?;
            self.emit(Instruction::Shape { to, dims }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<PrimValue>() {
            let code = self.scalar_code(&it.value)?;
            self.emit(Instruction::Scalar { to, code }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<StringImm>() {
            self.emit(Instruction::Literal { to, value: it.value.clone().into() }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<DataTypeImm>() {
            self.emit(Instruction::Literal { to, value: Any::DataType(it.value) }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<GlobalVar>() {
            self.emit(Instruction::Global { to, name: it.name_hint.clone() }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<ExternFunc>() {
            self.emit(Instruction::Extern { to, name: it.global_symbol.clone() }, site.cloned());
        } else if let Some(it) = expr.downcast_ref::<If>() {
            self.branches(it, to, site)?;
        } else if let Some(it) = expr.downcast_ref::<SeqExpr>() {
            self.tasks.push(Task::Seq(it.clone(), to, site.cloned()));
        } else if let Some(it) = expr.downcast_ref::<Function>() {
            self.local_function(it, None, to, site.cloned());
        } else {
            let given = expr.as_object().view().type_key();
            return Err(Error::new(
                ErrorKind::TypeMismatch,
                format!("`{given}` is not an expression that has a value"),
            ));
        }
        Ok(())
    }

    fn operands(&mut self, exprs: &[RelaxExpr], pending: &mut Vec<(RelaxExpr, Slot)>) -> Result<Vec<Slot>, Error> {
        exprs.iter().map(|expr| self.operand(expr, pending)).collect()
    }

    fn branches(&mut self, it: &If, to: Slot, site: Option<&Site>) -> Result<(), Error> {
        let mut pending = Vec::new();
        let condition = self.operand(&it.cond, &mut pending)?;
        let (otherwise, end) = (self.new_label(), self.new_label());
        self.tasks.extend([
            Task::Label(end),
            Task::Seq(it.false_branch.clone(), to, site.cloned()),
            Task::Label(otherwise),
            Task::Emit(Instruction::Jump { label: end }, site.cloned()),
            Task::Seq(it.true_branch.clone(), to, site.cloned()),
        ]);
        self.after(pending, Instruction::JumpUnless { condition, label: otherwise }, site);
        Ok(())
    }

    fn call(&mut self, call: &Call, to: Slot, site: Option<&Site>) -> Result<(), Error> {
        let args = call.args.as_slice();
        let mut pending = Vec::new();
        let Some(op) = call.op.downcast_ref::<Op>() else {
            let global = call.op.downcast_ref::<GlobalVar>().and_then(|var| self.global_code(&var.name_hint));
            if let Some(code) = global {
                let args = self.operands(args, &mut pending)?;
                self.after(pending, Instruction::CallGlobal { to, code, args }, site);
                return Ok(());
            }
            let callee = self.operand(&call.op, &mut pending)?;
            let args = self.operands(args, &mut pending)?;
            self.after(pending, Instruction::Call { to, callee, args, spreads: false }, site);
            return Ok(());
        };
        match (&*op.name, args) {
            (
                "relax.call_tir" | "relax.call_tir_with_grad" | "relax.call_tir_inplace",
                [function, tuple, ints @ ..],
            ) => {
                let ints = ints.first();
                self.destination(call, (function, tuple, ints), to, site)
            }
            ("relax.call_dps_packed", [function, tuple]) => self.destination(call, (function, tuple, None), to, site),
            ("relax.call_pure_packed" | "relax.call_inplace_packed", [function, args @ ..]) => {
                let callee = self.operand(function, &mut pending)?;
                let args = self.operands(args, &mut pending)?;
                self.after(pending, Instruction::Call { to, callee, args, spreads: false }, site);
                Ok(())
            }
            // The state of TVM's virtual machine, the first argument of such functions, has no meaning here.
            ("relax.call_builtin_with_ctx", [function, tuple]) => {
                let callee = self.operand(function, &mut pending)?;
                let state = self.new_slot();
                let args = vec![state, self.operand(tuple, &mut pending)?];
                self.after(pending, Instruction::Call { to, callee, args, spreads: true }, site);
                Ok(())
            }
            ("relax.invoke_closure" | "relax.invoke_pure_closure" | "relax.vm.call_tir_dyn", [function, tuple]) => {
                let callee = self.operand(function, &mut pending)?;
                let args = vec![self.operand(tuple, &mut pending)?];
                self.after(pending, Instruction::Call { to, callee, args, spreads: true }, site);
                Ok(())
            }
            (name, args) => {
                let Some(operator) = operator(name) else {
                    let message = format!("`{name}` is not an operator of Relax");
                    return Err(Error::new(ErrorKind::UnknownFunction, message));
                };
                let args = self.operands(args, &mut pending)?;
                let evaluate = evaluation_of(operator.signature.name);
                let call = call.clone();
                let instruction = Instruction::Operator { to, operator, evaluate, call, args, returns_view: false };
                self.after(pending, instruction, site);
                Ok(())
            }
        }
    }

    fn destination(
        &mut self,
        call: &Call,
        (function, tuple, ints): (&RelaxExpr, &RelaxExpr, Option<&RelaxExpr>),
        to: Slot,
        site: Option<&Site>,
    ) -> Result<(), Error> {
        let [result] = call.sinfo_args.as_slice() else {
            let message = format!("expected one entry in `sinfo_args`, the result, got {}", call.sinfo_args.len());
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let members = result.downcast_ref::<TupleStructInfo>();
        let infos = members.map_or_else(|| vec![result.clone()], |members| members.fields.to_vec());
        let outputs = infos.iter().map(|info| self.output(info)).collect::<Result<Vec<_>, _>>()?;
        let attrs = call.attrs.as_ref();
        let of_tir =
            attrs.and_then(|attrs| Some(attrs.downcast_ref::<CallTIRInplaceAttrs>()?.inplace_indices.to_vec()));
        let of_packed =
            attrs.and_then(|it| Some(it.downcast_ref::<CallInplacePackedAttrs>()?.inplace_indices.to_vec()));
        let mut pending = Vec::new();
        let program = function.downcast_ref::<GlobalVar>().and_then(|var| self.program(&var.name_hint));
        let callee = match program {
            Some(program) => Callee::Program(program.clone()),
            None => Callee::Slot(self.operand(function, &mut pending)?),
        };
        let args = self.operand(tuple, &mut pending)?;
        let ints = ints.map(|ints| self.operand(ints, &mut pending)).transpose()?;
        let keeps_inputs = function.is::<GlobalVar>();
        let in_place = of_tir.or(of_packed).unwrap_or_else(|| vec![-1; outputs.len()]);
        let is_tuple = members.is_some();
        let call = Destination { to, callee, args, ints, outputs, is_tuple, in_place, keeps_inputs };
        self.after(pending, Instruction::Destination(call.into()), site);
        Ok(())
    }

    fn output(&mut self, info: &StructInfo) -> Result<Output, Error> {
        let tensor = info.downcast_ref::<TensorStructInfo>();
        let Some((tensor, shape)) = tensor.and_then(|tensor| Some((tensor, tensor.shape.as_ref()?))) else {
            let message = "expected a tensor of known shape as the result, which the caller allocates";
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let dims = match (shape.downcast_ref::<ShapeExpr>(), shape.downcast_ref::<Var>()) {
            (Some(shape), _) => {
                let dims = shape.values.iter().map(|value| self.scalar_code(&value)).collect::<Result<_, _>>()?;
                OutputDims::Written(dims)
            }
            (None, Some(var)) => OutputDims::Variable(self.lookup(var)?),
            (None, None) => {
                let given = shape.as_object().view().type_key();
                let message = format!("expected a `ShapeExpr` or a variable as the shape of the result, got `{given}`");
                return Err(Error::new(ErrorKind::TypeMismatch, message));
            }
        };
        Ok(Output { dims, dtype: tensor.dtype })
    }
}
