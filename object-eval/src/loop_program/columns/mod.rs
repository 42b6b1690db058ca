//! Loops by columns: each operation runs for many iterations before the next one does.
//!
//! A column has a value for each of [`WIDTH`] iterations, so one dispatch of an operation serves all of them, and the
//! compiler of this crate makes vector instructions of the loops over columns. A loop qualifies if its body is a list of
//! stores under conditions. The order of loads and stores differs from the order of iterations, so a run checks before
//! that no iteration uses an element that another one writes ([`independence`]); otherwise the loop runs by instructions.
//!
//! Columns are generic over their elements ([`number`]). Numbers of the type `float32` have columns of their own, because twice
//! as many fit into a vector of the machine, and no operation has to round. The other floating-point numbers are `f64`, rounded to their type.
//!
//! There are two kinds of loops by columns:
//!
//! - An innermost loop ([`compile`]). A sum into one element (a [`Fold`](Step::Fold)) adds the iterations in their
//!   order, so results are the same bits. The run begins at any iteration, and may end before the last one.
//! - A nest of loops, each the whole body of the next outer one ([`nest`]). A loop whose variable no store uses as an index
//!   is *repeated*: it runs outside of the columns. The iterations of the other loops, in their order, are the *lanes*, so
//!   one set-up serves the whole nest. A lane sees the repeated iterations in their order, and no other lane uses its
//!   elements, so results are the same bits. The element that a lane folds into stays in a column while the repeated
//!   loops run. A nest runs as a whole or not at all; then its loops run as any others.
//!
//! Indices are linear functions of the variables of the loops where possible, so one check of both ends covers all
//! iterations. A nest that only adds elements of `float32`, or products of two of them, has no columns of operands: the
//! sums of some lanes stay in registers while the innermost repeated loop runs (`fold_rows`). A nest that only copies
//! elements copies them from memory to memory (`copy`).
//!
//! A program keeps its columns for the next call, and for each nest a plan (`plan`): the iterations, the elements of
//! all accesses and whether the nest may run. A plan serves the next call if the registers that determine it and the
//! memories have the same values (`fixed`). Indices that these registers determine, such as the divisions of a reshape,
//! are computed once for the plan.

mod compile;
mod nest;
mod fixed;
mod values;
mod number;
mod domain;
pub(super) mod scratch;
mod resolve;
mod independence;
mod accesses;
mod steps;
mod fold_rows;
mod copy;
mod kernel;
mod run;
mod plan;
mod run_nest;

use super::arithmetic::Binary;
use super::kind::{IntKind, Kind};
use super::registers::{IntFunction, Register};
use crate::value::ElementType;

/// The number of a column, in the list of its kind.
pub(super) type ColumnId = u32;

/// The most iterations at a time.
pub(super) const WIDTH: usize = 512;

/// The most loops of a nest.
const MAX_LOOPS: usize = 8;

/// A number that is linear in the variables of the loops: a base, and a coefficient for the variable of each loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Linear {
    base: Register,
    coefficients: [Register; MAX_LOOPS],
}

/// A dimension of an access: its index is linear, or from a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnDim {
    index: Linear,
    column: Option<ColumnId>,
    extent: Register,
    stride: Register,
}

/// An access to a buffer.
#[derive(Clone, Debug)]
pub(super) struct ColumnAccess {
    name: u32,
    memory: u32,
    element: ElementType,
    size: usize,
    dims: Vec<ColumnDim>,
    offset: Register,
    /// The iterations that access the buffer; all without a column.
    mask: Option<ColumnId>,
    is_store: bool,
    /// Whether the access loads an element and stores it again: the same one in all iterations of a loop, or in all
    /// repeated iterations of a lane.
    is_fold: bool,
    /// The column of the elements that the lanes of a nest fold into.
    total: Option<ColumnId>,
    /// Whether the access belongs to the initialization of a block in a nest.
    is_start: bool,
}

/// A combination of a total with other numbers of its type. `is_swapped` if the total is the second operand.
#[derive(Clone, Copy, Debug)]
struct Fold {
    operation: Binary,
    kind: Kind,
    is_swapped: bool,
}

/// A list of columns, by the type of their elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ColumnKind {
    /// `i64`, for all integers.
    Int,
    /// `f64`, for all floating-point numbers.
    Float,
    /// `f32`, for numbers of the type `float32`.
    Single,
}

/// An operation on columns. `to` is the column of the result, and `kind` says in which list the columns are.
#[derive(Clone, Copy, Debug)]
enum Step {
    Fill {
        kind: ColumnKind,
        to: ColumnId,
        from: Register,
    },
    /// A column of `float32` as a column of all floating-point types, and back, which rounds.
    Widen {
        to: ColumnId,
        from: ColumnId,
    },
    Narrow {
        to: ColumnId,
        from: ColumnId,
    },
    Iota {
        to: ColumnId,
        value: Linear,
    },
    Int {
        operation: Binary,
        to: ColumnId,
        a: ColumnId,
        b: ColumnId,
        mask: Option<ColumnId>,
    },
    IntFunction {
        function: IntFunction,
        kind: IntKind,
        to: ColumnId,
        from: ColumnId,
    },
    Wrap {
        to: ColumnId,
        kind: IntKind,
    },
    Float {
        kind: ColumnKind,
        operation: Binary,
        to: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    /// Compares floating-point numbers.
    Compare {
        kind: ColumnKind,
        operation: Binary,
        to: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    Function {
        function: fn(f64) -> f64,
        to: ColumnId,
        from: ColumnId,
    },
    Test {
        test: fn(f64) -> bool,
        to: ColumnId,
        from: ColumnId,
    },
    Round {
        to: ColumnId,
        from: ColumnId,
        element: ElementType,
    },
    ToFloat {
        to: ColumnId,
        from: ColumnId,
        kind: IntKind,
    },
    ToInt {
        to: ColumnId,
        from: ColumnId,
        kind: IntKind,
    },
    Choose {
        kind: ColumnKind,
        to: ColumnId,
        condition: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    Load {
        kind: ColumnKind,
        to: ColumnId,
        access: u32,
    },
    Store {
        kind: ColumnKind,
        from: ColumnId,
        access: u32,
    },
    /// Combines an element with all iterations, one after the other.
    Fold {
        fold: Fold,
        from: ColumnId,
        access: u32,
    },
}

/// A condition for the initialization of a block: the value is the first one.
#[derive(Clone, Copy, Debug)]
struct Guard {
    value: Linear,
    first: Register,
}

/// A loop of a nest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The first value of the variable; of an innermost loop alone, the variable, so a run begins at the current iteration.
    pub(super) begin: Register,
    pub(super) end: Register,
    is_repeated: bool,
}

/// The steps of a nest: a fold of an element, or of the product of two elements, into the total of each lane. All numbers
/// have the type `float32`.
#[derive(Clone, Copy, Debug)]
struct RowFold {
    operation: Binary,
    /// The accesses of the operands. One operand is twice here.
    operands: [u32; 2],
    is_product: bool,
    totals: ColumnId,
}

/// What is known of a nest before a run.
#[derive(Clone, Debug, Default)]
struct Fixed {
    /// The registers that determine the iterations and the elements of linear accesses.
    inputs: Vec<Register>,
    /// The steps that compute with integers that the inputs determine.
    steps: Vec<Step>,
    /// The accesses with indices or masks from these steps only.
    accesses: Vec<u32>,
    /// The steps of a run that knows the elements of these accesses.
    others: Vec<Step>,
}

/// A loop, or a nest of loops, by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnLoop {
    /// The loops, the outermost one first.
    pub(super) loops: Vec<Counter>,
    accesses: Vec<ColumnAccess>,
    /// Steps before the first iteration.
    entry: Vec<Step>,
    /// Steps of the initialization of the block in a nest, before the first repeated iteration of each column.
    start: Vec<Step>,
    /// Steps for each column.
    steps: Vec<Step>,
    /// Steps of a nest that load the elements that the lanes fold into, and that store them.
    load_totals: Vec<Step>,
    store_totals: Vec<Step>,
    /// What the extents of a nest determine.
    fixed: Fixed,
    /// For each block with an initialization its conditions. An iteration of a loop where they hold runs by instructions.
    inits: Vec<Vec<Guard>>,
    /// Divisors of integers that all iterations share.
    divisors: Vec<Register>,
    /// Whether the steps divide integers by other numbers than constants and `divisors`.
    may_divide: bool,
    /// The number of columns of each kind.
    columns: [usize; 3],
}
