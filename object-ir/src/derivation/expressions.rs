//! The steps that finish an expression (spec: Derivation Rules, 3 to 6 and 9 to 11).

use object_core::prelude::*;

use super::call::derive_with_notes;
use super::finding::{FindingKind, Note};
use super::rebuild::call_with_args;
use super::state::{State, known_info, with_info};
use crate::ir::call::Call;
use crate::ir::constant::{Constant, DataTypeImm, PrimValue, StringImm};
use crate::ir::env_func::EnvFunc;
use crate::ir::expr::{RelaxExpr, StructInfo};
use crate::ir::function::ExternFunc;
use crate::ir::if_::If;
use crate::ir::op::Op;
use crate::ir::seq::SeqExpr;
use crate::ir::shape::ShapeExpr;
use crate::ir::struct_info::{FuncStructInfo, ObjectStructInfo, PrimStructInfo, TensorStructInfo, TupleStructInfo};
use crate::ir::tuple::{Tuple, TupleGetItem};
use crate::ir::var::{GlobalVar, Var};
use crate::op::describe::describe;
use crate::op::leaf::struct_info_of;
use crate::op::{InferContext, Purity, declaration, infer};
use crate::struct_info::{DEFAULT_DERIVE, unify};

impl<'e> State<'e> {
    /// The result for an expression, if it needs no steps: a variable or constant with structural information, or a
    /// callee.
    pub(super) fn known<'s>(&'s self, expr: &'s RelaxExpr) -> Option<&'s RelaxExpr> {
        if let Some(var) = expr.downcast_ref::<Var>() {
            let var: &RelaxExpr = self.scope.get(var).unwrap_or(var).as_ref();
            return Some(var).filter(|var| var.struct_info.is_some());
        }
        let is_leaf = expr.is::<ShapeExpr>()
            || expr.is::<Constant>()
            || expr.is::<PrimValue>()
            || expr.is::<StringImm>()
            || expr.is::<DataTypeImm>();
        let keeps = (is_leaf || self.keeps_known) && expr.struct_info.is_some();
        let is_known = keeps || !is_leaf && (expr.is::<GlobalVar>() || expr.is::<Op>());
        is_known.then_some(expr)
    }

    /// Puts the results for parts on the stack, if none of them needs steps.
    pub(super) fn push_known(&mut self, parts: &Array<RelaxExpr>) -> bool {
        let start = self.exprs.len();
        for part in parts.as_slice() {
            let Some(known) = self.known(part).cloned() else {
                self.exprs.truncate(start);
                return false;
            };
            self.exprs.push(known);
        }
        true
    }

    pub(super) fn leaf(&self, expr: &'e RelaxExpr) -> Result<RelaxExpr, Error> {
        if expr.struct_info.is_some() {
            return Ok(expr.clone());
        }
        let info = match struct_info_of(expr) {
            Some(info) => info,
            None if expr.is::<ExternFunc>() => FuncStructInfo::deriving(EnvFunc::new(DEFAULT_DERIVE), false).into(),
            None => {
                let key = expr.as_object().view().type_key();
                return Err(Error::new(ErrorKind::TypeMismatch, format!("expected an expression, got `{key}`")));
            }
        };
        Ok(with_info(expr.clone(), info))
    }

    pub(super) fn tuple(&mut self, tuple: &'e Tuple) {
        let mut tuple = tuple.clone();
        if let Some(fields) = self.pop_parts(&tuple.fields) {
            tuple.make_mut().fields = fields;
        }
        // Only operators and functions of the module may lack structural information, and a tuple does not hold them.
        let any = || ObjectStructInfo::any().into();
        let infos = tuple.fields.as_slice().iter().map(|field| field.struct_info.clone().unwrap_or_else(any));
        let info = TupleStructInfo::of(infos);
        self.exprs.push(with_info(tuple.into(), info.into()));
    }

    pub(super) fn member(&mut self, member: &'e TupleGetItem) -> Result<(), Error> {
        let value = self.pop();
        let info = known_info(&value)?;
        let Some(tuple) = info.downcast_ref::<TupleStructInfo>() else {
            let message = format!("expected a tuple, got {}; use a match_cast if the value is a tuple", describe(info));
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let field = usize::try_from(member.index).ok().and_then(|index| tuple.fields.as_slice().get(index)).cloned();
        let Some(field) = field else {
            let message = format!(
                "the index of a member of {}: expected 0 to {}, got {}",
                describe(info),
                tuple.fields.len().saturating_sub(1),
                member.index
            );
            return Err(Error::new(ErrorKind::OutOfRange, message));
        };
        let mut member = member.clone();
        if !value.ptr_eq(&member.tuple_value) {
            member.make_mut().tuple_value = value;
        }
        self.exprs.push(with_info(member.into(), field));
        Ok(())
    }

    /// Finishes a call. The derived arguments are on the stack, and below them the callee if it is not an operator.
    pub(super) fn call(&mut self, call: &'e Call) -> Result<(), Error> {
        let mut derived = match self.pop_parts(&call.args) {
            Some(args) => call_with_args(call, args),
            None => call.clone(),
        };
        let operator = call.op.downcast_ref::<Op>();
        let function = match operator {
            Some(_) => None,
            None => {
                let callee = self.pop();
                if !callee.ptr_eq(&call.op) {
                    derived.make_mut().op = callee;
                }
                Some(function_info(known_info(&derived.op)?)?)
            }
        };
        *self.effects() += usize::from(!is_pure_callee(&derived.op));
        let values = |var: &Var| self.scope.value(var);
        let context: InferContext<'_> = self.context;
        let context = context.values(&values);
        let info = match function {
            None => infer(&derived, &context)?,
            Some(function) => {
                let (info, notes) = derive_with_notes(function, &derived, &self.scope, &context)?;
                self.notes.extend(notes.into_iter().map(|(path, message)| Note {
                    kind: FindingKind::PossibleArgument,
                    message,
                    place: call.as_object().clone(),
                    steps: path.steps().to_vec(),
                }));
                info
            }
        };
        self.exprs.push(with_info(derived.into(), info));
        Ok(())
    }

    pub(super) fn branches(&mut self, it: &'e If) -> Result<(), Error> {
        let (if_false, if_true, cond) = (self.pop(), self.pop(), self.pop());
        let condition = known_info(&cond)?;
        let is_truth = condition
            .downcast_ref::<TensorStructInfo>()
            .is_some_and(|tensor| tensor.ndim == 0 && tensor.dtype == DataType::boolean())
            || condition.downcast_ref::<PrimStructInfo>().is_some_and(|prim| prim.dtype == DataType::boolean());
        if !is_truth {
            let message = format!(
                "the condition: expected a scalar of type `bool`, got {}; use a match_cast if the value is one",
                describe(condition)
            );
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        }
        let info = unify(known_info(&if_true)?, known_info(&if_false)?, self.context.analyzer());
        let mut it = it.clone();
        if !cond.ptr_eq(&it.cond) || !if_true.ptr_eq(&it.true_branch) || !if_false.ptr_eq(&it.false_branch) {
            let node = it.make_mut();
            node.cond = cond;
            node.true_branch = sequence(if_true)?;
            node.false_branch = sequence(if_false)?;
        }
        self.exprs.push(with_info(it.into(), info));
        Ok(())
    }
}

/// Whether calls of `callee` have no visible side effects, as far as the callee is known.
pub(crate) fn is_pure_callee(callee: &RelaxExpr) -> bool {
    if let Some(op) = callee.downcast_ref::<Op>() {
        return declaration(op).is_some_and(|it| it.signature.purity == Purity::Pure);
    }
    let function = callee.struct_info.as_ref().and_then(|info| info.downcast_ref::<FuncStructInfo>());
    function.is_some_and(|function| function.purity)
}

/// The structural information of a callee.
fn function_info(info: &StructInfo) -> Result<&FuncStructInfo, Error> {
    info.downcast_ref::<FuncStructInfo>().ok_or_else(|| {
        let given = describe(info);
        let message = format!("expected a function, got {given}; use a match_cast if the value is a function");
        Error::new(ErrorKind::TypeMismatch, message)
    })
}

/// A derived branch, or the body of a function.
pub(super) fn sequence(expr: RelaxExpr) -> Result<SeqExpr, Error> {
    expr.downcast().map_err(|expr| Error::type_mismatch("relax.expr.SeqExpr", expr.as_object().view().type_key()))
}
