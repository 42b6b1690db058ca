//! Modules with one call of an operator.

use object_core::prelude::*;
use object_eval::{Tensor, Value};
use object_ir::ir::{
    BaseFunc, Binding, BindingBlock, Call, DictAttrs, FuncStructInfo, Function, GlobalInfo, GlobalVar, IRModule,
    RelaxExpr, SeqExpr, Source, SourceMap, SourceName, StructInfo, Tuple, Var, VarBinding,
};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext, Purity};

/// The structural information of the result of a call.
///
/// # Errors
/// The error of inference.
pub fn inferred(call: &Call) -> Result<StructInfo, Error> {
    op::infer(call, &InferContext::new(&Analyzer::for_shapes()))
}

/// The variables among the arguments of a call, also in tuples, with the number of the argument.
pub(super) fn variables(call: &Call) -> Vec<(usize, Var)> {
    let mut found = Vec::new();
    let mut rest: Vec<(usize, RelaxExpr)> = call.args.iter().enumerate().collect();
    rest.reverse();
    while let Some((index, arg)) = rest.pop() {
        if let Some(var) = arg.downcast_ref::<Var>() {
            found.push((index, var.clone()));
        } else if let Some(tuple) = arg.downcast_ref::<Tuple>() {
            rest.extend(tuple.fields.as_slice().iter().rev().map(|field| (index, field.clone())));
        }
    }
    found
}

/// A module whose function `main` takes `first` and the variables of a call, and returns the result of the call, whose
/// structural information is `result`.
#[must_use]
pub fn module_of(call: &Call, first: Option<Var>, result: &StructInfo) -> IRModule {
    let params: Vec<Var> = first.into_iter().chain(variables(call).into_iter().map(|(_, var)| var)).collect();
    let is_pure = call.op.downcast_ref::<object_ir::ir::Op>().and_then(|op| op::operator(&op.name));
    let is_pure = is_pure.is_none_or(|operator| operator.signature.purity == Purity::Pure);
    let value = Var::named("result");
    let block = BindingBlock::new([Binding::from(VarBinding::new(&value, call))]);
    let attrs = DictAttrs::new(Map::<Str, Any>::new([("global_symbol".into(), Str::from("main").into())]));
    let body = SeqExpr::new([block], &value);
    let infos: Vec<StructInfo> = params.iter().filter_map(|param| param.struct_info.clone()).collect();
    let function = Function::new(attrs, params, body, result, is_pure);
    let var = GlobalVar::of("main", FuncStructInfo::of(infos, result.clone()));
    IRModule::new(
        Map::<GlobalVar, BaseFunc>::new([(var.clone(), function.into())]),
        Map::<Str, GlobalVar>::new([("main".into(), var)]),
        SourceMap::new(Map::<SourceName, Source>::new([])),
        DictAttrs::new(Map::<Str, Any>::new([])),
        Map::<Str, Array<GlobalInfo>>::new([]),
    )
}

/// The tensors of a value, which is a tensor or a tuple.
#[must_use]
pub fn tensors(value: &Any) -> Vec<Tensor> {
    match Value::of(value) {
        Value::Tuple(members) => members.iter().flat_map(|member| tensors(&member.to_any())).collect(),
        Value::Tensor(tensor) => vec![tensor.clone()],
        _ => Vec::new(),
    }
}
