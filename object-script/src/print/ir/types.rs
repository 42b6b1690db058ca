//! Types (TVM 0.25 src/relax/script/printer/type.cc and src/tirx/script/printer/ir.cc).

use object_core::{AsAnyView, ObjectHandle};
use object_ir::ir::{
    DynTensorTypeNode, FuncTypeNode, ObjectTypeNode, PackedFuncTypeNode, PointerTypeNode, PrimTypeNode, ShapeTypeNode,
    TensorMapType, TensorMapTypeNode, TupleTypeNode,
};

use crate::print::doc::tree::Doc;
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// The type of a scalar.
pub(crate) fn prim(p: &mut Printer<'_>, ty: &PrimTypeNode, _: Path) -> Doc {
    let name = p.dtype_name(ty.dtype);
    p.dialect_name(Dialect::Tir, name)
}

/// The type of an address.
pub(crate) fn pointer(p: &mut Printer<'_>, ty: &PointerTypeNode, path: Path) -> Doc {
    let element = ty.element_type.as_object().view();
    let element_path = p.paths.field(path, "element_type");
    if element.to_handle::<TensorMapType>().is_some() {
        return p.dialect_call(Dialect::Tir, "TensorMap", &[], &[]);
    }
    let mut args = vec![match element.node::<PrimTypeNode>() {
        Some(prim) => p.dtype_field(element_path, "dtype", prim.dtype),
        None => p.expr(&ty.element_type, element_path),
    }];
    if !ty.storage_scope.is_empty() {
        args.push(p.string_field(path, "storage_scope", &ty.storage_scope));
    }
    p.dialect_call(Dialect::Tir, "handle", &args, &[])
}

/// The type of a tensor map of CUDA.
pub(crate) fn tensor_map(p: &mut Printer<'_>, _: &TensorMapTypeNode, _: Path) -> Doc {
    p.dialect_call(Dialect::Tir, "TensorMap", &[], &[])
}

/// The type of a tuple. In TIR, the empty one is the type without values.
pub(crate) fn tuple(p: &mut Printer<'_>, ty: &TupleTypeNode, path: Path) -> Doc {
    if p.dialect() == Dialect::Relax {
        return named_tuple(p, &ty.fields, path);
    }
    if ty.fields.is_empty() {
        return p.any(object_core::AnyView::None, path);
    }
    let path = p.paths.field(path, "fields");
    let docs = p.items(ty.fields.as_slice(), path);
    p.dialect_call(Dialect::Tir, "Tuple", &docs, &[])
}

/// The type of a function.
pub(crate) fn func(p: &mut Printer<'_>, ty: &FuncTypeNode, path: Path) -> Doc {
    let args_path = p.paths.field(path, "arg_types");
    let args = p.items(ty.arg_types.as_slice(), args_path);
    if p.dialect() == Dialect::Relax {
        let (args, ret) = (p.tuple(&args), p.field(path, "ret_type", &ty.ret_type));
        return p.dialect_call(Dialect::Relax, "Callable", &[args, ret], &[]);
    }
    let (args, ret) = (p.list(&args), p.field(path, "ret_type", &ty.ret_type));
    p.dialect_call(Dialect::Ir, "FuncType", &[args, ret], &[])
}

/// The type of a tensor.
pub(crate) fn tensor(p: &mut Printer<'_>, ty: &DynTensorTypeNode, path: Path) -> Doc {
    let ndim_path = p.paths.field(path, "ndim");
    let ndim = p.int(ty.ndim, ndim_path);
    let dtype = p.dtype_field(path, "dtype", ty.dtype);
    p.dialect_call(Dialect::Relax, "Tensor", &[], &[("ndim".into(), ndim), ("dtype".into(), dtype)])
}

/// The type of a shape.
pub(crate) fn shape(p: &mut Printer<'_>, ty: &ShapeTypeNode, path: Path) -> Doc {
    let path = p.paths.field(path, "ndim");
    let ndim = p.int(ty.ndim, path);
    p.dialect_call(Dialect::Relax, "Shape", &[], &[("ndim".into(), ndim)])
}

/// The type of any value.
pub(crate) fn object(p: &mut Printer<'_>, _: &ObjectTypeNode, _: Path) -> Doc {
    p.dialect_name(Dialect::Relax, "Object")
}

/// The type of a packed function.
pub(crate) fn packed_func(p: &mut Printer<'_>, _: &PackedFuncTypeNode, _: Path) -> Doc {
    p.dialect_name(Dialect::Relax, "PackedFunc")
}

/// `R.Tuple(fields)`, without parentheses if there are no fields.
pub(crate) fn named_tuple<T: ObjectHandle + AsAnyView>(
    p: &mut Printer<'_>,
    fields: &object_core::Array<T>,
    path: Path,
) -> Doc {
    if fields.is_empty() {
        return p.dialect_name(Dialect::Relax, "Tuple");
    }
    let path = p.paths.field(path, "fields");
    let docs = p.items(fields.as_slice(), path);
    p.dialect_call(Dialect::Relax, "Tuple", &docs, &[])
}
