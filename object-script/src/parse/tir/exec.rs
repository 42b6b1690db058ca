//! Execution scopes and tile primitives: `bx, by = T.cta_id([4, 2])`, `T.warp.copy(A[0:4], B[0:4])` (TVM 0.25
//! python/tvm/tirx/script/builder/ir.py and tirx.py).

use object_core::value::Str;
use object_core::{Any, Array, DataType, Map};
use object_ir::ir::{Op, PrimType};
use object_ir::tir::{
    Buffer, BufferLoad, BufferRegion, ExecScope, ScopeIdDef, ScopeIdDefStmt, TilePrimitiveCall, Var, scope_binding,
};

use crate::intrinsics::ops_of_name;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::state::tir_frames::Context;
use crate::parse::tir::access::region;
use crate::parse::tir::scalar::{int32, prims, to_prim};
use crate::parse::value::Value;
use crate::words::{BINDINGS, LEVELS};

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.cluster_id", scope_id),
    ("T.cta_id", scope_id),
    ("T.cta_id_in_cluster", scope_id),
    ("T.cta_id_in_pair", scope_id),
    ("T.warpgroup_id", scope_id),
    ("T.warp_id", scope_id),
    ("T.warp_id_in_wg", scope_id),
    ("T.lane_id", scope_id),
    ("T.thread_id", scope_id),
    ("T.thread_id_in_wg", scope_id),
    ("T.ExecScope", exec_scope),
];

/// The numbers of the members of a level, one variable for each dimension.
fn scope_id(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let extents = call.optional("extents").cloned();
    let preferred = call.optional("preferred").cloned();
    call.finish(p)?;
    let name = call.name.strip_prefix("T.").unwrap_or(&call.name);
    let binding = BINDINGS.iter().find(|(.., function)| *function == name);
    let binding = binding.map_or(scope_binding::KERNEL_CTA, |(kind, ..)| *kind);
    let mut extents = extents.map(|extents| prims(p, &extents)).transpose()?;
    if binding == scope_binding::CLUSTER_CTA_PAIR {
        extents = Some(vec![int32(2)]);
    }
    let preferred = preferred.map(|preferred| prims(p, &preferred)).transpose()?;
    let count = extents.as_ref().map_or(1, Vec::len);
    let dtype = DataType::int(32);
    let vars: Vec<Var> = (0..count).map(|index| Var::new(dtype, p.tir.target(index), PrimType::new(dtype))).collect();
    let exprs = |list: Option<Vec<object_ir::ir::PrimExpr>>| list.map(Array::new);
    let def = ScopeIdDef::new(vars.clone(), exprs(extents), binding, exprs(preferred));
    p.tir.push(ScopeIdDefStmt::new(def));
    let has_list = p.tir.targets.len() > 1;
    let mut values: Vec<Value> = vars.into_iter().map(Value::object).collect();
    match (values.len(), has_list) {
        (1, false) => Ok(values.remove(0)),
        _ => Ok(Value::Tuple(values.into())),
    }
}

fn exec_scope(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.required(p, "name")?.clone();
    call.finish(p)?;
    let word = name.str(p)?;
    match LEVELS.iter().find(|(_, level, _)| *level == word) {
        Some((kind, ..)) => Ok(Value::object(ExecScope::new(*kind))),
        None => Err(name.expected(p, "a level such as \"warp\"")),
    }
}

/// The prefix of the operators of tile primitives.
const PREFIX: &str = "tirx.tile.";

/// The primitives that may work in place, and the number of their arguments. The second one is the first one if a call leaves it
/// out, and the others are none.
const IN_PLACE: [(&str, usize); 5] = [("zero", 2), ("reciprocal", 2), ("sqrt", 4), ("exp", 4), ("exp2", 4)];

/// The level and the operator of a function such as `T.warp.copy`.
fn primitive_of(path: &str) -> Option<(i64, Op)> {
    let (level, name) = path.strip_prefix("T.")?.split_once('.')?;
    let (kind, ..) = LEVELS.iter().find(|(.., word)| *word == level)?;
    let op = ops_of_name(name).find(|op| op.strip_prefix(PREFIX).is_some())?;
    Some((*kind, Op::get(&op).ok()?))
}

/// The function of a tile primitive by name, such as `T.warp.copy`.
pub(crate) fn by_name(path: &str) -> Option<Builtin> {
    primitive_of(path).map(|_| primitive as Builtin)
}

/// An argument of a tile primitive: a part of a buffer, or another value.
fn operand(p: &mut Parser<'_>, argument: &Argument) -> Eval<Any> {
    let value = &argument.value;
    if value.is::<Buffer>() || value.is::<BufferRegion>() || value.is::<BufferLoad>() {
        return region(p, argument).map(Any::from);
    }
    match value {
        Value::Int(_) | Value::Float(_) => match to_prim(value) {
            Some(expr) => Ok(Any::from(expr)),
            None => Err(argument.expected(p, "a scalar")),
        },
        other => other.to_any().ok_or_else(|| argument.expected(p, "an object of the IR")),
    }
}

/// `T.warp.copy(A[0:4], B[0:4], dispatch="tma")`.
fn primitive(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let Some((kind, op)) = primitive_of(&call.name) else {
        return Err(p.error(call.range, format!("the function `{}` is not known", call.name)));
    };
    let arguments = call.rest().to_vec();
    let mut workspace = Vec::new();
    if let Some(argument) = call.keyword("workspace").cloned() {
        let Value::Dict(entries) = &argument.value else { return Err(argument.expected(p, "a dict of buffers")) };
        for (name, value) in entries.iter() {
            let (Some(name), Some(buffer)) = (name.as_str(), value.to::<Buffer>()) else {
                return Err(argument.expected(p, "a dict of buffers"));
            };
            workspace.push((Str::from(name), buffer));
        }
    }
    let workspace: Map<Str, Buffer> = Map::new(workspace);
    let dispatch = match call.keyword("dispatch").filter(|it| !matches!(it.value, Value::None)).cloned() {
        Some(dispatch) => Some(Str::from(dispatch.str(p)?)),
        None => None,
    };
    let mut config = Vec::new();
    for (name, argument) in call.rest_keywords() {
        match argument.value.to_any() {
            Some(value) => config.push((Str::from(name.as_str()), value)),
            None => return Err(argument.expected(p, "an object of the IR")),
        }
    }
    let config: Map<Str, Any> = Map::new(config);
    call.finish(p)?;
    let scope = ExecScope::new(kind);
    if &*op.name == "tirx.tile.compose_op" {
        p.tir.context = Some(Context::Group { workspace, config, dispatch, scope });
        return Ok(Value::None);
    }
    let mut args = Vec::with_capacity(arguments.len());
    for argument in &arguments {
        args.push(operand(p, argument)?);
    }
    let name = op.name.strip_prefix(PREFIX).unwrap_or_default();
    if let Some((_, count)) = IN_PLACE.iter().find(|(known, _)| *known == name) {
        if let [tile] = &*args {
            args.push(tile.clone());
        }
        args.resize(args.len().max(*count), Any::None);
    }
    p.tir.push(TilePrimitiveCall::new(op, Array::<Any>::new(args), workspace, config, dispatch, scope));
    Ok(Value::None)
}
