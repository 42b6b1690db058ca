//! [`FunctionFrame`]: the function of Relax at hand (TVM 0.25 `FunctionFrame` in src/relax/script/builder/frame.cc).

use object_core::Any;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Binding, BindingBlock, RelaxExpr, StructInfo, Var};

/// The bindings of a sequence: the body of a function or of a branch.
#[derive(Debug, Default)]
pub(crate) struct Sequence {
    /// The finished blocks.
    pub(crate) blocks: Vec<BindingBlock>,
    /// The bindings of the block at hand.
    pub(crate) bindings: Vec<Binding>,
    /// The name of the last statement's variable.
    pub(crate) last_name: Option<String>,
}

/// The dataflow block at hand.
#[derive(Debug, Default)]
pub(crate) struct Dataflow {
    /// The variables that the block has bound, by address.
    pub(crate) emitted: FxHashSet<usize>,
    /// The variables of `R.output`; `None` before the statement.
    pub(crate) outputs: Option<Vec<Var>>,
}

/// The function of Relax at hand.
#[derive(Debug, Default)]
pub(crate) struct FunctionFrame {
    pub(crate) name: String,
    pub(crate) params: Vec<Var>,
    pub(crate) ret: Option<StructInfo>,
    pub(crate) attrs: Vec<(String, Any)>,
    pub(crate) is_pure: bool,
    pub(crate) is_private: bool,
    /// The sequences that contain the statement at hand, the innermost one last.
    pub(crate) sequences: Vec<Sequence>,
    pub(crate) dataflow: Option<Dataflow>,
    /// The result of the function.
    pub(crate) output: Option<RelaxExpr>,
    /// The variables of operands that have been bound, by the address of the operand.
    pub(crate) bound: FxHashMap<usize, RelaxExpr>,
    /// The number of variables that have got a name.
    pub(crate) temporaries: usize,
}
