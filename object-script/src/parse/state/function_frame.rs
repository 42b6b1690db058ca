//! [`FunctionFrame`]: the function of Relax at hand (TVM 0.25 `FunctionFrame` in src/relax/script/builder/frame.cc).

use object_core::Any;
use object_core::table::Table;
use object_ir::ir::{Binding, RelaxExpr, StructInfo, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The bindings of a sequence: the body of a function or of a branch.
#[derive(Default)]
pub(crate) struct Sequence {
    /// The bindings of the finished blocks, and whether each is a dataflow block.
    pub(crate) blocks: Vec<(bool, Vec<Binding>)>,
    /// The bindings of the block at hand.
    pub(crate) bindings: Vec<Binding>,
    /// The variables of operands that the block at hand has bound, by the address of the operand, which stays alive.
    pub(crate) operands: FxHashMap<usize, (RelaxExpr, Var)>,
}

/// The dataflow block at hand.
#[derive(Default)]
pub(crate) struct Dataflow {
    /// The variables that `R.output` states, with the index of the last statement that binds each.
    pub(crate) expected_outputs: Table<String, usize>,
    /// The index of the statement at hand.
    pub(crate) statement: usize,
    /// The ids of the variables that the block has bound, by address.
    pub(crate) emitted: FxHashSet<usize>,
    /// The variables of `R.output`; `None` before the statement.
    pub(crate) outputs: Option<Vec<(String, Var)>>,
}

/// The function of Relax at hand.
pub(crate) struct FunctionFrame {
    pub(crate) params: Vec<Var>,
    pub(crate) ret: Option<StructInfo>,
    pub(crate) attrs: Vec<(String, Any)>,
    pub(crate) is_private: bool,
    /// The innermost sequence that contains the statement at hand.
    pub(crate) sequence: Sequence,
    pub(crate) dataflow: Option<Dataflow>,
    /// The result of the function.
    pub(crate) output: Option<RelaxExpr>,
    /// The structural information of the result, over the dimensions of the signature.
    pub(crate) derived: Option<StructInfo>,
    /// The number of variables that have got a name of the parser.
    pub(crate) temporaries: usize,
}

impl FunctionFrame {
    pub(crate) fn new(is_private: bool) -> Self {
        FunctionFrame {
            params: Vec::new(),
            ret: None,
            attrs: Vec::new(),
            is_private,
            sequence: Sequence::default(),
            dataflow: None,
            output: None,
            derived: None,
            temporaries: 0,
        }
    }
}
