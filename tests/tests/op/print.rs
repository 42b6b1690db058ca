//! The text of structural information, as [`CallReader`](object_tests::op_calls::CallReader) reads it.

use object_core::prelude::*;
use object_ir::distributed::{DTensorStructInfo, PlacementSpec, placement_spec_kind};
use object_ir::ir::{
    FuncStructInfo, ObjectStructInfo, PrimExpr, PrimStructInfo, ShapeExpr, ShapeStructInfo, StructInfo,
    TensorStructInfo, TupleStructInfo, VDevice, Var,
};
use object_tests::scalar_text;

/// The text of structural information.
pub(crate) fn print(info: &StructInfo) -> String {
    if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
        return print_tensor(tensor);
    }
    if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
        let shape = shape.values.as_ref().map_or_else(|| format!("ndim={}", shape.ndim), |values| dims(values));
        return format!("Shape({shape})");
    }
    if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
        let value = prim.value.as_ref().map(|value| format!(", {}", scalar_text::print(value)));
        return format!("Prim({}{})", prim.dtype, value.unwrap_or_default());
    }
    if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        return format!("Tuple({})", list(&tuple.fields));
    }
    if let Some(function) = info.downcast_ref::<FuncStructInfo>() {
        let params = function.params.as_ref().map_or("...".to_owned(), |params| format!("({})", list(params)));
        return format!("Callable({params}, {})", print(&function.ret));
    }
    if let Some(tensor) = info.downcast_ref::<DTensorStructInfo>() {
        let extents: Vec<_> = tensor.device_mesh.shape.iter().map(ToString::to_string).collect();
        let spec = |spec: PlacementSpec| match spec.kind {
            placement_spec_kind::SHARDING => spec.axis.to_string(),
            _ => "R".to_owned(),
        };
        let placements: Vec<_> = tensor.placement.dim_specs.iter().map(spec).collect();
        return format!(
            "DTensor({}, {}, {})",
            print_tensor(&tensor.tensor_sinfo),
            extents.join("x"),
            placements.join(", ")
        );
    }
    assert!(info.is::<ObjectStructInfo>(), "no text for {info}");
    "Object".to_owned()
}

fn list(infos: &Array<StructInfo>) -> String {
    infos.iter().map(|info| print(&info)).collect::<Vec<_>>().join(", ")
}

fn dims(dims: &[PrimExpr]) -> String {
    let texts: Vec<_> = dims.iter().map(scalar_text::print).collect();
    format!("({}{})", texts.join(", "), if texts.len() == 1 { "," } else { "" })
}

fn print_tensor(tensor: &TensorStructInfo) -> String {
    let shape = match &tensor.shape {
        None if tensor.ndim == -1 => None,
        None => Some(format!("ndim={}", tensor.ndim)),
        Some(shape) => match shape.downcast_ref::<ShapeExpr>() {
            Some(known) => {
                assert_eq!(tensor.ndim, known.values.len() as i64, "the rank of {}", dims(&known.values));
                let info = known.struct_info.as_ref().map(print);
                assert_eq!(info, Some(format!("Shape({})", dims(&known.values))), "the shape has its information");
                Some(dims(&known.values))
            }
            None => {
                let name = shape.downcast_ref::<Var>().map(|var| var.vid.name_hint.to_string());
                name.zip(shape.struct_info.as_ref()).map(|(name, info)| format!("{name}: {}", print(info)))
            }
        },
    };
    let dtype = (!tensor.dtype.is_void()).then(|| tensor.dtype.to_string());
    let parts = [shape, dtype, tensor.vdevice.as_ref().map(print_vdevice)];
    format!("Tensor({})", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn print_vdevice(vdevice: &VDevice) -> String {
    let kind = vdevice.target.as_ref().map(|target| format!("{}:", target.kind.name));
    format!("on {}{}", kind.unwrap_or_default(), vdevice.vdevice_id)
}
