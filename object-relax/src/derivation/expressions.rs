//! The steps that finish an expression (spec: Derivation Rules, 3 to 6 and 9 to 11).

use object_core::prelude::*;
use object_ir::ir::{
    Call, Constant, DataTypeImm, EnvFunc, ExternFunc, FuncStructInfo, GlobalVar, If, ObjectStructInfo, Op,
    PrimStructInfo, PrimValue, RelaxExpr, SeqExpr, ShapeExpr, StringImm, StructInfo, TensorStructInfo, Tuple,
    TupleGetItem, TupleStructInfo, Var,
};

use super::call::{Arguments, derive_with_notes};
use super::finding::{Fact, Note};
use super::rebuild::{call_with, member_with, tuple_with};
use super::state::{State, has_info, known_info, with_info};
use crate::op::describe::describe;
use crate::op::{InferContext, Purity, declaration, infer_with_args, struct_info_of};
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
            || expr.is::<DataTypeImm>()
            || expr.is::<ExternFunc>();
        let is_known = self.keeps(expr)
            || is_leaf && expr.struct_info.is_some()
            || !is_leaf && (expr.is::<GlobalVar>() || expr.is::<Op>());
        is_known.then_some(expr)
    }

    /// Whether an expression stays as it is, because it has structural information.
    pub(super) fn keeps(&self, expr: &RelaxExpr) -> bool {
        self.keeps_known && expr.struct_info.is_some()
    }

    /// Puts the results for the callee of a call, if it is not an operator, and for its arguments on the stack, if none of
    /// them needs steps but tuples of leaves.
    #[inline]
    pub(super) fn push_known_parts(&mut self, call: &'e Call) -> bool {
        if call.op.is::<Op>() {
            return self.push_arguments(&call.args);
        }
        let Some(callee) = self.known(&call.op).cloned() else { return false };
        self.exprs.push(callee);
        if !self.push_arguments(&call.args) {
            self.exprs.pop();
            return false;
        }
        true
    }

    /// Puts the results for the arguments of a call on the stack, if none of them needs steps but tuples of leaves.
    fn push_arguments(&mut self, args: &'e Array<RelaxExpr>) -> bool {
        let start = self.exprs.len();
        for arg in args.as_slice() {
            if let Some(known) = self.known(arg).cloned() {
                self.exprs.push(known);
                continue;
            }
            // The machine remembers the results for shared tuples.
            let tuple = arg.downcast_ref::<Tuple>().filter(|tuple| tuple.as_object().use_count() <= 1);
            let Some(tuple) = tuple.filter(|tuple| self.push_known(&tuple.fields)) else {
                self.exprs.truncate(start);
                return false;
            };
            self.tuple(tuple);
        }
        true
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
        // Only operators and functions of the module may lack structural information, and a tuple does not hold them.
        let any = || ObjectStructInfo::any().into();
        let infos = self.parts(&tuple.fields).iter().map(|field| field.struct_info.clone().unwrap_or_else(any));
        let info = TupleStructInfo::new(Array::of_exact(infos)).into();
        let fields = self.pop_parts(&tuple.fields);
        let is_same = fields.ptr_eq(&tuple.fields) && has_info(tuple, &info);
        self.exprs.push(if is_same { tuple.into() } else { tuple_with(tuple, fields, info).into() });
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
        let is_same = value.ptr_eq(&member.tuple_value) && has_info(member, &field);
        self.exprs.push(if is_same { member.into() } else { member_with(member, value, field).into() });
        Ok(())
    }

    /// The derived call. The derived arguments are on the stack, and below them the callee if it is not an operator; the
    /// function takes them from there.
    #[inline]
    pub(super) fn derived_call(&mut self, call: &'e Call) -> Result<RelaxExpr, Error> {
        match call.op.downcast_ref::<Op>() {
            Some(op) => self.operator_call(call, op),
            None => self.function_call(call),
        }
    }

    /// The derived call of an operator.
    fn operator_call(&mut self, call: &'e Call, op: &Op) -> Result<RelaxExpr, Error> {
        let operator = declaration(op);
        if operator.is_none_or(|it| it.signature.purity != Purity::Pure) {
            *self.effects() += 1;
        }
        let values = |var: &Var| self.scope.value(var);
        let context: InferContext<'_> = self.context;
        let info = infer_with_args(call, self.parts(&call.args), operator, &context.values(&values))?;
        Ok(self.with_parts(call, None, info))
    }

    /// The derived call of a function: a variable, a function of the module or any other expression.
    fn function_call(&mut self, call: &'e Call) -> Result<RelaxExpr, Error> {
        let start = self.exprs.len() - call.args.len();
        let callee = self.exprs.remove(start - 1);
        let function = function_info(known_info(&callee)?)?;
        *self.effects() += usize::from(!function.purity);
        let values = |var: &Var| self.scope.value(var);
        let context: InferContext<'_> = self.context;
        let arguments = Arguments { call, callee: &callee, args: self.parts(&call.args) };
        let (info, notes) = derive_with_notes(function, arguments, &self.scope, &context.values(&values))?;
        self.notes.extend(
            notes.into_iter().map(|note| Note {
                fact: Fact::PossibleArgument(note, callee.clone()),
                place: call.as_object().clone(),
            }),
        );
        Ok(self.with_parts(call, Some(callee), info))
    }

    /// The call with the derived callee, which is the given one if it is `None`, with the derived arguments on the stack,
    /// and with structural information.
    fn with_parts(&mut self, call: &Call, callee: Option<RelaxExpr>, info: StructInfo) -> RelaxExpr {
        let args = self.pop_parts(&call.args);
        let is_same_callee = callee.as_ref().is_none_or(|callee| callee.ptr_eq(&call.op));
        if args.ptr_eq(&call.args) && is_same_callee && has_info(call, &info) {
            return call.into();
        }
        call_with(call, callee.unwrap_or_else(|| call.op.clone()), args, info).into()
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
