//! Innermost loops by columns: each operation runs for many iterations before the next one does.
//!
//! A column has a value for each of [`WIDTH`] iterations, so one dispatch of an operation serves all of them, and the
//! compiler of this crate makes vector instructions of the loops over columns. A loop qualifies if its body is a list of
//! stores under conditions. The order of loads and stores differs from the order of iterations, so a run checks before
//! that no iteration uses an element that another one writes ([`accesses`]); otherwise the loop runs by instructions. A
//! sum into one element (a [`Fold`](Step::FoldFloat)) adds the iterations in their order, so results are the same bits.

mod compile;
mod values;
mod accesses;
mod run;

use super::arithmetic::Binary;
use super::kind::IntKind;
use super::registers::{IntFunction, Register};
use crate::eval::value::ElementType;

/// The number of a column, in the list of its kind.
pub(super) type ColumnId = u32;

/// The most iterations at a time.
pub(super) const WIDTH: usize = 256;

/// A dimension of an access: its index is `base + coefficient * i` in iteration `i`, or from a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnDim {
    base: Register,
    coefficient: Register,
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
    /// Whether all iterations load and store one element.
    is_fold: bool,
}

/// An operation on columns. `to` is the column of the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    FillInt {
        to: ColumnId,
        from: Register,
    },
    FillFloat {
        to: ColumnId,
        from: Register,
    },
    /// `base + coefficient * i`.
    Iota {
        to: ColumnId,
        base: Register,
        coefficient: Register,
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
        operation: Binary,
        to: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    Compare {
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
    ChooseInt {
        to: ColumnId,
        condition: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    ChooseFloat {
        to: ColumnId,
        condition: ColumnId,
        a: ColumnId,
        b: ColumnId,
    },
    LoadInt {
        to: ColumnId,
        access: u32,
    },
    LoadFloat {
        to: ColumnId,
        access: u32,
    },
    StoreInt {
        from: ColumnId,
        access: u32,
    },
    StoreFloat {
        from: ColumnId,
        access: u32,
    },
    /// Combines an element with all iterations, one after the other. `is_swapped` if the element is the second operand.
    FoldInt {
        operation: Binary,
        kind: IntKind,
        from: ColumnId,
        access: u32,
        is_swapped: bool,
    },
    FoldFloat {
        operation: Binary,
        from: ColumnId,
        access: u32,
        is_swapped: bool,
    },
}

/// A condition `base + coefficient * i == first` for the initialization of a block.
#[derive(Clone, Copy, Debug)]
struct Guard {
    base: Register,
    coefficient: Register,
    first: Register,
}

/// A loop by columns.
#[derive(Clone, Debug)]
pub(super) struct ColumnLoop {
    pub(super) var: Register,
    pub(super) end: Register,
    accesses: Vec<ColumnAccess>,
    /// Steps before the first iteration.
    entry: Vec<Step>,
    /// Steps for each column.
    steps: Vec<Step>,
    /// For each block with an initialization its conditions. An iteration where they hold runs by instructions.
    inits: Vec<Vec<Guard>>,
    ints: usize,
    floats: usize,
}

/// An access in a run: iteration `i` uses the element `first + step * i` of the memory, if the indices are linear.
#[derive(Clone, Debug, Default)]
struct Resolved {
    first: i64,
    step: i64,
    /// Whether each iteration computes its indices and checks them.
    is_checked: bool,
    /// The number of the bytes, and the range in them.
    bytes: (usize, std::ops::Range<usize>),
}

/// The columns of a run.
#[derive(Default)]
pub(super) struct Scratch {
    ints: Vec<Vec<i64>>,
    floats: Vec<Vec<f64>>,
    resolved: Vec<Resolved>,
}
