//! The steps that finish an expression (spec: Derivation Rules, 3 to 6 and 9 to 11).

use object_core::prelude::*;
use object_ir::ir::{
    Call, EnvFunc, ExternFunc, FuncStructInfo, If, ObjectStructInfo, Op, PrimStructInfo, RelaxExpr, SeqExpr,
    StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var,
};

use super::call::{Arguments, derive_with_notes};
use super::finding::{Fact, Note};
use super::rebuild::{call_with, member_with, tuple_with};
use super::state::{State, known_info};
use crate::op::describe::describe;
use crate::op::{InferContext, Purity, declaration, infer_with_args, struct_info_of};
use crate::struct_info::{DEFAULT_DERIVE, unify};

impl<'e> State<'e> {
    /// An expression without parts, which gets its structural information.
    pub(super) fn leaf(&self, expr: &'e RelaxExpr) -> Result<RelaxExpr, Error> {
        let info = match struct_info_of(expr) {
            Some(info) => info,
            None if expr.is::<ExternFunc>() => FuncStructInfo::deriving(EnvFunc::new(DEFAULT_DERIVE), false).into(),
            None => {
                let key = expr.as_object().view().type_key();
                return Err(Error::new(ErrorKind::TypeMismatch, format!("expected an expression, got `{key}`")));
            }
        };
        Ok(self.with_info(expr.clone(), info))
    }

    /// The derived tuple. Its derived members are on the stack.
    pub(super) fn derived_tuple(&mut self, tuple: &'e Tuple) -> RelaxExpr {
        // Only operators and functions of the module may lack structural information, and a tuple does not hold them.
        let any = || ObjectStructInfo::any().into();
        let infos = self.parts(&tuple.fields).iter().map(|field| field.struct_info.clone().unwrap_or_else(any));
        let info = TupleStructInfo::new(Array::of_exact(infos)).into();
        let fields = self.pop_parts(&tuple.fields);
        let is_same = fields.ptr_eq(&tuple.fields) && self.has_info(tuple, &info);
        if is_same { tuple.into() } else { tuple_with(tuple, fields, info).into() }
    }

    /// The derived member of the derived tuple `value`.
    #[inline(never)]
    pub(super) fn derived_member(&mut self, member: &'e TupleGetItem, value: RelaxExpr) -> Result<RelaxExpr, Error> {
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
        let is_same = value.ptr_eq(&member.tuple_value) && self.has_info(member, &field);
        Ok(if is_same { member.into() } else { member_with(member, value, field).into() })
    }

    /// The derived call of an operator. The derived arguments are on the stack.
    #[inline(never)]
    pub(super) fn operator_call(&mut self, call: &'e Call, op: &Op) -> Result<RelaxExpr, Error> {
        let operator = declaration(op);
        if operator.is_none_or(|it| it.signature.purity != Purity::Pure) {
            *self.effects() += 1;
        }
        let values = |var: &Var| self.scope.value(var);
        let context: InferContext<'_> = self.context;
        let info = infer_with_args(call, self.parts(&call.args), operator, &context.values(&values))?;
        Ok(self.with_parts(call, None, info))
    }

    /// The derived call of a function: a variable, a function of the module or any other expression. The derived arguments
    /// are on the stack.
    #[inline(never)]
    pub(super) fn function_call(&mut self, call: &'e Call, callee: RelaxExpr) -> Result<RelaxExpr, Error> {
        let function = function_info(known_info(&callee)?)?;
        *self.effects() += usize::from(!declared_purity(&callee).unwrap_or(function.purity));
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
        if args.ptr_eq(&call.args) && is_same_callee && self.has_info(call, &info) {
            return call.into();
        }
        call_with(call, callee.unwrap_or_else(|| call.op.clone()), args, info).into()
    }

    /// The derived branches of a condition.
    #[inline(never)]
    pub(super) fn derived_branches(
        &mut self,
        it: &'e If,
        cond: RelaxExpr,
        (if_true, if_false): (RelaxExpr, RelaxExpr),
    ) -> Result<RelaxExpr, Error> {
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
        Ok(self.with_info(it.into(), info))
    }
}

/// Whether calls of `callee` have no visible side effects, as far as the callee is known.
pub(crate) fn is_pure_callee(callee: &RelaxExpr) -> bool {
    if let Some(op) = callee.downcast_ref::<Op>() {
        return declaration(op).is_some_and(|it| it.signature.purity == Purity::Pure);
    }
    let function = callee.struct_info.as_ref().and_then(|info| info.downcast_ref::<FuncStructInfo>());
    declared_purity(callee).unwrap_or_else(|| function.is_some_and(|function| function.purity))
}

/// Whether `callee` is an external function that is declared to be pure or to have side effects. The specification leaves it to the
/// registration; `None` without a declaration.
pub(crate) fn declared_purity(callee: &RelaxExpr) -> Option<bool> {
    object_core::function::purity(&callee.downcast_ref::<ExternFunc>()?.global_symbol)
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
