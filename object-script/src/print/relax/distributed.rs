//! Tensors on several devices (TVM 0.25 src/relax/script/printer/distributed.cc).

use object_core::{AnyView, AsAnyView, ObjectHandle, ObjectView};
use object_ir::distributed::{DTensorStructInfoNode, DeviceMeshNode, PlacementNode, placement_spec_kind};

use crate::print::doc::tree::{Doc, Text};
use crate::print::relax::struct_info::tensor_shape;
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Where the pieces of a tensor are: `S[0], R`.
pub(crate) fn placement(p: &mut Printer<'_>, placement: &PlacementNode, _: Path) -> Doc {
    let specs: Vec<String> = placement
        .dim_specs
        .iter()
        .map(|spec| match spec.kind {
            placement_spec_kind::REPLICA => "R".to_owned(),
            _ => format!("S[{}]", spec.axis),
        })
        .collect();
    p.string(&specs.join(", "))
}

/// A tensor on several devices. Arguments are positional as long as none before them is missing.
pub(crate) fn dtensor(p: &mut Printer<'_>, info: &DTensorStructInfoNode, path: Path) -> Doc {
    let tensor = &info.tensor_sinfo;
    let tensor_path = p.paths.field(path, "tensor_sinfo");
    let mut args = Vec::new();
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if let Some(shape) = &tensor.shape {
        args.push(tensor_shape(p, shape, tensor_path));
    }
    let mut is_positional = tensor.shape.is_some();
    let mut add = |name: &'static str, doc: Doc, is_positional: bool| {
        if is_positional { args.push(doc) } else { keywords.push((name.into(), doc)) }
    };
    if tensor.dtype.is_void() {
        is_positional = false;
    } else {
        add("dtype", p.dtype_field(tensor_path, "dtype", tensor.dtype), is_positional);
    }
    add("device_mesh", p.field(path, "device_mesh", &info.device_mesh), is_positional);
    add("placement", p.field(path, "placement", &info.placement), is_positional);
    if tensor.shape.is_none() && tensor.ndim != -1 {
        let path = p.paths.field(tensor_path, "ndim");
        keywords.push(("ndim".into(), p.int(tensor.ndim, path)));
    }
    p.dialect_call(Dialect::Relax, "DTensor", &args, &keywords)
}

/// A mesh of devices: in a function, by its place among the global infos of the module.
pub(crate) fn device_mesh(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(mesh) = object.node::<DeviceMeshNode>() else { return p.metadata_item(AnyView::Object(object)) };
    if p.frames.iter().any(|frame| matches!(frame.kind, FrameKind::Relax(_)))
        && let Some(infos) = &p.global_infos
    {
        let place = infos.iter().find_map(|(name, list)| {
            let index = list.as_slice().iter().position(|info| info.as_object().view().ptr_eq(object))?;
            Some(format!("{name}[{index}]"))
        });
        if let Some(place) = place {
            return p.string(&place);
        }
    }
    let shape = p.field(path, "shape", &mesh.shape);
    let devices = match &mesh.device_range {
        Some(range) => p.field(path, "device_range", range),
        None => {
            let path = p.paths.field(path, "device_ids");
            p.expr_of(mesh.device_ids.as_any_view(), path)
        }
    };
    p.dialect_call(Dialect::Relax, "device_mesh", &[shape, devices], &[])
}
