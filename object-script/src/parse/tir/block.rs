//! Blocks: `with T.sblock("B"):` (TVM 0.25 src/tirx/script/builder/ir.cc and frame.cc).

use object_core::value::Str;
use object_core::{Any, DataType, Map, ObjectHandle};
use object_ir::ir::{IntImm, PrimExpr, PrimType, Range};
use object_ir::tir::{BufferRegion, IterVar, SBlock, SBlockRealize, Stmt, Var, iter_var_type};
use ruff_text_size::TextRange;

use crate::parse::ir::functions::attributes;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::state::tir_frames::{BlockFacts, Context};
use crate::parse::tir::access::{extent, region};
use crate::parse::tir::detect;
use crate::parse::tir::loops::from_zero;
use crate::parse::tir::scalar::prim;
use crate::parse::value::Value;
use crate::words::{BLOCK_AXES, kind};

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.sblock", sblock),
    ("T.init", init),
    ("T.axis.spatial", axis),
    ("T.axis.S", axis),
    ("T.axis.reduce", axis),
    ("T.axis.R", axis),
    ("T.axis.scan", axis),
    ("T.axis.opaque", axis),
    ("T.axis.remap", remap),
    ("T.where", condition),
    ("T.reads", reads),
    ("T.writes", writes),
    ("T.sblock_attr", sblock_attr),
];

/// The kind of axis that a function such as `T.axis.spatial` defines.
fn kind_of(function: &str) -> i64 {
    let name = match function.strip_prefix("T.").unwrap_or(function) {
        "axis.S" => "axis.spatial",
        "axis.R" => "axis.reduce",
        name => name,
    };
    kind(BLOCK_AXES, name).unwrap_or(iter_var_type::OPAQUE)
}

fn sblock(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = match call.optional("name").cloned() {
        Some(name) => Str::from(name.str(p)?),
        None => Str::from(""),
    };
    let no_realize = call.optional("no_realize").cloned().map_or(Ok(false), |it| it.bool(p))?;
    let _ = call.optional("exec_scope");
    call.finish(p)?;
    p.tir.context = Some(Context::Block { name, has_realize: !no_realize });
    Ok(Value::None)
}

fn init(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    p.tir.context = Some(Context::Init);
    Ok(Value::None)
}

/// The range of an axis: an extent, a pair of bounds, or a range.
fn domain(p: &mut Parser<'_>, argument: &Argument) -> Eval<Range> {
    if let Some(range) = argument.value.to::<Range>() {
        return Ok(range);
    }
    let Some(pair) = argument.value.items() else {
        let stop = prim(p, argument)?;
        return Ok(from_zero(stop));
    };
    let [start, stop] = &*pair else { return Err(argument.expected(p, "an extent, or a pair of bounds")) };
    let part = |value: &Value| Argument { value: value.clone(), range: argument.range };
    let (start, stop) = (prim(p, &part(start))?, prim(p, &part(stop))?);
    let length = extent(&start, &stop);
    Ok(Range::new(start, length, None))
}

/// Adds an axis to the block, and returns its variable.
fn add_axis(
    p: &mut Parser<'_>,
    function: &str,
    range: TextRange,
    axis: (Option<Range>, DataType, i64, &str),
    binding: Option<PrimExpr>,
) -> Eval<Value> {
    let (domain, dtype, kind, name) = axis;
    let var = Var::new(dtype, name, PrimType::new(dtype));
    let axis = IterVar::new(domain, var.clone(), kind, "");
    let block = p.innermost_block(function, range)?;
    // A block without realization has no values of its axes.
    let binding = binding.unwrap_or_else(|| IntImm::new(dtype, 0).into());
    block.axes.push((axis, binding));
    Ok(Value::object(var))
}

/// `T.axis.spatial(extent, value)` and accordingly for other kinds.
fn axis(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dom = call.required(p, "dom")?.clone();
    let binding = call.take("binding").cloned();
    let dtype = call.optional("dtype").cloned().map_or(Ok(DataType::int(32)), |it| it.dtype(p))?;
    call.finish(p)?;
    let (domain, bits) = match dom.value {
        Value::None => (None, dtype.bits),
        _ => {
            let domain = domain(p, &dom)?;
            let bits = domain.min.dtype.bits.max(domain.extent.dtype.bits);
            (Some(domain), bits)
        }
    };
    let dtype = DataType { bits: dtype.bits.max(bits), ..dtype };
    let kind = kind_of(&call.name);
    let name = p.tir.target(0).to_owned();
    let has_realize = p.innermost_block(&call.name, call.range)?.has_realize;
    let binding = match binding {
        Some(binding) => Some(prim(p, &binding)?),
        None if has_realize => {
            return Err(p.error(call.range, format!("`{}` lacks the argument `binding`", call.name)));
        }
        None => None,
    };
    add_axis(p, &call.name, call.range, (domain, dtype, kind, &name), binding)
}

/// `T.axis.remap("SR", [i, j])`: axes over whole loops.
fn remap(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let kinds = call.required(p, "kinds")?.clone();
    let bindings = call.required(p, "bindings")?.clone();
    let _ = call.optional("dtype");
    call.finish(p)?;
    let Some(items) = bindings.value.items() else { return Err(bindings.expected(p, "a list of loop variables")) };
    let letters = kinds.str(p)?;
    if letters.len() != items.len() {
        let message = format!("expected one letter for each loop variable, got {:?} for {}", letters, items.len());
        return Err(p.error(call.range, message));
    }
    let names = p.tir.targets.clone();
    let mut vars = Vec::new();
    for (index, (letter, item)) in letters.chars().zip(items.iter()).enumerate() {
        let item = Argument { value: item.clone(), range: bindings.range };
        let var: Var = item.object(p, "a loop variable")?;
        let Some(domain) = p.tir.range_of(&var).cloned() else {
            let message = format!("`{}` is not the variable of a loop around the block", var.name);
            return Err(p.error(bindings.range, message));
        };
        let kind = match letter {
            'S' => iter_var_type::DATA_PAR,
            'R' => iter_var_type::COMM_REDUCE,
            _ => return Err(kinds.expected(p, "a string of the letters `S` and `R`")),
        };
        let name = match (&*names, items.len()) {
            ([name], 2..) => format!("{name}_{index}"),
            _ => names.get(index).cloned().unwrap_or_default(),
        };
        let axis = (Some(domain), var.dtype, kind, name.as_str());
        vars.push(add_axis(p, "T.axis.remap", call.range, axis, Some(var.into()))?);
    }
    Ok(match <[Value; 1]>::try_from(vars) {
        Ok([var]) => var,
        Err(vars) => Value::Tuple(vars.into()),
    })
}

/// `T.where(condition)`.
fn condition(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let argument = call.required(p, "predicate")?.clone();
    call.finish(p)?;
    let predicate = match argument.value {
        Value::Int(value @ (0 | 1)) => IntImm::new(DataType::boolean(), value).into(),
        _ => prim(p, &argument)?,
    };
    let block = p.innermost_block("T.where", call.range)?;
    if block.predicate.replace(predicate).is_some() {
        return Err(p.error(call.range, "the block has two conditions"));
    }
    Ok(Value::None)
}

fn regions(p: &mut Parser<'_>, call: &Call) -> Eval<Vec<BufferRegion>> {
    let mut arguments = call.rest().to_vec();
    call.finish(p)?;
    if let [only] = &*arguments
        && let Some(items) = only.value.items()
    {
        let range = only.range;
        arguments = items.iter().map(|value| Argument { value: value.clone(), range }).collect();
    }
    arguments.iter().map(|argument| region(p, argument)).collect()
}

/// `T.reads(A[0:4], B[i])`.
fn reads(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let regions = regions(p, call)?;
    let block = p.innermost_block("T.reads", call.range)?;
    if block.reads.replace(regions).is_some() {
        return Err(p.error(call.range, "the block has two `T.reads`"));
    }
    Ok(Value::None)
}

/// `T.writes(A[0:4], B[i])`.
fn writes(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let regions = regions(p, call)?;
    let block = p.innermost_block("T.writes", call.range)?;
    if block.writes.replace(regions).is_some() {
        return Err(p.error(call.range, "the block has two `T.writes`"));
    }
    Ok(Value::None)
}

/// `T.sblock_attr({...})`.
fn sblock_attr(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let argument = call.required(p, "attrs")?.clone();
    call.finish(p)?;
    let entries = attributes(p, &argument)?;
    let Some(block) = p.tir.block() else {
        return Err(p.error(call.range, "`T.sblock_attr` has to be in `with T.sblock(...)`"));
    };
    for (name, value) in entries {
        let name = Str::from(name.as_str());
        block.annotations.retain(|(known, _)| *known != name);
        block.annotations.push((name, value));
    }
    Ok(Value::None)
}

/// The attribute of blocks whose access regions the text leaves out.
const DETECT: &str = "tirx.script_parsing_detect_access";

/// Adds the block of a region to the region around. The parts of buffers that the text leaves out are detected.
pub(crate) fn add(p: &mut Parser<'_>, facts: BlockFacts, body: Stmt) {
    let missing = i64::from(facts.reads.is_none()) | i64::from(facts.writes.is_none()) << 1;
    if missing == 0 {
        let stmt = build(facts, body);
        return p.tir.push(stmt);
    }
    if !p.tir.is_s_tir {
        let mut facts = facts;
        facts.annotations.push((Str::from(DETECT), Any::from(IntImm::new(DataType::int(64), missing))));
        let stmt = build(facts, body);
        return p.tir.push(stmt);
    }
    let mut detected = facts.clone();
    let (reads, writes) = detect::access(&facts, &body);
    detected.reads.get_or_insert(reads);
    detected.writes.get_or_insert(writes);
    let stmt = build(detected, body.clone());
    if p.tir.block().is_none() {
        let address = stmt.as_object().view().address();
        p.tir.undetected.insert(address, build(facts, body));
    }
    p.tir.push(stmt);
}

fn build(facts: BlockFacts, body: Stmt) -> Stmt {
    let (axes, values): (Vec<IterVar>, Vec<PrimExpr>) = facts.axes.into_iter().unzip();
    let block = SBlock::new(
        axes,
        facts.reads.unwrap_or_default(),
        facts.writes.unwrap_or_default(),
        facts.name,
        facts.allocations,
        facts.matches,
        Map::<Str, Any>::new(facts.annotations),
        facts.init,
        body,
    );
    if !facts.has_realize {
        return block.into();
    }
    let always = || IntImm::new(DataType::boolean(), 1).into();
    SBlockRealize::new(values, facts.predicate.unwrap_or_else(always), block).into()
}
