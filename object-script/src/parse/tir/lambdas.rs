//! Functions of TIR that take a lambda: `T.index_map`, `T.comm_reducer` (TVM 0.25
//! python/tvm/tirx/script/builder/ir.py).

use object_core::DataType;
use object_core::value::Str;
use object_ir::ir::{PrimExpr, PrimType};
use object_ir::tir::{CommReducer, IndexMap, Var};
use ruff_python_ast::ExprLambda;
use ruff_text_size::TextRange;

use crate::parse::expr::eval::call_lambda;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::scalar::prims;
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] =
    &[("T.index_map", index_map), ("T.comm_reducer", comm_reducer), ("tvm.tirx.IndexMap.from_func", index_map)];

/// The names of the parameters.
fn parameters(lambda: &ExprLambda) -> Vec<&str> {
    lambda.parameters.iter().flat_map(|it| it.args.iter()).map(|it| it.parameter.name.as_str()).collect()
}

/// The results of a lambda for variables.
fn results(p: &mut Parser<'_>, lambda: &ExprLambda, vars: &[Var], range: TextRange) -> Eval<Vec<PrimExpr>> {
    let args: Vec<Value> = vars.iter().map(|var| Value::object(var.clone())).collect();
    let value = call_lambda(p, lambda, &args, range)?;
    prims(p, &Argument { value, range })
}

fn lambda_of<'c>(p: &mut Parser<'_>, argument: &'c Argument) -> Eval<&'c ExprLambda> {
    match &argument.value {
        Value::Lambda(lambda) => Ok(lambda),
        _ => Err(argument.expected(p, "a lambda")),
    }
}

/// The map of indices that a lambda computes.
fn map(p: &mut Parser<'_>, argument: &Argument, dtype: DataType, inverse: Option<IndexMap>) -> Eval<IndexMap> {
    if let Some(map) = argument.value.to::<IndexMap>() {
        return Ok(map);
    }
    let lambda = lambda_of(p, argument)?;
    let var = |name: &str| Var::new(dtype, Str::from(name), PrimType::new(dtype));
    let vars: Vec<Var> = parameters(lambda).into_iter().map(var).collect();
    let results = results(p, lambda, &vars, argument.range)?;
    Ok(IndexMap::new(vars, results, inverse))
}

/// `T.index_map(lambda i, j: (j, i), inverse_index_map=lambda ..., index_dtype="int64")`.
fn index_map(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mapping = call.required(p, "mapping")?.clone();
    let inverse = call.keyword("inverse_index_map").filter(|it| !matches!(it.value, Value::None)).cloned();
    let dtype = call.keyword("index_dtype").cloned().map_or(Ok(DataType::int(64)), |it| it.dtype(p))?;
    call.finish(p)?;
    let inverse = inverse.map(|inverse| map(p, &inverse, dtype, None)).transpose()?;
    Ok(Value::object(map(p, &mapping, dtype, inverse)?))
}

/// `T.comm_reducer(lambda x, y: x + y, [identity])`.
fn comm_reducer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let combiner = call.required(p, "combiner")?.clone();
    let identity = call.required(p, "identity")?.clone();
    call.finish(p)?;
    let elements = prims(p, &identity)?;
    let lambda = lambda_of(p, &combiner)?;
    let names = parameters(lambda);
    if names.len() != 2 * elements.len() || names.is_empty() {
        let message = format!("expected a lambda of {} parameters, got {}", 2 * elements.len(), names.len());
        return Err(p.error(combiner.range, message));
    }
    let var =
        |(name, element): (&&str, &PrimExpr)| Var::new(element.dtype, Str::from(*name), PrimType::new(element.dtype));
    let vars: Vec<Var> = names.iter().zip(elements.iter().chain(&elements)).map(var).collect();
    let results = results(p, lambda, &vars, combiner.range)?;
    let (lhs, rhs) = vars.split_at(elements.len());
    Ok(Value::object(CommReducer::new(lhs.to_vec(), rhs.to_vec(), results, elements, None)))
}
