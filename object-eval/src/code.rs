//! [`Code`]: a function of Relax as a list of instructions over numbered slots.

use object_core::prelude::*;
use object_ir::ir::{Binding, Call, Function};
use object_relax::op::Operator;

use super::loop_program::LoopProgram;
use super::pattern::Pattern;
use super::scalar::ScalarCode;
use crate::operator::evaluation::Evaluate;

/// The number of a slot of a function.
pub(super) type Slot = u32;

/// An operation of a function. It writes its result into the slot `to`.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    /// Copies a handle.
    Copy { to: Slot, from: Slot },
    /// Makes a tensor.
    Constant { to: Slot, data: object_core::Tensor },
    /// A value that cannot be written: a text or a data type.
    Literal { to: Slot, value: Any },
    /// The value of a scalar expression.
    Scalar { to: Slot, code: ScalarCode },
    /// Makes a shape.
    Shape { to: Slot, dims: Vec<ScalarCode> },
    /// Makes a tuple.
    Tuple { to: Slot, members: Vec<Slot> },
    /// A member of a tuple.
    Member { to: Slot, tuple: Slot, index: i64 },
    /// A function of the module.
    Global { to: Slot, name: Str },
    /// A function outside of Relax.
    Extern { to: Slot, name: Str },
    /// Makes a closure of a local function, with the values of slots of this function.
    Closure { to: Slot, code: usize, captured: Vec<Slot>, scalars: Vec<Slot> },
    /// A call of an operator that computes. If `returns_view`, the result may be a [`View`](super::value::View), because one
    /// operator alone reads it, which takes views, and nothing between the two can write into a tensor.
    Operator {
        to: Slot,
        operator: &'static Operator,
        evaluate: Option<Evaluate>,
        call: Call,
        args: Vec<Slot>,
        returns_view: bool,
    },
    /// A call of a function. If `spreads`, the members of the last argument, a tuple, are arguments. If `is_pure`, the function has
    /// no side effects by the program.
    Call { to: Slot, callee: Slot, args: Vec<Slot>, spreads: bool, is_pure: bool },
    /// A call of a function of the module.
    CallGlobal { to: Slot, code: usize, args: Vec<Slot> },
    /// A call of a function that writes its results into tensors.
    Destination(Box<Destination>),
    /// Checks a value, and binds shape variables.
    Match { value: Slot, pattern: Box<Pattern> },
    /// Continues at the label.
    Jump { label: usize },
    /// Continues at the label if the value is false.
    JumpUnless { condition: Slot, label: usize },
    /// Forgets values.
    Forget { slots: Vec<Slot> },
    /// Fails: the program has no meaning from here on.
    Fail { error: Error },
    /// Ends the function.
    Return { from: Slot },
}

impl Instruction {
    /// The slot of the result.
    pub(super) fn to(&self) -> Option<Slot> {
        use Instruction as I;
        match self {
            I::Copy { to, .. }
            | I::Constant { to, .. }
            | I::Literal { to, .. }
            | I::Scalar { to, .. }
            | I::Shape { to, .. }
            | I::Tuple { to, .. }
            | I::Member { to, .. }
            | I::Global { to, .. }
            | I::Extern { to, .. }
            | I::Closure { to, .. }
            | I::Operator { to, .. }
            | I::Call { to, .. }
            | I::CallGlobal { to, .. } => Some(*to),
            I::Destination(call) => Some(call.to),
            I::Match { .. }
            | I::Jump { .. }
            | I::JumpUnless { .. }
            | I::Forget { .. }
            | I::Fail { .. }
            | I::Return { .. } => None,
        }
    }
}

/// A binding, and the slot of its variable.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) binding: Binding,
    pub(super) slot: Slot,
}

/// The function of a [`Destination`].
#[derive(Clone, Debug)]
pub(super) enum Callee {
    /// The value of a slot.
    Slot(Slot),
    /// A loop program of the module.
    Program(LoopProgram),
}

/// A call in destination-passing style.
#[derive(Clone, Debug)]
pub(super) struct Destination {
    pub(super) to: Slot,
    pub(super) callee: Callee,
    /// The arguments as a tuple, or one argument.
    pub(super) args: Slot,
    /// A shape whose dimensions are further arguments.
    pub(super) ints: Option<Slot>,
    /// The results.
    pub(super) outputs: Vec<Output>,
    pub(super) is_tuple: bool,
    /// For each result the number of the argument that is the result after the call, or -1 for a further argument.
    pub(super) in_place: Vec<i64>,
    /// Whether the function must leave its other arguments unchanged.
    pub(super) keeps_inputs: bool,
}

/// A result that the caller allocates.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub(super) dims: OutputDims,
    pub(super) dtype: DataType,
}

/// The dimensions of an [`Output`].
#[derive(Clone, Debug)]
pub(super) enum OutputDims {
    /// Each dimension.
    Written(Vec<ScalarCode>),
    /// The value of a variable, which is a shape.
    Variable(Slot),
}

/// A compiled function.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// The name, for messages.
    pub(super) name: String,
    /// The function.
    pub(super) function: Function,
    pub(super) params: usize,
    /// Checks the arguments, which are in the first slots.
    pub(super) entry: Pattern,
    /// Checks the result.
    pub(super) exit: Pattern,
    /// The slot of the closure itself, in its own body.
    pub(super) own: Option<Slot>,
    /// The slots for captured values, in the order of [`Instruction::Closure`].
    pub(super) captured: Vec<Slot>,
    /// The slots for captured shape variables, in the order of [`Instruction::Closure`].
    pub(super) scalars: Vec<Slot>,
    pub(super) slots: usize,
    pub(super) scalar_slots: usize,
    pub(super) instructions: Vec<Instruction>,
    /// For each instruction the binding that it belongs to, and the slot of its variable.
    pub(super) sites: Vec<Option<Site>>,
    pub(super) labels: Vec<usize>,
}

impl Code {
    /// A function without instructions.
    pub(super) fn new(name: String, function: &Function) -> Code {
        Code {
            name,
            function: function.clone(),
            params: function.params.len(),
            entry: Pattern::default(),
            exit: Pattern::default(),
            own: None,
            captured: Vec::new(),
            scalars: Vec::new(),
            slots: 0,
            scalar_slots: 0,
            instructions: Vec::new(),
            sites: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// The code of a function without a meaning.
    pub(super) fn failing(name: &str, function: &Function, error: Error) -> Code {
        let slots = function.params.len();
        let (instructions, sites) = (vec![Instruction::Fail { error }], vec![None]);
        Code { slots, instructions, sites, ..Code::new(name.to_owned(), function) }
    }

    /// The instruction that a label stands for.
    pub(super) fn target(&self, label: usize) -> usize {
        self.labels[label]
    }
}
