//! The steps that finish an expression (spec: Derivation Rules, 3 to 6 and 9 to 11).

use object_core::prelude::*;

use super::call::derive_with_notes;
use super::finding::{FindingKind, Note};
use super::state::{State, known_info, same_parts, with_info};
use crate::ir::call::Call;
use crate::ir::env_func::EnvFunc;
use crate::ir::expr::{RelaxExpr, StructInfo};
use crate::ir::function::ExternFunc;
use crate::ir::if_::If;
use crate::ir::op::Op;
use crate::ir::seq::SeqExpr;
use crate::ir::struct_info::{FuncStructInfo, ObjectStructInfo, PrimStructInfo, TensorStructInfo, TupleStructInfo};
use crate::ir::tuple::{Tuple, TupleGetItem};
use crate::ir::var::Var;
use crate::op::describe::describe;
use crate::op::leaf::struct_info_of;
use crate::op::{InferContext, Purity, infer, operator as operator_named};
use crate::struct_info::{DEFAULT_DERIVE, unify};

impl State<'_> {
    pub(super) fn leaf(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        if expr.struct_info.is_some() {
            return Ok(expr);
        }
        let info = match struct_info_of(&expr) {
            Some(info) => info,
            None if expr.is::<ExternFunc>() => FuncStructInfo::deriving(EnvFunc::new(DEFAULT_DERIVE), false).into(),
            None => {
                let key = expr.as_object().view().type_key();
                return Err(Error::new(ErrorKind::TypeMismatch, format!("expected an expression, got `{key}`")));
            }
        };
        Ok(with_info(expr, info))
    }

    pub(super) fn tuple(&mut self, tuple: Tuple) {
        let fields = self.pop_all(tuple.fields.len());
        // Only operators and functions of the module may lack structural information, and a tuple does not hold them.
        let any = || ObjectStructInfo::any().into();
        let infos = fields.iter().map(|field| field.struct_info.clone().unwrap_or_else(any));
        let info = TupleStructInfo::of(infos);
        let mut tuple = tuple;
        if !same_parts(&fields, &tuple.fields) {
            tuple.make_mut().fields = fields.into();
        }
        self.exprs.push(with_info(tuple.into(), info.into()));
    }

    pub(super) fn member(&mut self, member: TupleGetItem) -> Result<(), Error> {
        let value = self.pop();
        let info = known_info(&value)?;
        let Some(tuple) = info.downcast_ref::<TupleStructInfo>() else {
            let message = format!("expected a tuple, got {}; use a match_cast if the value is a tuple", describe(info));
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let field = usize::try_from(member.index).ok().and_then(|index| tuple.fields.get(index));
        let Some(field) = field else {
            let message = format!(
                "the index of a member of {}: expected 0 to {}, got {}",
                describe(info),
                tuple.fields.len().saturating_sub(1),
                member.index
            );
            return Err(Error::new(ErrorKind::OutOfRange, message));
        };
        let mut member = member;
        if !value.ptr_eq(&member.tuple_value) {
            member.make_mut().tuple_value = value;
        }
        self.exprs.push(with_info(member.into(), field));
        Ok(())
    }

    pub(super) fn call(&mut self, call: Call) -> Result<(), Error> {
        let place = call.as_object().clone();
        let args = self.pop_all(call.args.len());
        let op = self.pop();
        let mut derived = call;
        if !same_parts(&args, &derived.args) || !op.ptr_eq(&derived.op) {
            let node = derived.make_mut();
            node.args = args.into();
            node.op = op;
        }
        let operator = derived.op.downcast_ref::<Op>();
        let function = match operator {
            Some(_) => None,
            None => Some(function_info(known_info(&derived.op)?)?),
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
                    place: place.clone(),
                    steps: path.steps().to_vec(),
                }));
                info
            }
        };
        self.exprs.push(with_info(derived.into(), info));
        Ok(())
    }

    pub(super) fn branches(&mut self, it: If) -> Result<(), Error> {
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
        let mut it = it;
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
        return operator_named(&op.name).is_some_and(|it| it.signature.purity == Purity::Pure);
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
