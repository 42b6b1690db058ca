//! The instructions of each kind of expression.

use object_core::prelude::*;
use object_ir::attrs::CallTIRInplaceAttrs;
use object_ir::ir::{
    Call, GlobalVar, If, Op, PrimExpr, RelaxExpr, ShapeExpr, StructInfo, TensorStructInfo, TupleStructInfo, Var,
};
use object_ir::kind::RelaxExprKind;
use object_relax::op::operator;

use super::code::{Callee, Destination, Instruction, Output, OutputDims, Site, Slot};
use super::compile::Compiler;
use super::scalar::ScalarCode;
use crate::operator::table::evaluation_of;

/// The operands to compute before an instruction, in order, with their slots.
type Pending<'e> = Vec<(&'e RelaxExpr, Slot)>;

impl Compiler<'_> {
    /// Compiles an expression whose value goes to the slot `to`.
    pub(super) fn expression(&mut self, expr: &RelaxExpr, to: Slot, site: Option<&Site>) -> Result<(), Error> {
        let mut pending = Vec::new();
        let instruction = match RelaxExprKind::of(expr) {
            RelaxExprKind::If(it) => return self.branches(it, to, site),
            RelaxExprKind::SeqExpr(it) => {
                self.sequence(it, to, site);
                return Ok(());
            }
            RelaxExprKind::Function(it) => {
                self.local_function(it, None, to, site);
                return Ok(());
            }
            RelaxExprKind::Call(it) => self.call(it, to, &mut pending)?,
            RelaxExprKind::Tuple(it) => {
                Instruction::Tuple { to, members: self.operands(it.fields.as_slice(), &mut pending)? }
            }
            RelaxExprKind::TupleGetItem(it) => {
                Instruction::Member { to, tuple: self.operand(&it.tuple_value, &mut pending)?, index: it.index }
            }
            RelaxExprKind::Var(it) => Instruction::Copy { to, from: self.lookup(it)? },
            RelaxExprKind::Constant(it) => Instruction::Constant { to, data: it.data.clone() },
            RelaxExprKind::ShapeExpr(it) => Instruction::Shape { to, dims: self.dims(&it.values)? },
            RelaxExprKind::PrimValue(it) => Instruction::Scalar { to, code: self.scalar_code(&it.value)? },
            RelaxExprKind::StringImm(it) => Instruction::Literal { to, value: it.value.clone().into() },
            RelaxExprKind::DataTypeImm(it) => Instruction::Literal { to, value: Any::DataType(it.value) },
            RelaxExprKind::GlobalVar(it) => Instruction::Global { to, name: it.name_hint.clone() },
            RelaxExprKind::ExternFunc(it) => Instruction::Extern { to, name: it.global_symbol.clone() },
            RelaxExprKind::Op(_) | RelaxExprKind::PrimFunc(_) | RelaxExprKind::Other(_) => {
                let given = expr.as_object().view().type_key();
                let message = format!("`{given}` is not an expression that has a value");
                return Err(Error::new(ErrorKind::TypeMismatch, message));
            }
        };
        self.after(&pending, instruction, site);
        Ok(())
    }

    /// Computes operands in order, and then runs an instruction.
    fn after(&mut self, pending: &Pending<'_>, instruction: Instruction, site: Option<&Site>) {
        pending.iter().for_each(|(expr, slot)| self.compute(expr, *slot, site));
        self.emit(instruction, site);
    }

    /// The slot of an operand: of the variable, or a new one, which `pending` computes.
    fn operand<'e>(&mut self, expr: &'e RelaxExpr, pending: &mut Pending<'e>) -> Result<Slot, Error> {
        if let Some(var) = expr.downcast_ref::<Var>() {
            return self.lookup(var);
        }
        let slot = self.new_slot();
        pending.push((expr, slot));
        Ok(slot)
    }

    fn operands<'e>(&mut self, exprs: &'e [RelaxExpr], pending: &mut Pending<'e>) -> Result<Vec<Slot>, Error> {
        exprs.iter().map(|expr| self.operand(expr, pending)).collect()
    }

    fn dims(&mut self, dims: &Array<PrimExpr>) -> Result<Vec<ScalarCode>, Error> {
        dims.iter().map(|dim| self.scalar_code(&dim)).collect()
    }

    fn branches(&mut self, it: &If, to: Slot, site: Option<&Site>) -> Result<(), Error> {
        let mut pending = Vec::new();
        let condition = self.operand(&it.cond, &mut pending)?;
        let (otherwise, end) = (self.new_label(), self.new_label());
        self.after(&pending, Instruction::JumpUnless { condition, label: otherwise }, site);
        self.sequence(&it.true_branch, to, site);
        self.emit(Instruction::Jump { label: end }, site);
        self.place(otherwise);
        self.sequence(&it.false_branch, to, site);
        self.place(end);
        Ok(())
    }

    fn call<'e>(&mut self, call: &'e Call, to: Slot, pending: &mut Pending<'e>) -> Result<Instruction, Error> {
        let args = call.args.as_slice();
        let Some(op) = call.op.downcast_ref::<Op>() else {
            let global = call.op.downcast_ref::<GlobalVar>().and_then(|var| self.global_code(&var.name_hint));
            if let Some(code) = global {
                let args = self.operands(args, pending)?;
                return Ok(Instruction::CallGlobal { to, code, args });
            }
            let callee = self.operand(&call.op, pending)?;
            let args = self.operands(args, pending)?;
            return Ok(Instruction::Call { to, callee, args, spreads: false, is_pure: false });
        };
        match (&*op.name, args) {
            (
                "relax.call_tir" | "relax.call_tir_with_grad" | "relax.call_tir_inplace",
                [function, tuple, ints @ ..],
            ) => {
                let ints = ints.first();
                self.destination(call, (function, tuple, ints), to, pending)
            }
            ("relax.call_dps_packed", [function, tuple]) => {
                self.destination(call, (function, tuple, None), to, pending)
            }
            ("relax.call_pure_packed" | "relax.call_inplace_packed", [function, args @ ..]) => {
                let callee = self.operand(function, pending)?;
                let args = self.operands(args, pending)?;
                Ok(Instruction::Call {
                    to,
                    callee,
                    args,
                    spreads: false,
                    is_pure: &*op.name == "relax.call_pure_packed",
                })
            }
            // The state of TVM's virtual machine, the first argument of such functions, has no meaning here.
            ("relax.call_builtin_with_ctx", [function, tuple]) => {
                let callee = self.operand(function, pending)?;
                let state = self.new_slot();
                let args = vec![state, self.operand(tuple, pending)?];
                Ok(Instruction::Call { to, callee, args, spreads: true, is_pure: false })
            }
            ("relax.invoke_closure" | "relax.invoke_pure_closure" | "relax.vm.call_tir_dyn", [function, tuple]) => {
                let callee = self.operand(function, pending)?;
                let args = vec![self.operand(tuple, pending)?];
                Ok(Instruction::Call { to, callee, args, spreads: true, is_pure: false })
            }
            (name, args) => {
                let Some(operator) = operator(name) else {
                    let message = format!("`{name}` is not an operator of Relax");
                    return Err(Error::new(ErrorKind::UnknownFunction, message));
                };
                let args = self.operands(args, pending)?;
                let evaluate = evaluation_of(operator.signature.name);
                let call = call.clone();
                Ok(Instruction::Operator { to, operator, evaluate, call, args, returns_view: false })
            }
        }
    }

    fn destination<'e>(
        &mut self,
        call: &Call,
        (function, tuple, ints): (&'e RelaxExpr, &'e RelaxExpr, Option<&'e RelaxExpr>),
        to: Slot,
        pending: &mut Pending<'e>,
    ) -> Result<Instruction, Error> {
        let [result] = call.sinfo_args.as_slice() else {
            let message = format!("expected one entry in `sinfo_args`, the result, got {}", call.sinfo_args.len());
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let members = result.downcast_ref::<TupleStructInfo>();
        let infos = members.map_or_else(|| vec![result.clone()], |members| members.fields.to_vec());
        let outputs = infos.iter().map(|info| self.output(info)).collect::<Result<Vec<_>, _>>()?;
        let attrs = call.attrs.as_ref().and_then(|attrs| attrs.downcast_ref::<CallTIRInplaceAttrs>());
        let mut in_place = attrs.map_or_else(Vec::new, |attrs| attrs.inplace_indices.to_vec());
        in_place.resize(outputs.len(), -1);
        let program = function.downcast_ref::<GlobalVar>().and_then(|var| self.program(&var.name_hint));
        let callee = match program {
            Some(program) => Callee::Program(program.clone()),
            None => Callee::Slot(self.operand(function, pending)?),
        };
        let args = self.operand(tuple, pending)?;
        let ints = ints.map(|ints| self.operand(ints, pending)).transpose()?;
        let keeps_inputs = function.is::<GlobalVar>();
        let is_tuple = members.is_some();
        let call = Destination { to, callee, args, ints, outputs, is_tuple, in_place, keeps_inputs };
        Ok(Instruction::Destination(call.into()))
    }

    fn output(&mut self, info: &StructInfo) -> Result<Output, Error> {
        let tensor = info.downcast_ref::<TensorStructInfo>();
        let Some((tensor, shape)) = tensor.and_then(|tensor| Some((tensor, tensor.shape.as_ref()?))) else {
            let message = "expected a tensor of known shape as the result, which the caller allocates";
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let dims = match (shape.downcast_ref::<ShapeExpr>(), shape.downcast_ref::<Var>()) {
            (Some(shape), _) => OutputDims::Written(self.dims(&shape.values)?),
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
