//! Names of TVM 0.27 that differ in TVM 0.25: of types, fields, operators and functions.

/// A type of TVM 0.27 whose objects have another type in TVM 0.25, and the names of its fields that differ.
pub(super) struct Renamed {
    /// The type key of TVM 0.27.
    from: &'static str,
    /// The type key of TVM 0.25.
    to: &'static str,
    /// For fields with another name: the name in TVM 0.25, and the name in TVM 0.27.
    fields: &'static [(&'static str, &'static str)],
}

const fn renamed(from: &'static str, to: &'static str) -> Renamed {
    Renamed { from, to, fields: &[] }
}

/// Types with another key. Types that are not here have the same key, or a key of [`PREFIXES`].
const TYPES: &[Renamed] = &[
    renamed("ir.StringImm", "relax.expr.StringImm"),
    renamed("ir.Tuple", "relax.expr.Tuple"),
    renamed("ir.TupleGetItem", "relax.expr.TupleGetItem"),
    renamed("relax.AnyType", "relax.ObjectStructInfo"),
    renamed("relax.DummyGlobalInfo", "ir.DummyGlobalInfo"),
    renamed("relax.FuncType", "relax.FuncStructInfo"),
    renamed("relax.ShapeType", "relax.ShapeStructInfo"),
    renamed("relax.TensorType", "relax.TensorStructInfo"),
    renamed("relax.VDevice", "ir.VDevice"),
    renamed("s_tir.MatchBufferRegion", "tirx.MatchBufferRegion"),
    renamed("s_tir.SBlock", "tirx.SBlock"),
    renamed("s_tir.SBlockRealize", "tirx.SBlockRealize"),
    renamed("te.CommReducer", "tirx.CommReducer"),
    renamed("te.Reduce", "tirx.Reduce"),
    renamed("tirx.LambdaExpr", "tirx.Predicate"),
    renamed("tirx.TensorMapType", "ir.TensorMapType"),
    Renamed { from: "ir.Call", to: "relax.expr.Call", fields: &[("sinfo_args", "ty_args")] },
    Renamed { from: "ir.TensorLoad", to: "tirx.BufferLoad", fields: &[("buffer", "source")] },
    Renamed { from: "ir.TensorRegion", to: "tirx.BufferRegion", fields: &[("buffer", "source")] },
    Renamed { from: "relax.DTensorType", to: "relax.DTensorStructInfo", fields: &[("tensor_sinfo", "tensor_ty")] },
    Renamed { from: "relax.expr.Function", to: "relax.expr.Function", fields: &[("ret_struct_info", "ret_ty")] },
    Renamed { from: "relax.expr.MatchCast", to: "relax.expr.MatchCast", fields: &[("struct_info", "ty")] },
];

/// Beginnings of type keys that differ, in TVM 0.27 and in TVM 0.25.
const PREFIXES: [(&str, &str); 2] = [("prim.", "tirx."), ("sym.", "arith.")];

/// Operations on bits: types of expressions in TVM 0.27, operators in TVM 0.25.
const BIT_OPERATORS: [(&str, &str); 6] = [
    ("prim.BitwiseAnd", "tirx.bitwise_and"),
    ("prim.BitwiseNot", "tirx.bitwise_not"),
    ("prim.BitwiseOr", "tirx.bitwise_or"),
    ("prim.BitwiseXor", "tirx.bitwise_xor"),
    ("prim.LShift", "tirx.shift_left"),
    ("prim.RShift", "tirx.shift_right"),
];

/// The type key in TVM 0.25 of objects with the type key `key` in TVM 0.27, and the names of fields that differ.
pub(super) fn type_of(key: &str) -> (String, &'static [(&'static str, &'static str)]) {
    if let Some(renamed) = TYPES.iter().find(|renamed| renamed.from == key) {
        return (renamed.to.to_owned(), renamed.fields);
    }
    (replace_prefix(key), &[])
}

/// The operator of TVM 0.25 for expressions of TVM 0.27 with the type key `key`.
pub(super) fn bit_operator(key: &str) -> Option<&'static str> {
    BIT_OPERATORS.iter().find(|(from, _)| *from == key).map(|(_, to)| *to)
}

/// The name in TVM 0.25 of the operator `name` of TVM 0.27.
pub(super) fn operator(name: &str) -> String {
    replace_prefix(name)
}

/// The name in TVM 0.25 of the function `name` in the global registry of TVM 0.27.
pub(super) fn function(name: &str) -> String {
    match name.strip_prefix("tvm.relax.type.") {
        Some(rest) => format!("tvm.relax.struct_info.{}", rest.replace("_ty", "_sinfo")),
        None => name.to_owned(),
    }
}

fn replace_prefix(name: &str) -> String {
    let found = PREFIXES.iter().find_map(|(from, to)| Some(format!("{to}{}", name.strip_prefix(from)?)));
    found.unwrap_or_else(|| name.to_owned())
}
