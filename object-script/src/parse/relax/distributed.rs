//! Tensors on several devices: `R.DTensor`, `R.device_mesh`, placements (TVM 0.25
//! python/tvm/relax/script/parser/dist.py).

use object_core::value::Shape;
use object_core::{Any, ObjectHandle};
use object_ir::distributed::{DTensorStructInfo, DeviceMesh, Placement, PlacementSpec, placement_spec_kind};
use object_ir::ir::{Constant, Range, StructInfo, TensorStructInfo};

use crate::parse::relax::constant;
use crate::parse::relax::struct_info::{info, rank, shape_and_dtype};
use crate::parse::relax::values::with_info;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("R.DTensor", dtensor),
    ("R.device_mesh", device_mesh),
    ("R.dist.device_mesh", device_mesh),
    ("R.Placement", placement_call),
    ("R.dist.const", distributed_const),
];

/// `R.DTensor(shape, dtype, device_mesh, placement, ndim=-1)`.
fn dtensor(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (shape, dtype) = shape_and_dtype(p, call)?;
    let mesh = call.required(p, "device_mesh")?.clone();
    let placement = call.required(p, "placement")?.clone();
    let ndim = rank(p, shape.as_ref(), call)?;
    call.finish(p)?;
    let mesh: DeviceMesh = named_object(p, &mesh, "a mesh of devices such as \"mesh[0]\"")?;
    let placement: Placement = named_object(p, &placement, "a placement such as \"S[0], R\"")?;
    let tensor = TensorStructInfo::new(shape, dtype, None, ndim);
    Ok(Value::object(DTensorStructInfo::new(mesh, placement, tensor)))
}

fn named_object<H: ObjectHandle>(p: &mut Parser<'_>, argument: &Argument, expected: &str) -> Eval<H> {
    if let Value::Str(text) = &argument.value {
        let found = named(p, text).into_iter().find_map(|any| match any {
            Any::Object(object) => object.view().to_handle::<H>(),
            _ => None,
        });
        return found.ok_or_else(|| argument.expected(p, expected));
    }
    argument.object(p, expected)
}

/// The objects that a text may name: a global info such as `mesh[0]`, and a placement such as `S[0], R`.
pub(crate) fn named(p: &Parser<'_>, text: &str) -> Vec<Any> {
    let mut result = Vec::new();
    if let Some((name, index)) = text.strip_suffix(']').and_then(|text| text.split_once('['))
        && let Ok(index) = index.parse::<usize>()
    {
        let infos = p.global_infos.iter().find(|(known, _)| known == name).and_then(|(_, infos)| infos.get(index));
        result.extend(infos.map(|info| Any::Object(info.as_object().clone())));
    }
    result.extend(placement(text).map(|placement| Any::Object(placement.as_object().clone())));
    result
}

/// A placement of its text: `R`, or `S[axis]`, for each dimension of the mesh.
fn placement(text: &str) -> Option<Placement> {
    let spec = |part: &str| -> Option<PlacementSpec> {
        if part == "R" {
            return Some(PlacementSpec::new(-1, placement_spec_kind::REPLICA));
        }
        let axis = part.strip_prefix("S[")?.strip_suffix(']')?.trim().parse::<i64>().ok()?;
        Some(PlacementSpec::new(axis, placement_spec_kind::SHARDING))
    };
    let specs: Option<Vec<PlacementSpec>> = text.split(',').map(|part| spec(part.trim())).collect();
    Some(Placement::new(specs?))
}

fn placement_call(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let text = call.required(p, "text")?.clone();
    call.finish(p)?;
    match placement(text.str(p)?) {
        Some(placement) => Ok(Value::object(placement)),
        None => Err(text.expected(p, "a placement such as \"S[0], R\"")),
    }
}

/// `R.device_mesh(shape, device_ids)`, where a range stands for its integers.
fn device_mesh(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let shape = call.required(p, "shape")?.clone();
    let ids = call.required(p, "device_ids")?.clone();
    call.finish(p)?;
    let Some(extents) = integers(&shape.value) else { return Err(shape.expected(p, "a tuple of integers")) };
    if let Some(range) = ids.value.to::<Range>() {
        let ends =
            [&range.min, &range.extent].map(|end| end.downcast_ref::<object_ir::ir::IntImm>().map(|imm| imm.value));
        let [Some(start), Some(extent)] = ends else { return Err(ids.expected(p, "a range of constants")) };
        if !(0..=1 << 20).contains(&extent) {
            return Err(ids.expected(p, "a range of at most a million devices"));
        }
        let ids: Vec<i64> = (start..start.saturating_add(extent)).collect();
        return Ok(Value::object(DeviceMesh::new(Shape::from(extents), ids, Some(range))));
    }
    let Some(ids) = integers(&ids.value) else { return Err(ids.expected(p, "a list of integers")) };
    Ok(Value::object(DeviceMesh::new(Shape::from(extents), ids, None)))
}

fn integers(value: &Value) -> Option<Vec<i64>> {
    value.items()?.iter().map(crate::parse::relax::integers::integer).collect()
}

/// `R.dist.const(value, struct_info)`.
fn distributed_const(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let value = call.required(p, "value")?.clone();
    let info_argument = call.required(p, "struct_info")?.clone();
    call.finish(p)?;
    let info: StructInfo = info(p, &info_argument)?;
    let Some(tensor) = info.downcast_ref::<DTensorStructInfo>() else {
        return Err(info_argument.expected(p, "`R.DTensor(...)`"));
    };
    let dtype = tensor.tensor_sinfo.dtype;
    let constant = constant::of(p, &value, Some(dtype))?;
    let data = constant.downcast_ref::<Constant>().cloned();
    match data {
        Some(constant) => Ok(Value::object(with_info(constant.into(), info.clone()))),
        None => Ok(Value::object(constant)),
    }
}
