//! The names of intrinsics in scripts, and the data types of their results.

use std::sync::OnceLock;

use object_core::DataType;
use object_ir::table::{number, rows};
use rustc_hash::FxHashMap;

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

/// The data type of a call that does not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultType {
    /// The type of an argument.
    Argument(usize),
    /// Always the same type.
    Fixed(DataType),
    /// The type that an argument names, which is text.
    Named(usize),
}

/// The rows of `data/script_names.txt`.
fn table() -> &'static [Shown] {
    static TABLE: OnceLock<Vec<Shown>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows(include_str!("../data/script_names.txt"))
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
        let mut by_name: FxHashMap<&'static str, Vec<&'static str>> = FxHashMap::default();
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

/// The rows of `data/script_results.txt`.
fn results() -> &'static FxHashMap<&'static str, ResultType> {
    static TABLE: OnceLock<FxHashMap<&'static str, ResultType>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = rows(include_str!("../data/script_results.txt"));
        rows.map(|[op, result]| (op, result_of_row(result))).collect()
    })
}

/// Reads the second column of a row. The tests read all rows.
fn result_of_row(result: &'static str) -> ResultType {
    match result.split_once(' ') {
        Some(("argument", index)) => ResultType::Argument(number(index) as usize),
        Some(("text", index)) => ResultType::Named(number(index) as usize),
        _ if result == "void" => ResultType::Fixed(DataType::void()),
        _ => ResultType::Fixed(
            result.parse().unwrap_or_else(|_| panic!("`{result}` in script_results.txt is not a data type")),
        ),
    }
}

/// The data type of a call of the operator. Functions of the hardware return nothing, unless a call shows a data type;
/// other functions return a value like their first argument.
pub(super) fn result_type(op: &str) -> ResultType {
    let is_device = || printed_name(op).contains('.');
    let unlisted = || if is_device() { ResultType::Fixed(DataType::void()) } else { ResultType::Argument(0) };
    results().get(op).copied().unwrap_or_else(unlisted)
}
