//! Emitting bindings in normal form (TVM 0.25 `Normalizer` in src/relax/ir/block_builder.cc).

use object_core::ObjectHandle;
use object_core::object::MakeMut;
use object_core::stack_budget::with_stack;
use object_ir::ir::{
    Binding, BindingBlock, Call, DataflowBlock, DataflowVar, GlobalVar, Id, MatchCast, Op, RelaxExpr, SeqExpr,
    StructInfo, Tuple, TupleGetItem, Var, VarBinding,
};
use object_relax::derivation::{Mark, cast_fails, failing_cast_message, same_parts};
use object_relax::normal_form::{is_leaf, without_void_var};
use object_relax::op::InferContext;
use object_relax::op::describe::describe;
use object_relax::struct_info::{BaseCheck, base_check};
use ruff_text_size::TextRange;

use crate::parse::relax::values::{self, with_info, with_leaf_info};
use crate::parse::state::function_frame::{FunctionFrame, Sequence};
use crate::parse::state::parser::{Eval, Parser};

/// The message about a value that no variable can have.
const NO_INFO: &str = "the value does not have structural information";

/// The function at hand.
///
/// # Errors
/// Reports a statement outside of functions.
pub(crate) fn frame<'p>(p: &'p mut Parser<'_>, range: TextRange) -> Eval<&'p mut FunctionFrame> {
    let Some(innermost) = p.relax.len().checked_sub(1) else {
        return Err(p.error(range, "expected a function of Relax around the statement"));
    };
    Ok(&mut p.relax[innermost])
}

/// The sequence at hand.
fn sequence<'p>(p: &'p mut Parser<'_>, range: TextRange) -> Eval<&'p mut Sequence> {
    Ok(&mut frame(p, range)?.sequence)
}

/// Binds the value to a new variable with this name. An annotation is the structural information of a call; for a value
/// whose structural information its form determines, it may only not contradict.
///
/// # Errors
/// Reports a wrong annotation, and values without structural information.
pub(crate) fn emit(
    p: &mut Parser<'_>,
    value: RelaxExpr,
    annotation: Option<StructInfo>,
    name: &str,
    range: TextRange,
) -> Eval<Var> {
    let value = match &annotation {
        None => value,
        Some(annotation) => match known_info(&value) {
            None => with_info(value, annotation.clone()),
            Some(info) => {
                if base_check(annotation, &info, &p.analyzer) == BaseCheck::FailL0 {
                    let (expected, got) = (describe(annotation), describe(&info));
                    return Err(p.error(range, format!("the annotation is {expected}, but the value is {got}")));
                }
                value
            }
        },
    };
    let value = normalize(p, value, range)?;
    // An operator has no place for the annotation, which is the one of the variable then.
    let stated = annotation.filter(|_| value.is::<Op>());
    let Some(info) = latest_info(p, &value).or(stated) else {
        return Err(p.error(range, NO_INFO));
    };
    bind(p, value, info, name, range)
}

/// The structural information that TVM knows before inference.
fn known_info(value: &RelaxExpr) -> Option<StructInfo> {
    if value.is::<Call>() { value.struct_info.clone() } else { with_leaf_info(value.clone()).struct_info.clone() }
}

/// Binds a value in normal form to a new variable with this structural information.
fn bind(p: &mut Parser<'_>, value: RelaxExpr, info: StructInfo, name: &str, range: TextRange) -> Eval<Var> {
    let var = new_var(p, name, info, range)?;
    emit_var_binding(p, &var, value, range)?;
    Ok(var)
}

/// `name = R.match_cast(value, info)`.
///
/// # Errors
/// Reports a cast that always fails.
pub(crate) fn emit_match_cast(
    p: &mut Parser<'_>,
    value: RelaxExpr,
    info: &StructInfo,
    name: &str,
    range: TextRange,
) -> Eval<Var> {
    let value = normalize(p, value, range)?;
    if let Some(given) = &value.struct_info
        && cast_fails(given, info, &p.analyzer)
    {
        let message = failing_cast_message(given, info);
        return Err(p.error(range, message));
    }
    let var = new_var(p, name, info.clone(), range)?;
    p.surroundings.see_binders(std::slice::from_ref(info));
    push(p, MatchCast::new(var.clone(), value, info.clone()).into(), range)?;
    Ok(var)
}

/// Binds a variable that exists already.
pub(crate) fn emit_var_binding(p: &mut Parser<'_>, var: &Var, value: RelaxExpr, range: TextRange) -> Eval<()> {
    p.surroundings.bind(var, &value);
    push(p, VarBinding::new(var.clone(), value).into(), range)
}

/// The address of the identity of a variable.
pub(crate) fn address(var: &Var) -> usize {
    var.vid.as_object().view().address()
}

fn push(p: &mut Parser<'_>, binding: Binding, range: TextRange) -> Eval<()> {
    let id = address(&binding.var);
    let frame = frame(p, range)?;
    if let Some(dataflow) = &mut frame.dataflow {
        if dataflow.outputs.is_some() {
            return Err(p.error(range, "a dataflow block ends with `R.output`, but a binding comes after it"));
        }
        dataflow.emitted.insert(id);
    }
    sequence(p, range)?.bindings.push(binding);
    Ok(())
}

/// A variable of the block at hand. In a dataflow block, variables of `R.output` are visible after the block.
fn new_var(p: &mut Parser<'_>, name: &str, info: StructInfo, range: TextRange) -> Eval<Var> {
    let frame = frame(p, range)?;
    let is_local = frame
        .dataflow
        .as_ref()
        .is_some_and(|dataflow| dataflow.expected_outputs.get(name) != Some(&dataflow.statement));
    Ok(if is_local {
        let mut var = DataflowVar::new(Id::new(name));
        var.make_mut().base.base.base.struct_info = Some(info);
        var.into()
    } else {
        let mut var = Var::new(Id::new(name));
        var.make_mut().base.base.struct_info = Some(info);
        var
    })
}

/// The expression with operands in normal form and with structural information.
///
/// # Errors
/// Reports calls whose structural information cannot be inferred.
pub(crate) fn normalize(p: &mut Parser<'_>, expr: RelaxExpr, range: TextRange) -> Eval<RelaxExpr> {
    if let Some(call) = expr.downcast_ref::<Call>() {
        return normalize_call(p, call.clone(), range);
    }
    if let Some(tuple) = expr.downcast_ref::<Tuple>() {
        let fields: Eval<Vec<RelaxExpr>> = tuple.fields.iter().map(|field| operand(p, &field, range)).collect();
        let fields = fields?;
        let is_same = same_parts(&fields, &tuple.fields);
        return Ok(if is_same { with_leaf_info(expr) } else { values::tuple(fields) });
    }
    if let Some(member) = expr.downcast_ref::<TupleGetItem>() {
        let tuple = operand(p, &member.tuple_value, range)?;
        let index = member.index;
        let result = if tuple.ptr_eq(&member.tuple_value) && expr.struct_info.is_some() {
            expr
        } else {
            values::member(tuple, index)
        };
        if result.struct_info.is_none() {
            return Err(p.error(range, format!("expected a tuple with a member {index}")));
        }
        return Ok(result);
    }
    Ok(without_void_var(with_leaf_info(expr)))
}

fn normalize_call(p: &mut Parser<'_>, call: Call, range: TextRange) -> Eval<RelaxExpr> {
    let written = call.as_object().view().address();
    let op = if call.op.is::<Op>() { call.op.clone() } else { operand(p, &call.op, range)? };
    let args: Eval<Vec<RelaxExpr>> = call.args.iter().map(|arg| operand(p, &arg, range)).collect();
    let args = args?;
    let mut call = call;
    if !same_parts(&args, &call.args) || !op.ptr_eq(&call.op) {
        let node = call.make_mut();
        node.op = op;
        node.args = args.into();
    }
    if call.struct_info.is_none() {
        let info = call_info(p, &call, range)?;
        call.make_mut().base.struct_info = info;
    }
    if let Some(log) = &mut p.log
        && let Some(info) = &call.struct_info
    {
        log.current.derived.insert(written, info.clone());
    }
    Ok(call.into())
}

/// The structural information of the result of a call.
fn call_info(p: &mut Parser<'_>, call: &Call, range: TextRange) -> Eval<Option<StructInfo>> {
    let mut call = call.clone();
    if call.op.is::<GlobalVar>()
        && let Some(signature) = latest_info(p, &call.op)
    {
        let node = call.make_mut();
        node.op = with_info(node.op.clone(), signature);
    }
    match p.surroundings.derive(&call.into(), InferContext::new(&p.analyzer)) {
        Ok(derived) => Ok(derived.struct_info.clone()),
        Err(error) => Err(p.object_error(range, &error)),
    }
}

/// The structural information of an expression. The one of a function of the module becomes known with its definition.
fn latest_info(p: &Parser<'_>, expr: &RelaxExpr) -> Option<StructInfo> {
    let global = expr.downcast_ref::<GlobalVar>();
    let known = global.and_then(|var| p.global_signatures.get(&*var.name_hint));
    known.or(expr.struct_info.as_ref()).cloned()
}

/// The operand in normal form: a leaf, a tuple of leaves, or a variable that is bound to the value.
///
/// # Errors
/// Reports values without structural information.
pub(crate) fn operand(p: &mut Parser<'_>, expr: &RelaxExpr, range: TextRange) -> Eval<RelaxExpr> {
    if is_leaf(expr.as_object().view()) && !expr.is::<Tuple>() {
        return normalize(p, expr.clone(), range);
    }
    with_stack(|| {
        let key = expr.as_object().view().address();
        if let Some((_, var)) = sequence(p, range)?.operands.get(&key) {
            return Ok(var.clone().into());
        }
        let value = normalize(p, expr.clone(), range)?;
        if expr.is::<Tuple>() {
            return Ok(value);
        }
        let Some(info) = latest_info(p, &value) else {
            return Err(p.error(range, NO_INFO));
        };
        let frame = frame(p, range)?;
        let prefix = if frame.dataflow.is_some() { "lv" } else { "gv" };
        let name = if frame.temporaries == 0 { prefix.to_owned() } else { format!("{prefix}{}", frame.temporaries) };
        frame.temporaries += 1;
        let var = bind(p, value, info, &name, range)?;
        sequence(p, range)?.operands.insert(key, (expr.clone(), var.clone()));
        Ok(var.into())
    })
}

/// Ends the block at hand. Neighbouring blocks of one kind become one block.
///
/// # Errors
/// Reports a statement outside of functions.
pub(crate) fn end_block(p: &mut Parser<'_>, is_dataflow: bool, range: TextRange) -> Eval<()> {
    let sequence = sequence(p, range)?;
    sequence.operands.clear();
    let bindings = std::mem::take(&mut sequence.bindings);
    push_block(&mut sequence.blocks, bindings, is_dataflow);
    Ok(())
}

/// Appends the bindings of a block, unless there are none.
pub(crate) fn push_block(blocks: &mut Vec<(bool, Vec<Binding>)>, bindings: Vec<Binding>, is_dataflow: bool) {
    if bindings.is_empty() {
        return;
    }
    match blocks.last_mut() {
        Some((kind, last)) if *kind == is_dataflow => last.extend(bindings),
        _ => blocks.push((is_dataflow, bindings)),
    }
}

/// The blocks of a sequence.
pub(crate) fn blocks(parts: Vec<(bool, Vec<Binding>)>) -> Vec<BindingBlock> {
    let block = |(is_dataflow, bindings): (bool, Vec<Binding>)| {
        if is_dataflow { DataflowBlock::new(bindings).into() } else { BindingBlock::new(bindings) }
    };
    parts.into_iter().map(block).collect()
}

/// The sequence of the blocks with a result, which becomes an operand in normal form. Its variables end.
///
/// # Errors
/// Reports results without structural information.
pub(crate) fn end_sequence(p: &mut Parser<'_>, body: &RelaxExpr, outside: Mark, range: TextRange) -> Eval<SeqExpr> {
    end_block(p, false, range)?;
    let body = operand(p, body, range)?;
    end_block(p, false, range)?;
    let frame = frame(p, range)?;
    let blocks = blocks(std::mem::take(&mut frame.sequence).blocks);
    let Some(info) = &body.struct_info else {
        return Err(p.error(range, "the result does not have structural information"));
    };
    p.surroundings.end(outside);
    let info = match p.words.keeps_local_dims {
        true => info.clone(),
        false => p.surroundings.erase(info, InferContext::new(&p.analyzer)),
    };
    let mut sequence = SeqExpr::new(blocks, body);
    sequence.make_mut().base.struct_info = Some(info);
    Ok(sequence)
}
