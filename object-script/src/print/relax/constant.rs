//! Leaves of Relax: constants, variables, tuples (TVM 0.25 src/relax/script/printer/expr.cc).

use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::distributed::DTensorStructInfoNode;
use object_ir::ir::{ConstantNode, DataTypeImmNode, PrimValueNode, StringImmNode, TupleGetItemNode, TupleNode, Var};

use crate::print::doc::tree::Doc;
use crate::print::ir::tensor::{nested, scalar, summary};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// A scalar as a value.
pub(crate) fn prim_value(p: &mut Printer<'_>, value: &PrimValueNode, path: Path) -> Doc {
    let value = p.field(path, "value", &value.value);
    if p.words.has_one_scalar {
        return value;
    }
    p.dialect_call(Dialect::Relax, "prim_value", &[value], &[])
}

/// A string.
pub(crate) fn string_imm(p: &mut Printer<'_>, string: &StringImmNode, path: Path) -> Doc {
    let value = p.string_field(path, "value", &string.value);
    p.dialect_call(Dialect::Relax, "str", &[value], &[])
}

/// A data type as a value.
pub(crate) fn data_type_imm(p: &mut Printer<'_>, dtype: &DataTypeImmNode, path: Path) -> Doc {
    let value = p.dtype_field(path, "value", dtype.value);
    p.dialect_call(Dialect::Relax, "dtype", &[value], &[])
}

/// A tuple.
pub(crate) fn tuple(p: &mut Printer<'_>, tuple: &TupleNode, path: Path) -> Doc {
    if tuple.fields.is_empty() {
        return p.dialect_call(Dialect::Relax, "tuple", &[], &[]);
    }
    let path = p.paths.field(path, "fields");
    let docs = p.items(tuple.fields.as_slice(), path);
    p.tuple(&docs)
}

/// A member of a tuple.
pub(crate) fn tuple_get_item(p: &mut Printer<'_>, item: &TupleGetItemNode, path: Path) -> Doc {
    let index_path = p.paths.field(path, "index");
    let index = p.int(item.index, index_path);
    let tuple = p.field(path, "tuple_value", &item.tuple_value);
    p.index(tuple, &[index])
}

/// A variable. One that the text has not defined is declared first.
pub(crate) fn var(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    if let Some(name) = p.reference(object) {
        return name;
    }
    let Some(var) = object.to_handle::<Var>() else { return p.metadata_item(AnyView::Object(object)) };
    let annotation = p.field(path, "struct_info_", &var.struct_info);
    let name = p.define_var(&var);
    let statement = p.assign(name, Some(annotation), None);
    let frame = p.innermost();
    p.push_to(frame, statement);
    match p.reference(object) {
        Some(name) => name,
        None => name,
    }
}

/// A tensor. A scalar on the CPU prints as a number, if its data type is common; other tensors are in the metadata. The
/// readable text shows all small tensors, and a summary of others.
pub(crate) fn constant(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(constant) = object.node::<ConstantNode>() else { return p.metadata_item(AnyView::Object(object)) };
    let value = if p.options.readable { nested(p, &constant.data) } else { scalar(p, &constant.data) };
    let Some(value) = value else {
        return if p.options.readable {
            summary(p, "const", &constant.data)
        } else {
            p.metadata_item(AnyView::Object(object))
        };
    };
    let data_path = p.paths.field(path, "data");
    p.tree.mark(value, data_path);
    if let Some(info) = &constant.struct_info
        && info.as_object().view().node::<DTensorStructInfoNode>().is_some()
    {
        let annotation = p.field(path, "struct_info_", info);
        return p.dialect_call(Dialect::Relax, "dist.const", &[value, annotation], &[]);
    }
    let dtype = p.dtype(constant.data.dtype);
    p.tree.mark(dtype, data_path);
    p.dialect_call(Dialect::Relax, "const", &[value, dtype], &[])
}
