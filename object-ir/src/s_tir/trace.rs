//! Traces: the steps by which a scheduler changed loop programs, and the records of tuning.

use object_core::prelude::*;

use crate::ir::{FloatImm, IRModule};
use crate::s_tir::ArgInfo;
use crate::target::Target;

/// A block of loop programs that an instruction finds. Each stands for itself.
///
/// TVM 0.25 `s_tir.SBlockRV`.
#[derive(Object)]
#[object(type_key = "s_tir.SBlockRV", files = tvm)]
#[structural_eq(none)]
pub struct SBlockRVNode {}

/// A loop that an instruction finds. Each stands for itself.
///
/// TVM 0.25 `s_tir.LoopRV`.
#[derive(Object)]
#[object(type_key = "s_tir.LoopRV", files = tvm)]
#[structural_eq(none)]
pub struct LoopRVNode {}

/// A kind of instructions, such as `Split`.
///
/// TVM 0.25 `s_tir.InstructionKind`.
#[derive(Object)]
#[object(type_key = "s_tir.InstructionKind", files = tvm)]
#[structural_eq(none)]
#[allow(clippy::pub_underscore_fields, reason = "the name of the field in TVM")]
pub struct InstructionKindNode {
    /// The name.
    pub name: Str,
    /// Whether the instruction leaves the program as it is.
    pub _is_pure: bool,
}

/// A step of a scheduler.
///
/// TVM 0.25 `s_tir.Instruction`.
#[derive(Object)]
#[object(type_key = "s_tir.Instruction", files = tvm)]
#[structural_eq(none)]
pub struct InstructionNode {
    /// The kind.
    pub kind: Option<InstructionKind>,
    /// The blocks, loops and numbers that it takes.
    pub inputs: Array<Any>,
    /// The further arguments.
    pub attrs: Array<Any>,
    /// The blocks, loops and numbers that it finds.
    pub outputs: Array<Any>,
}

/// The steps of a scheduler, and its random decisions.
///
/// TVM 0.25 `s_tir.Trace`.
#[derive(Object)]
#[object(type_key = "s_tir.Trace", files = tvm)]
#[structural_eq(none)]
pub struct TraceNode {
    /// The steps.
    pub insts: Array<Instruction>,
    /// The decisions of the steps that draw one.
    pub decisions: Map<Instruction, Any>,
}

/// A module to tune.
///
/// TVM 0.25 `s_tir.meta_schedule.Workload`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.Workload", files = tvm)]
#[structural_eq(none)]
pub struct WorkloadNode {
    /// The module.
    pub r#mod: Option<IRModule>,
}

/// A measured schedule of a module.
///
/// TVM 0.25 `s_tir.meta_schedule.TuningRecord`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.TuningRecord", files = tvm)]
#[structural_eq(none)]
pub struct TuningRecordNode {
    /// The steps of the schedule.
    pub trace: Trace,
    /// The module.
    pub workload: Workload,
    /// The times of its runs, in seconds.
    pub run_secs: Option<Array<FloatImm>>,
    /// The target.
    pub target: Option<Target>,
    /// The arguments of the module.
    pub args_info: Option<Array<ArgInfo>>,
}
