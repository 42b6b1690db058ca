//! The words of scripts for the kinds of loops, axes and execution scopes, for the arguments of buffers, and for what the
//! versions of TVM write differently. The printer writes them and the parser reads them.

use object_ir::tir::{for_kind, iter_var_type, scope_binding, scope_kind};
use object_ir::tvm::TvmVersion;

/// What scripts of the versions of TVM write differently.
#[derive(Debug)]
pub(super) struct VersionWords {
    /// The type of any value, without prefix.
    pub(super) any: &'static str,
    /// The keyword of the result of calls that allocate it.
    pub(super) output: &'static str,
    /// The keyword of the types that a call states.
    pub(super) type_args: &'static str,
    /// A data type that attributes leave open.
    pub(super) no_dtype: &'static str,
    /// Whether expressions and types of scalars are the same in Relax and in TIR: `3` and `T.int64` instead of
    /// `R.prim_value(3)` and `R.Prim("int64")`.
    pub(super) has_one_scalar: bool,
    /// Whether the dimensions that a signature defines are variables that stand before the definition:
    /// `n = TypeVar("n")` instead of `n = T.int64()` in the body.
    pub(super) has_type_vars: bool,
    /// Whether a local function creates the dimensions that its signature defines, and not the function around it.
    pub(super) has_local_dims: bool,
    /// Whether a buffer with such dimensions stands in the signature of a loop program, `A: T.Buffer(("n", 4))`, and does not match a
    /// parameter in the body.
    pub(super) has_buffer_params: bool,
    /// Whether operations on bits are operators, `x & 1`, and no calls, `T.bitwise_and(x, 1)`.
    pub(super) has_bit_operators: bool,
    /// Whether a buffer in the memory of other ones is a part of one, `A[0:4]`, or a view of any of them, `A.view(4)`, where there is
    /// such a form. Otherwise, it is at most a view of the one that owns the memory.
    pub(super) has_buffer_parts: bool,
    /// Whether reading consecutive elements is a slice, `A[0:4]`, and not `A[T.Ramp(0, 1, 4)]`. Writing them always is.
    pub(super) has_load_slices: bool,
    /// Whether the type of a sequence has dimensions that its bindings define.
    pub(super) keeps_local_dims: bool,
    /// Whether the type of an address in a call is `T.handle().ty`, and not `"handle"`.
    pub(super) has_address_types: bool,
    /// Whether the value of a reduction over threads, which has no meaning, is the number 0, and no null address.
    pub(super) has_reduction_number: bool,
    /// Whether an integer above the largest `int64` is one number, and not a call with its lower and upper bits.
    pub(super) has_large_integers: bool,
    /// Attributes that TVM 0.25 does not have, as the operator without `relax.` and the name. They are true.
    pub(super) added_attributes: &'static [(&'static str, &'static str)],
    /// Attributes of TVM 0.25 that the version does not have.
    pub(super) removed_attributes: &'static [&'static str],
    /// Texts by which a script is recognized as one of this version.
    pub(super) marks: &'static [&'static str],
}

/// The words of each version, the oldest first.
static VERSION_WORDS: &[(TvmVersion, VersionWords)] = &[
    (
        TvmVersion::V0_25,
        VersionWords {
            any: "Object",
            output: "out_sinfo",
            type_args: "sinfo_args",
            no_dtype: "\"void\"",
            has_one_scalar: false,
            has_type_vars: false,
            has_local_dims: false,
            has_buffer_params: false,
            has_bit_operators: false,
            has_buffer_parts: true,
            has_load_slices: true,
            keeps_local_dims: false,
            has_address_types: false,
            has_reduction_number: false,
            has_large_integers: false,
            added_attributes: &[],
            removed_attributes: &[],
            marks: &["out_sinfo=", "sinfo_args="],
        },
    ),
    (
        TvmVersion::V0_26,
        VersionWords {
            any: "Any",
            output: "out_ty",
            type_args: "ty_args",
            no_dtype: "None",
            has_one_scalar: true,
            has_type_vars: false,
            has_local_dims: true,
            has_buffer_params: true,
            has_bit_operators: false,
            has_buffer_parts: false,
            has_load_slices: true,
            keeps_local_dims: false,
            has_address_types: true,
            has_reduction_number: true,
            has_large_integers: false,
            added_attributes: &[("image.affine_grid", "align_corners")],
            removed_attributes: &["axis_separators", "input_axis_separators"],
            marks: &[r#"\"tvm_version\": \"0.26"#],
        },
    ),
    (
        TvmVersion::V0_27,
        VersionWords {
            any: "Any",
            output: "out_ty",
            type_args: "ty_args",
            no_dtype: "None",
            has_one_scalar: true,
            has_type_vars: true,
            has_local_dims: false,
            has_buffer_params: true,
            has_bit_operators: true,
            has_buffer_parts: false,
            has_load_slices: false,
            keeps_local_dims: true,
            has_address_types: true,
            has_reduction_number: true,
            has_large_integers: true,
            added_attributes: &[
                ("image.affine_grid", "align_corners"),
                ("vision.multibox_transform_loc", "apply_softmax"),
            ],
            removed_attributes: &["axis_separators", "input_axis_separators"],
            marks: &[
                "TypeVar(",
                "out_ty=",
                "ty_args=",
                "R.Any",
                "I.StringType()",
                "\"reduce_scope\", 0)",
                r#"\"tvm_version\": \"0.27"#,
            ],
        },
    ),
];

/// The version that a script has the words of: the oldest one, as a file of Python may contain `TypeVar` for other reasons; 0.25 if nothing
/// in the text tells. Most scripts of TVM 0.26 are scripts of TVM 0.27 too, and only the metadata tells them apart.
#[must_use]
pub fn version_of(text: &str) -> TvmVersion {
    let has_marks = |words: &VersionWords| words.marks.iter().any(|mark| text.contains(mark));
    match VERSION_WORDS.iter().find(|(_, words)| has_marks(words)) {
        Some((version, _)) => *version,
        None if has_scalar_parameter(text) || has_scalar_argument(text) => TvmVersion::V0_27,
        None => TvmVersion::V0_25,
    }
}

/// Whether a function of Relax has a parameter with the type of a scalar: `k: T.int64`.
fn has_scalar_parameter(text: &str) -> bool {
    let mut functions = text.split("@R.function").skip(1);
    functions
        .any(|function| function.lines().find(|line| line.contains("def ")).is_some_and(|line| line.contains(": T.")))
}

/// Whether TVM printed the text, and a call of Relax has a plain number after its first argument: `R.unique(x, True)`. TVM 0.25 prints
/// `R.prim_value(1)`, and other numbers with their keywords. In a text that a person wrote, they stand for attributes of any version.
fn has_scalar_argument(text: &str) -> bool {
    let is_scalar = |argument: &str| {
        let argument = argument.trim();
        matches!(argument, "True" | "False")
            || (argument.ends_with(char::is_numeric) && argument.parse::<f64>().is_ok())
    };
    let has_scalar = |call: &str| {
        let name = call.find(|letter: char| !letter.is_ascii_alphanumeric() && !"._".contains(letter));
        let arguments = name.and_then(|end| call[end..].strip_prefix('(')).unwrap_or_default();
        let end = arguments.find(|letter| "()[]{}\"".contains(letter)).unwrap_or(arguments.len());
        arguments[..end].split(',').skip(1).any(is_scalar)
    };
    text.starts_with("# from tvm.script import ") && text.split("R.").skip(1).any(has_scalar)
}

/// Whether both are the same keyword, of any version.
pub(super) fn is_same_keyword(a: &str, b: &str) -> bool {
    let keywords: [fn(&VersionWords) -> &'static str; 2] = [|words| words.output, |words| words.type_args];
    let has = |keyword: &fn(&VersionWords) -> &'static str, name: &str| {
        VERSION_WORDS.iter().any(|(_, words)| keyword(words) == name)
    };
    a == b || keywords.iter().any(|keyword| has(keyword, a) && has(keyword, b))
}

/// The words of a version.
pub(super) fn of_version(version: TvmVersion) -> &'static VersionWords {
    let row = VERSION_WORDS.iter().rev().find(|(known, _)| *known <= version);
    &row.unwrap_or(&VERSION_WORDS[0]).1
}

/// The functions of the kinds of loops, without prefix.
pub(super) const LOOPS: &[(i64, &str)] = &[
    (for_kind::SERIAL, "serial"),
    (for_kind::PARALLEL, "parallel"),
    (for_kind::VECTORIZED, "vectorized"),
    (for_kind::UNROLLED, "unroll"),
    (for_kind::THREAD_BINDING, "thread_binding"),
];

/// The functions that define axes of blocks, without prefix.
pub(super) const BLOCK_AXES: &[(i64, &str)] = &[
    (iter_var_type::DATA_PAR, "axis.spatial"),
    (iter_var_type::COMM_REDUCE, "axis.reduce"),
    (iter_var_type::ORDERED, "axis.scan"),
    (iter_var_type::OPAQUE, "axis.opaque"),
];

/// The kinds of axes.
pub(super) const AXIS_KINDS: &[(i64, &str)] = &[
    (iter_var_type::DATA_PAR, "DataPar"),
    (iter_var_type::THREAD_INDEX, "ThreadIndex"),
    (iter_var_type::COMM_REDUCE, "CommReduce"),
    (iter_var_type::ORDERED, "Ordered"),
    (iter_var_type::OPAQUE, "Opaque"),
    (iter_var_type::UNROLLED, "Unrolled"),
    (iter_var_type::VECTORIZED, "Vectorized"),
    (iter_var_type::PARALLELIZED, "Parallelized"),
    (iter_var_type::TENSORIZED, "Tensorized"),
];

/// The levels of the hardware, with the part of the names of tile primitives.
pub(super) const LEVELS: &[(i64, &str, &str)] = &[
    (scope_kind::CLUSTER, "cluster", "cluster"),
    (scope_kind::CTA, "cta", "cta"),
    (scope_kind::WARPGROUP, "warpgroup", "wg"),
    (scope_kind::WARP, "warp", "warp"),
    (scope_kind::THREAD, "thread", "tile"),
];

/// The outer and the inner level of a binding, and the function that defines its numbers.
pub(super) const BINDINGS: &[(i64, [&str; 2], &str)] = &[
    (scope_binding::KERNEL_CLUSTER, ["kernel", "cluster"], "cluster_id"),
    (scope_binding::KERNEL_CTA, ["kernel", "cta"], "cta_id"),
    (scope_binding::CLUSTER_CTA, ["cluster", "cta"], "cta_id_in_cluster"),
    (scope_binding::CTA_WARPGROUP, ["cta", "warpgroup"], "warpgroup_id"),
    (scope_binding::CTA_WARP, ["cta", "warp"], "warp_id"),
    (scope_binding::WARPGROUP_WARP, ["warpgroup", "warp"], "warp_id_in_wg"),
    (scope_binding::WARP_THREAD, ["warp", "thread"], "lane_id"),
    (scope_binding::CTA_THREAD, ["cta", "thread"], "thread_id"),
    (scope_binding::WARPGROUP_THREAD, ["warpgroup", "thread"], "thread_id_in_wg"),
    (scope_binding::CLUSTER_CTA_PAIR, ["cluster", "cta_pair"], "cta_id_in_pair"),
];

/// The arguments of declarations of buffers, in order. The first two have no keywords in the text.
pub(super) const BUFFER_ARGUMENTS: &[&str] = &[
    "shape",
    "dtype",
    "data",
    "strides",
    "elem_offset",
    BYTE_OFFSET,
    "scope",
    "align",
    "offset_factor",
    "buffer_type",
    "axis_separators",
    "layout",
    "allocated_addr",
];

/// The offset of a buffer in bytes, which the text states in elements as `elem_offset`.
pub(super) const BYTE_OFFSET: &str = "byte_offset";

/// The word of a kind.
pub(super) fn word(table: &[(i64, &'static str)], kind: i64) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == kind).map(|(_, word)| *word)
}

/// The kind of a word.
pub(super) fn kind(table: &[(i64, &str)], word: &str) -> Option<i64> {
    table.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
}
