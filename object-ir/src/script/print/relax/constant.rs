//! Leaves of Relax: constants, variables, tuples (TVM 0.25 src/relax/script/printer/expr.cc).

use object_core::value::TensorNode;
use object_core::{AnyView, DataType, ObjectHandle, ObjectView};

use crate::distributed::DTensorStructInfoNode;
use crate::ir::{ConstantNode, DataTypeImmNode, PrimValueNode, StringImmNode, TupleGetItemNode, TupleNode, Var};
use crate::script::print::doc::path::Path;
use crate::script::print::doc::tree::{Doc, Node};
use crate::script::print::state::frame::Dialect;
use crate::script::print::state::printer::Printer;

/// A scalar as a value.
pub(crate) fn prim_value(p: &mut Printer<'_>, value: &PrimValueNode, path: Path) -> Doc {
    let value = p.field(path, "value", &value.value);
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

/// A tensor. A scalar on the CPU prints as a number, if its data type is common; other tensors are in the metadata.
pub(crate) fn constant(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(constant) = object.node::<ConstantNode>() else { return p.metadata_item(AnyView::Object(object)) };
    let Some(value) = scalar(p, &constant.data) else { return p.metadata_item(AnyView::Object(object)) };
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

fn scalar(p: &mut Printer<'_>, tensor: &TensorNode) -> Option<Doc> {
    if !tensor.shape.is_empty() || tensor.device.device_type != 1 {
        return None;
    }
    let bytes: &[u8] = &tensor.data;
    let dtype = tensor.dtype;
    let int = if dtype == DataType::int(8) {
        i64::from(i8::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(16) {
        i64::from(i16::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(32) {
        i64::from(i32::from_le_bytes(bytes.try_into().ok()?))
    } else if dtype == DataType::int(64) {
        i64::from_le_bytes(bytes.try_into().ok()?)
    } else if dtype == DataType::boolean() {
        return Some(p.boolean(bytes.first()? != &0));
    } else {
        let float = if dtype == DataType::float(16) {
            half(u16::from_le_bytes(bytes.try_into().ok()?))
        } else if dtype == DataType::float(32) {
            f64::from(f32::from_le_bytes(bytes.try_into().ok()?))
        } else if dtype == DataType::float(64) {
            f64::from_le_bytes(bytes.try_into().ok()?)
        } else {
            return None;
        };
        return Some(p.float(float));
    };
    Some(p.tree.add(Node::Int(int)))
}

/// The value of a float16.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from((bits >> 10) & 0x1f), f64::from(bits & 0x3ff));
    let magnitude = match exponent {
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        0 => fraction * 2_f64.powi(-24),
        exponent => (fraction + 1024.0) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn float16_has_its_value() {
        let cases = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_953_125),
            (0x0001, 2_f64.powi(-24)),
            (0x0400, 2_f64.powi(-14)),
        ];
        for (bits, value) in cases {
            assert_eq!(half(bits), value);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
