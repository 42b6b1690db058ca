//! Names that differ in TVM 0.25 and TVM 0.27: of types, fields, operators and functions.

use std::borrow::Cow;

use object_core::{AnyView, ObjectView};

use crate::ir;
use crate::tvm::version::TvmVersion;

/// A type whose key or fields differ.
pub(super) struct Renamed {
    v0_27: &'static str,
    v0_25: &'static str,
    /// Fields with another name: the name in TVM 0.25, and the name in TVM 0.27.
    fields: &'static [(&'static str, &'static str)],
}

impl Renamed {
    /// The type key in this version.
    pub(super) fn key(&self, version: TvmVersion) -> &'static str {
        match version {
            TvmVersion::V0_25 => self.v0_25,
            TvmVersion::V0_27 => self.v0_27,
        }
    }

    /// The name in version `from` of the field that has the name `name` in the other version.
    pub(super) fn field(&self, from: TvmVersion, name: &'static str) -> &'static str {
        let mut fields = self.fields.iter().map(|&(v0_25, v0_27)| match from {
            TvmVersion::V0_25 => (v0_25, v0_27),
            TvmVersion::V0_27 => (v0_27, v0_25),
        });
        fields.find(|(_, other)| *other == name).map_or(name, |(own, _)| own)
    }
}

const fn renamed(v0_27: &'static str, v0_25: &'static str) -> Renamed {
    Renamed { v0_27, v0_25, fields: &[] }
}

/// Types with another key or other fields. Types that are not here have the same key, or a key of [`PREFIXES`].
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
    Renamed { v0_27: "ir.Call", v0_25: "relax.expr.Call", fields: &[("sinfo_args", "ty_args")] },
    Renamed { v0_27: "ir.TensorLoad", v0_25: "tirx.BufferLoad", fields: &[("buffer", "source")] },
    Renamed { v0_27: "ir.TensorRegion", v0_25: "tirx.BufferRegion", fields: &[("buffer", "source")] },
    Renamed { v0_27: "relax.DTensorType", v0_25: "relax.DTensorStructInfo", fields: &[("tensor_sinfo", "tensor_ty")] },
    Renamed { v0_27: "relax.expr.Function", v0_25: "relax.expr.Function", fields: &[("ret_struct_info", "ret_ty")] },
    Renamed { v0_27: "relax.expr.MatchCast", v0_25: "relax.expr.MatchCast", fields: &[("struct_info", "ty")] },
];

/// Beginnings of type keys and of names of operators that differ, in TVM 0.27 and in TVM 0.25.
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

/// The operators of TVM 0.27.
const OPERATORS_0_27: &str = include_str!("../../../data/ops_0_27.txt");

/// The row of the type that has the key `key` in the version `from`.
pub(super) fn row(from: TvmVersion, key: &str) -> Option<&'static Renamed> {
    TYPES.iter().find(|row| row.key(from) == key)
}

/// Whether the type key is in a namespace of the types of TVM, of both versions.
pub(super) fn is_of_tvm(key: &str) -> bool {
    let namespace = key.split_once('.').map(|(namespace, _)| namespace);
    matches!(namespace, Some("arith" | "ir" | "prim" | "relax" | "s_tir" | "sym" | "target" | "te" | "tirx"))
}

/// Whether `op` is an operator that calls a loop program.
pub(super) fn calls_loop_program(op: ObjectView<'_>) -> bool {
    let name = op.get("name").and_then(AnyView::as_str);
    op.type_key() == "ir.Op" && name.is_some_and(ir::calls_loop_program)
}

/// The operator of TVM 0.25 for expressions of TVM 0.27 with the type key `key`.
pub(super) fn bit_operator(key: &str) -> Option<&'static str> {
    BIT_OPERATORS.iter().find(|(from, _)| *from == key).map(|(_, to)| *to)
}

/// The type key of the expressions of TVM 0.27 for the operator `name` of TVM 0.25.
pub(super) fn bit_operation(name: &str) -> Option<&'static str> {
    BIT_OPERATORS.iter().find(|(_, to)| *to == name).map(|(from, _)| *from)
}

/// The name in TVM 0.27 of the operator `name` of TVM 0.25, if there is one.
pub(super) fn operator_0_27(name: &str) -> Option<Cow<'_, str>> {
    let has = |name: &str| OPERATORS_0_27.lines().any(|line| line == name);
    let candidates = [Cow::Borrowed(name), replace_prefix(TvmVersion::V0_25, name)];
    candidates.into_iter().find(|name| has(name))
}

/// The name of the function `name` in the global registry of the version `to`.
pub(super) fn function(to: TvmVersion, name: &str) -> String {
    let (from, to) = match to {
        TvmVersion::V0_25 => (("tvm.relax.type.", "_ty"), ("tvm.relax.struct_info.", "_sinfo")),
        TvmVersion::V0_27 => (("tvm.relax.struct_info.", "_sinfo"), ("tvm.relax.type.", "_ty")),
    };
    match name.strip_prefix(from.0) {
        Some(rest) => format!("{}{}", to.0, rest.replace(from.1, to.1)),
        None => name.to_owned(),
    }
}

/// The name with the other beginning of the namespace, for a name of the version `from`.
pub(super) fn replace_prefix(from: TvmVersion, name: &str) -> Cow<'_, str> {
    let replaced = PREFIXES.iter().find_map(|&(v0_27, v0_25)| {
        let (own, other) = match from {
            TvmVersion::V0_25 => (v0_25, v0_27),
            TvmVersion::V0_27 => (v0_27, v0_25),
        };
        Some(format!("{other}{}", name.strip_prefix(own)?))
    });
    replaced.map_or(Cow::Borrowed(name), Cow::Owned)
}
