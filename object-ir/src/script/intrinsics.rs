//! The names of intrinsics in scripts, and the data types of their results.

use std::sync::OnceLock;

use object_core::DataType;
use rustc_hash::FxHashMap;

use crate::table::rows;

/// How scripts show calls of an operator.
struct Shown {
    op: &'static str,
    name: &'static str,
    dtype: DtypePlace,
}

/// Where a call shows its data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DtypePlace {
    Nowhere,
    First,
    Last,
}

/// The data type of a call that does not show it (TVM 0.25 python/tvm/tirx/op.py).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultType {
    /// The type of an argument.
    Argument(usize),
    /// Always the same type.
    Fixed(DataType),
}

/// The rows of `data/script_names.txt`.
fn table() -> &'static [Shown] {
    static TABLE: OnceLock<Vec<Shown>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows(include_str!("../../data/script_names.txt"))
            .map(|[op, name, place]| {
                let dtype = match place {
                    "first" => DtypePlace::First,
                    "last" => DtypePlace::Last,
                    _ => DtypePlace::Nowhere,
                };
                Shown { op, name, dtype }
            })
            .collect()
    })
}

fn by_op(op: &str) -> Option<&'static Shown> {
    static TABLE: OnceLock<FxHashMap<&'static str, &'static Shown>> = OnceLock::new();
    TABLE.get_or_init(|| table().iter().map(|shown| (shown.op, shown)).collect()).get(op).copied()
}

/// The name of an operator after the prefix.
pub(super) fn printed_name(op: &str) -> &str {
    let listed = by_op(op).map(|shown| shown.name);
    listed.or_else(|| op.strip_prefix("tirx.")).unwrap_or(op)
}

/// The operators that a name after the prefix may stand for, the likeliest first. The inverse of [`printed_name`].
pub(super) fn ops_of_name(name: &str) -> impl Iterator<Item = String> {
    static TABLE: OnceLock<FxHashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    let by_name = TABLE.get_or_init(|| {
        let mut by_name: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        for shown in table() {
            by_name.entry(shown.name).or_default().push(shown.op);
        }
        by_name
    });
    let listed = by_name.get(name).into_iter().flatten().map(|op| (*op).to_owned());
    // An operator with another name in the table is not the one that the name stands for.
    let unlisted = [format!("tirx.{name}"), name.to_owned()].into_iter().filter(|op| by_op(op).is_none());
    unlisted.chain(listed)
}

/// Where a call of the operator shows its data type.
pub(super) fn dtype_place(op: &str) -> DtypePlace {
    by_op(op).map_or(DtypePlace::Nowhere, |shown| shown.dtype)
}

/// The operators whose results have one type, by the type.
const FIXED: &[(DataType, &[&str])] = &[
    (
        DataType::handle(),
        &[
            "tirx.tvm_stack_alloca",
            "tirx.tvm_stack_make_shape",
            "tirx.tvm_stack_make_array",
            "tirx.start_profile_intrinsic",
            "tirx.end_profile_intrinsic",
            "tirx.tvm_tuple",
            "tirx.handle_add_byte_offset",
            "tirx.address_of",
            "tirx.lookup_param",
            "tirx.tvm_thread_allreduce",
            "tirx.tvm_access_ptr",
            "tirx.ptr_byte_offset",
            "tirx.tvm_throw_last_error",
            "tirx.cooperative_tensor_fill",
            "tirx.cooperative_tensor_load",
            "tirx.cooperative_tensor_store",
            "tirx.cooperative_tensor_multiply_accumulate",
            "tirx.TVMBackendAllocWorkspace",
            "tirx.anylist_getitem",
            "tirx.tvm_load_matrix_sync",
            "tirx.tvm_mma_sync",
            "tirx.tvm_bmma_sync",
            "tirx.tvm_fill_fragment",
            "tirx.tvm_store_matrix_sync",
        ],
    ),
    (
        DataType::boolean(),
        &[
            "tirx.assume",
            "tirx.filter",
            "tirx.isnullptr",
            "tirx.ignore_loop_partition",
            "tirx.isnan",
            "tirx.isfinite",
            "tirx.isinf",
        ],
    ),
    (
        DataType::int(32),
        &[
            "tirx.undef",
            "tirx.tvm_struct_set",
            "tirx.dp4a",
            "tirx.clz",
            "tirx.q_multiply_shift",
            "tirx.q_multiply_shift_per_axis",
            "tirx.TVMBackendFreeWorkspace",
            "tirx.vscale",
            "tirx.tvm_call_packed",
            "tirx.tvm_call_cpacked",
            "tirx.tvm_call_packed_lowered",
            "tirx.tvm_call_cpacked_lowered",
            "tirx.anylist_resetitem",
            "tirx.anylist_setitem_call_packed",
            "tirx.anylist_setitem_call_cpacked",
            "tirx.TVMBackendAnyListSetPackedArg",
            "tirx.TVMBackendAnyListMoveFromPackedReturn",
            "tirx.TVMBackendAnyListResetItem",
        ],
    ),
    (DataType::uint(32), &["tirx.tvm_warp_activemask"]),
    (
        DataType::void(),
        &[
            "tirx.tvm_storage_sync",
            "tirx.tvm_kernel_replace_point",
            "tirx.tvm_global_barrier_kinit",
            "tirx.thread_return",
            "tirx.continue_loop",
            "tirx.break_loop",
        ],
    ),
];

/// The operators whose results have the type of an argument other than the first one.
const BY_ARGUMENT: &[(usize, &[&str])] = &[(
    1,
    &[
        "tirx.if_then_else",
        "tirx.tvm_warp_shuffle",
        "tirx.tvm_warp_shuffle_up",
        "tirx.tvm_warp_shuffle_down",
        "tirx.tvm_warp_shuffle_xor",
    ],
)];

/// The data type of a call of the operator. Functions of the hardware return nothing, unless a call shows a data type;
/// other functions return a value like their first argument.
pub(super) fn result_type(op: &str) -> ResultType {
    if let Some((dtype, _)) = FIXED.iter().find(|(_, ops)| ops.contains(&op)) {
        return ResultType::Fixed(*dtype);
    }
    if let Some((index, _)) = BY_ARGUMENT.iter().find(|(_, ops)| ops.contains(&op)) {
        return ResultType::Argument(*index);
    }
    let is_device = printed_name(op).contains('.');
    if is_device { ResultType::Fixed(DataType::void()) } else { ResultType::Argument(0) }
}
