//! A small evaluator: the result of a function, with numbers in place of tensors, and its side effects in order.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use object_core::prelude::*;
use object_ir::ir::{
    Call, ExternFunc, Function, If, MatchCast, Op, RelaxExpr, SeqExpr, Tuple, TupleGetItem, Var, VarBinding,
};

/// A value of the evaluator.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Number(u64),
    Tuple(Vec<Value>),
    Closure(Function, Variables),
}

type Variables = HashMap<usize, Value>;

impl Value {
    /// A number that is the same for equal values without closures.
    pub(crate) fn number(&self) -> u64 {
        match self {
            Value::Number(number) => *number,
            Value::Tuple(fields) => mix("tuple", fields),
            Value::Closure(..) => mix("closure", &[]),
        }
    }
}

fn mix(name: &str, parts: &[Value]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    parts.iter().map(Value::number).collect::<Vec<_>>().hash(&mut hasher);
    hasher.finish()
}

/// The side effects so far: names with arguments.
#[derive(Default)]
pub(crate) struct Effects(pub(crate) Vec<(String, u64)>);

/// The result of a call of a function, with its side effects.
pub(crate) fn call(function: &Function, args: &[Value], effects: &mut Effects) -> Value {
    apply(function, &Variables::new(), args, effects)
}

fn id(var: &Var) -> usize {
    var.vid.as_object().view().address()
}

fn apply(function: &Function, variables: &Variables, args: &[Value], effects: &mut Effects) -> Value {
    let mut variables = variables.clone();
    variables.extend(function.params.iter().map(|param| id(&param)).zip(args.iter().cloned()));
    sequence(&function.body, &mut variables, effects)
}

fn sequence(seq: &SeqExpr, variables: &mut Variables, effects: &mut Effects) -> Value {
    for binding in seq.blocks.as_slice().iter().flat_map(|block| block.bindings.as_slice()) {
        let value = match (binding.downcast_ref::<VarBinding>(), binding.downcast_ref::<MatchCast>()) {
            (Some(binding), _) => &binding.value,
            (_, Some(binding)) => &binding.value,
            _ => panic!("a binding"),
        };
        let value = expr(value, variables, effects);
        variables.insert(id(&binding.var), value);
    }
    expr(&seq.body, variables, effects)
}

fn all(exprs: &Array<RelaxExpr>, variables: &mut Variables, effects: &mut Effects) -> Vec<Value> {
    exprs.iter().map(|it| expr(&it, variables, effects)).collect()
}

fn expr(it: &RelaxExpr, variables: &mut Variables, effects: &mut Effects) -> Value {
    if let Some(var) = it.downcast_ref::<Var>() {
        let known = variables.get(&id(var));
        return known.unwrap_or_else(|| panic!("`{}` has no value", var.vid.name_hint)).clone();
    }
    if let Some(tuple) = it.downcast_ref::<Tuple>() {
        return Value::Tuple(all(&tuple.fields, variables, effects));
    }
    if let Some(member) = it.downcast_ref::<TupleGetItem>() {
        let Value::Tuple(fields) = expr(&member.tuple_value, variables, effects) else { panic!("a tuple") };
        return fields[usize::try_from(member.index).expect("an index")].clone();
    }
    if let Some(function) = it.downcast_ref::<Function>() {
        return Value::Closure(function.clone(), variables.clone());
    }
    if let Some(it) = it.downcast_ref::<If>() {
        let condition = expr(&it.cond, variables, effects).number();
        let branch = if condition % 2 == 1 { &it.true_branch } else { &it.false_branch };
        return sequence(branch, &mut variables.clone(), effects);
    }
    if let Some(seq) = it.downcast_ref::<SeqExpr>() {
        return sequence(seq, &mut variables.clone(), effects);
    }
    let call = it.downcast_ref::<Call>().unwrap_or_else(|| panic!("cannot evaluate {it}"));
    if let Some(op) = call.op.downcast_ref::<Op>() {
        let args = all(&call.args, variables, effects);
        if op.name == "relax.logical_not" {
            return Value::Number(args[0].number() ^ 1);
        }
        return Value::Number(mix(&op.name, &args));
    }
    if let Some(function) = call.op.downcast_ref::<ExternFunc>() {
        let args = all(&call.args, variables, effects);
        let name = function.global_symbol.to_string();
        effects.0.push((name.clone(), mix(&name, &args)));
        // The result depends on the effects before.
        return Value::Number(mix(&name, &args) ^ effects.0.len() as u64);
    }
    let Value::Closure(function, captured) = expr(&call.op, variables, effects) else { panic!("a function") };
    let args = all(&call.args, variables, effects);
    apply(&function, &captured, &args, effects)
}
