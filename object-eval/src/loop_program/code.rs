//! [`LoopCode`]: a `PrimFunc` as a list of instructions over numbered registers.

use std::sync::Mutex;

use object_core::prelude::*;

use super::arithmetic::Binary;
use super::columns::ColumnLoop;
use super::kept::Kept;
use super::kind::IntKind;
use super::registers::{IntFunction, Place, Register};
use crate::value::ElementType;

/// An operation. `to` is the register of the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    CopyInt {
        to: Register,
        from: Register,
    },
    CopyFloat {
        to: Register,
        from: Register,
    },
    // The most common operations have instructions of their own, which saves a jump.
    Add {
        to: Register,
        a: Register,
        b: Register,
    },
    Sub {
        to: Register,
        a: Register,
        b: Register,
    },
    Mul {
        to: Register,
        a: Register,
        b: Register,
    },
    Int {
        operation: Binary,
        to: Register,
        a: Register,
        b: Register,
    },
    U64 {
        operation: Binary,
        to: Register,
        a: Register,
        b: Register,
    },
    /// Reduces an integer to the range of a type.
    Wrap {
        to: Register,
        kind: IntKind,
    },
    IntFunction {
        function: IntFunction,
        kind: IntKind,
        to: Register,
        from: Register,
    },
    AddF32 {
        to: Register,
        a: Register,
        b: Register,
    },
    SubF32 {
        to: Register,
        a: Register,
        b: Register,
    },
    MulF32 {
        to: Register,
        a: Register,
        b: Register,
    },
    Float {
        operation: Binary,
        to: Register,
        a: Register,
        b: Register,
    },
    Compare {
        operation: Binary,
        to: Register,
        a: Register,
        b: Register,
    },
    /// A function of [`LoopCode::functions`].
    Function {
        function: u32,
        to: Register,
        from: Register,
    },
    /// A property of [`LoopCode::tests`].
    Test {
        test: u32,
        to: Register,
        from: Register,
    },
    /// `to * a + b`.
    MultiplyAdd {
        to: Register,
        a: Register,
        b: Register,
    },
    /// The product of fixed-point numbers: `factors`, then fractional bits and the shift.
    MultiplyShift {
        to: Register,
        first: Register,
    },
    Round {
        to: Register,
        element: ElementType,
    },
    ToFloat {
        to: Register,
        from: Register,
        kind: IntKind,
    },
    ToInt {
        to: Register,
        from: Register,
        kind: IntKind,
    },
    /// The bits of a number as an integer, and back.
    FloatBits {
        to: Register,
        from: Register,
        element: ElementType,
    },
    FromBits {
        to: Register,
        from: Register,
        element: ElementType,
    },
    LoadInt {
        to: Register,
        access: u32,
    },
    LoadFloat {
        to: Register,
        access: u32,
    },
    StoreInt {
        from: Register,
        access: u32,
    },
    StoreFloat {
        from: Register,
        access: u32,
    },
    Jump {
        to: u32,
    },
    JumpIf {
        condition: Register,
        to: u32,
    },
    JumpUnless {
        condition: Register,
        to: u32,
    },
    /// Begins a loop: jumps if it has no iteration.
    LoopBegin {
        var: Register,
        end: Register,
        to: u32,
    },
    /// Ends an iteration: adds `step` to the variable, and jumps back if another iteration follows.
    LoopNext {
        var: Register,
        end: Register,
        step: Register,
        to: u32,
    },
    /// Runs iterations of a loop by columns, and ends the loop (jumps) if none is left. Does nothing if `tried` is not 0.
    Columns {
        number: u32,
        tried: Register,
        to: u32,
    },
    /// Runs a nest of loops by columns, and jumps. Does nothing if its loops have to run.
    Nest {
        number: u32,
        to: u32,
    },
    /// Makes memory of [`LoopCode::allocations`].
    Allocate {
        allocation: u32,
    },
    /// Lets a memory begin within another one, so many bytes later.
    Point {
        to: u32,
        from: u32,
        offset: Register,
    },
    /// Fails with a message of [`LoopCode::errors`] unless the numbers are equal. The message shows them.
    CheckEqual {
        expected: Register,
        given: Register,
        error: u32,
    },
    /// Fails with an error of [`LoopCode::errors`].
    Fail {
        error: u32,
    },
    /// Ends the function.
    Return {
        value: Option<Place>,
        is_truth: bool,
    },
}

/// Memory that a program allocates.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    pub(super) memory: u32,
    /// The extents, in elements.
    pub(super) extents: Vec<Register>,
    pub(super) element_size: u64,
}

/// A dimension of an access to a buffer: its index, extent and stride.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dim {
    pub(super) index: Register,
    pub(super) extent: Register,
    pub(super) stride: Register,
}

/// An access to an element of a buffer.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The number of the name of the buffer.
    pub(super) name: u32,
    pub(super) memory: u32,
    pub(super) element: ElementType,
    /// The bytes of an element, or of a lane of it.
    pub(super) size: usize,
    pub(super) dims: Vec<Dim>,
    /// The place of the first element.
    pub(super) offset: Register,
    /// The lanes of an element of the buffer, and the lane to access.
    pub(super) lanes: (i64, i64),
}

/// The facts about a tensor that programs ask for: the dimensions, the code, the bits and the lanes of the data type, the
/// offset in bytes, the number and the kind of the device. Their numbers in `tvm_struct_get` begin with [`FIRST_FIELD`]
/// (TVM 0.25 `include/tvm/tirx/builtin.h`, `TVMStructFieldKind`).
pub(super) const FIELDS: u32 = 7;

/// The number of the first fact in `tvm_struct_get`.
pub(super) const FIRST_FIELD: i64 = 4;

/// A parameter.
#[derive(Clone, Debug)]
pub(super) enum Param {
    Int {
        to: Register,
        kind: IntKind,
    },
    Float {
        to: Register,
        element: ElementType,
    },
    /// `fields` is the first of [`FIELDS`] registers for facts about the tensor.
    Tensor {
        memory: u32,
        buffer: Option<ParamBuffer>,
        fields: Register,
    },
}

/// The buffer of a parameter, whose extents and strides a call writes into registers.
#[derive(Clone, Debug)]
pub(super) struct ParamBuffer {
    pub(super) element: ElementType,
    pub(super) extents: Vec<Register>,
    pub(super) strides: Vec<Register>,
    /// Whether all indices into dimensions of extent 1 are valid.
    pub(super) broadcasts: bool,
}

/// A compiled function.
#[derive(Debug, Default)]
pub(super) struct LoopCode {
    pub(super) instructions: Vec<Instruction>,
    pub(super) ints: usize,
    pub(super) floats: usize,
    /// The constants; a run begins with a copy of `first_ints`, which has 0 for the other registers.
    pub(super) int_constants: Vec<(Register, i64)>,
    pub(super) first_ints: Vec<i64>,
    pub(super) first_floats: Vec<f64>,
    pub(super) functions: Vec<fn(f64) -> f64>,
    pub(super) tests: Vec<fn(f64) -> bool>,
    pub(super) params: Vec<(Str, Param)>,
    pub(super) accesses: Vec<Access>,
    pub(super) allocations: Vec<Allocation>,
    pub(super) columns: Vec<ColumnLoop>,
    pub(super) errors: Vec<Error>,
    /// The names of buffers.
    pub(super) names: Vec<Str>,
    /// For each memory the one that it is a part of.
    pub(super) origins: Vec<u32>,
    /// Whether the program can write into the memory.
    pub(super) is_written: Vec<bool>,
    /// What a call leaves for the next one.
    pub(super) kept: Mutex<Option<Box<Kept>>>,
}
