//! Names that differ in the versions of TVM: of types, fields, operators and functions.

use std::borrow::Cow;
use std::sync::LazyLock;

use object_core::table::Set;
use object_core::{AnyView, ObjectView};

use crate::ir;
use crate::tvm::version::TvmVersion;

/// A name in each version, the oldest first.
type Names = [&'static str; TvmVersion::ALL.len()];

/// A type whose key or fields differ.
pub(super) struct Renamed {
    keys: Names,
    /// Fields with several names.
    fields: &'static [Names],
}

impl Renamed {
    /// The type key in this version.
    pub(super) fn key(&self, version: TvmVersion) -> &'static str {
        self.keys[version as usize]
    }

    /// The name in version `from` of the field that has the name `name` in the version `to`.
    pub(super) fn field(&self, from: TvmVersion, to: TvmVersion, name: &'static str) -> &'static str {
        let found = self.fields.iter().find(|names| names[to as usize] == name);
        found.map_or(name, |names| names[from as usize])
    }
}

const fn renamed(v0_25: &'static str, v0_26: &'static str, v0_27: &'static str) -> Renamed {
    Renamed { keys: [v0_25, v0_26, v0_27], fields: &[] }
}

const fn fields(v0_25: &'static str, v0_26: &'static str, v0_27: &'static str, fields: &'static [Names]) -> Renamed {
    Renamed { keys: [v0_25, v0_26, v0_27], fields }
}

/// Types with another key or other fields, in TVM 0.25, 0.26 and 0.27. Types that are not here have the same key, or a key of
/// [`PREFIXES`].
const TYPES: &[Renamed] = &[
    renamed("ir.DummyGlobalInfo", "ir.DummyGlobalInfo", "relax.DummyGlobalInfo"),
    renamed("ir.TensorMapType", "ir.TensorMapType", "tirx.TensorMapType"),
    renamed("ir.VDevice", "ir.VDevice", "relax.VDevice"),
    renamed("relax.FuncStructInfo", "relax.FuncType", "relax.FuncType"),
    renamed("relax.ObjectStructInfo", "relax.AnyType", "relax.AnyType"),
    renamed("relax.ShapeStructInfo", "relax.ShapeType", "relax.ShapeType"),
    renamed("relax.TensorStructInfo", "relax.TensorType", "relax.TensorType"),
    renamed("relax.expr.StringImm", "relax.expr.StringImm", "ir.StringImm"),
    renamed("relax.expr.Tuple", "relax.expr.Tuple", "ir.Tuple"),
    renamed("relax.expr.TupleGetItem", "relax.expr.TupleGetItem", "ir.TupleGetItem"),
    renamed("tirx.CommReducer", "tirx.CommReducer", "te.CommReducer"),
    renamed("tirx.MatchBufferRegion", "tirx.MatchBufferRegion", "s_tir.MatchBufferRegion"),
    renamed("tirx.Predicate", "tirx.LambdaExpr", "tirx.LambdaExpr"),
    renamed("tirx.Reduce", "tirx.Reduce", "te.Reduce"),
    renamed("tirx.SBlock", "tirx.SBlock", "s_tir.SBlock"),
    renamed("tirx.SBlockRealize", "tirx.SBlockRealize", "s_tir.SBlockRealize"),
    fields(
        "relax.DTensorStructInfo",
        "relax.DTensorType",
        "relax.DTensorType",
        &[["tensor_sinfo", "tensor_ty", "tensor_ty"]],
    ),
    fields("relax.expr.Call", "ir.Call", "ir.Call", &[["sinfo_args", "ty_args", "ty_args"]]),
    fields(
        "relax.expr.Function",
        "relax.expr.Function",
        "relax.expr.Function",
        &[["ret_struct_info", "ret_ty", "ret_ty"]],
    ),
    fields("relax.expr.MatchCast", "relax.expr.MatchCast", "relax.expr.MatchCast", &[["struct_info", "ty", "ty"]]),
    fields("tirx.BufferLoad", "tirx.BufferLoad", "ir.TensorLoad", &[["buffer", "buffer", "source"]]),
    fields("tirx.BufferRegion", "tirx.BufferRegion", "ir.TensorRegion", &[["buffer", "buffer", "source"]]),
];

/// Beginnings of type keys and of names of operators that differ, in TVM 0.25, 0.26 and 0.27.
const PREFIXES: [Names; 2] = [["tirx.", "tirx.", "prim."], ["arith.", "arith.", "sym."]];

/// Operations on bits: types of expressions in TVM 0.27, operators in the versions before.
const BIT_OPERATORS: [(&str, &str); 6] = [
    ("prim.BitwiseAnd", "tirx.bitwise_and"),
    ("prim.BitwiseNot", "tirx.bitwise_not"),
    ("prim.BitwiseOr", "tirx.bitwise_or"),
    ("prim.BitwiseXor", "tirx.bitwise_xor"),
    ("prim.LShift", "tirx.shift_left"),
    ("prim.RShift", "tirx.shift_right"),
];

/// Operators whose calls have no result. Their data type is `handle` in TVM 0.25, and void in the versions after it.
const RETURNS_NOTHING: [&str; 14] = [
    "tirx.cooperative_tensor_fill",
    "tirx.cooperative_tensor_load",
    "tirx.cooperative_tensor_multiply_accumulate",
    "tirx.cooperative_tensor_store",
    "tirx.end_profile_intrinsic",
    "tirx.start_profile_intrinsic",
    "tirx.tvm_bmma_sync",
    "tirx.tvm_fill_fragment",
    "tirx.tvm_load_matrix_sync",
    "tirx.tvm_mma_sync",
    "tirx.tvm_store_matrix_sync",
    "tirx.tvm_thread_allreduce",
    "tirx.tvm_throw_last_error",
    "tirx.tvm_tuple",
];

/// The operators of each version: the names are the first column.
const OPERATORS: Names = [
    include_str!("../../../data/ops.txt"),
    include_str!("../../../data/ops_0_26.txt"),
    include_str!("../../../data/ops_0_27.txt"),
];

/// The row of the type that has the key `key` in the version `from`.
pub(super) fn row(from: TvmVersion, key: &str) -> Option<&'static Renamed> {
    TYPES.iter().find(|row| row.key(from) == key)
}

/// Whether the type key is in a namespace of the types of TVM, of both versions.
pub(super) fn is_of_tvm(key: &str) -> bool {
    let namespace = key.split_once('.').map(|(namespace, _)| namespace);
    matches!(namespace, Some("arith" | "ir" | "prim" | "relax" | "s_tir" | "sym" | "target" | "te" | "tirx"))
}

/// Fields that a version added to a type: the value is what the type means without the field.
const ADDED_FIELDS: [(&str, &str, bool); 1] = [("relax.attrs.MultiboxTransformLocAttrs", "apply_softmax", true)];

/// The value of a field in the versions without it.
pub(super) fn added_field(key: &str, field: &str) -> Option<bool> {
    ADDED_FIELDS.iter().find(|row| (row.0, row.1) == (key, field)).map(|row| row.2)
}

/// The operator whose attributes TVM 0.27 has and the versions before do not, their type, and their field, which is true where there
/// are none.
pub(super) const AFFINE_GRID: (&str, &str, &str) =
    ("relax.image.affine_grid", "relax.attrs.AffineGridAttrs", "align_corners");

/// Whether `op` is an operator that calls a loop program.
pub(super) fn calls_loop_program(op: ObjectView<'_>) -> bool {
    let name = op.get("name").and_then(AnyView::as_str);
    op.type_key() == "ir.Op" && name.is_some_and(ir::calls_loop_program)
}

/// The operator for expressions of TVM 0.27 with the type key `key`, in the versions before.
pub(super) fn bit_operator(key: &str) -> Option<&'static str> {
    BIT_OPERATORS.iter().find(|(from, _)| *from == key).map(|(_, to)| *to)
}

/// The type key of the expressions of TVM 0.27 for the operator `name` of a version before.
pub(super) fn bit_operation(name: &str) -> Option<&'static str> {
    BIT_OPERATORS.iter().find(|(_, to)| *to == name).map(|(from, _)| *from)
}

/// Whether calls of the operator have no result, and a data type that depends on the version.
pub(super) fn returns_nothing(operator: &str) -> bool {
    RETURNS_NOTHING.contains(&operator)
}

/// The name in the version `to` of the operator `name` of the version `from`, if there is one.
pub(super) fn operator(from: TvmVersion, to: TvmVersion, name: &str) -> Option<Cow<'_, str>> {
    static KNOWN: LazyLock<[Set<&str>; TvmVersion::ALL.len()]> =
        LazyLock::new(|| OPERATORS.map(|table| table.lines().filter_map(|line| line.split('\t').next()).collect()));
    let candidates = [Cow::Borrowed(name), replace_prefix(from, to, name)];
    candidates.into_iter().find(|name| KNOWN[to as usize].contains(name.as_ref()))
}

/// The name of the function `name` in the global registry of the version `to`.
pub(super) fn function(to: TvmVersion, name: &str) -> String {
    let (from, to) = match to {
        TvmVersion::V0_25 => (("tvm.relax.type.", "_ty"), ("tvm.relax.struct_info.", "_sinfo")),
        _ => (("tvm.relax.struct_info.", "_sinfo"), ("tvm.relax.type.", "_ty")),
    };
    match name.strip_prefix(from.0) {
        Some(rest) => format!("{}{}", to.0, rest.replace(from.1, to.1)),
        None => name.to_owned(),
    }
}

/// The name of the version `from` with the beginning of its namespace in the version `to`.
pub(super) fn replace_prefix(from: TvmVersion, to: TvmVersion, name: &str) -> Cow<'_, str> {
    let mut rows = PREFIXES.iter().map(|prefixes| (prefixes[from as usize], prefixes[to as usize]));
    let replaced = rows.find_map(|(own, other)| Some(format!("{other}{}", name.strip_prefix(own)?)));
    replaced.map_or(Cow::Borrowed(name), Cow::Owned)
}
