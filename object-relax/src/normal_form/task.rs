//! [`Task`]: the steps of a normalization that are left.

use object_core::prelude::*;
use object_ir::ir::{BindingBlock, Call, Function, If, MatchCast, RelaxExpr, SeqExpr, Tuple, TupleGetItem, VarBinding};

use crate::derivation::Mark;

/// A step. Steps that finish an expression find the results for its parts on the stack of values.
#[derive(Debug)]
pub(super) enum Task {
    /// Normalizes an expression as the value of a binding.
    Value(RelaxExpr),
    /// Normalizes an expression as an argument.
    Operand(RelaxExpr),
    /// Binds the last value to a new variable, which stands for the given expression.
    Name(RelaxExpr),
    Tuple(Tuple),
    Member(TupleGetItem),
    Call(Call),
    If(If),
    /// Finishes a function; the mark is the scope around it.
    Function(Function, Mark),
    /// Finishes a binding; its value is normalized.
    Bind(VarBinding),
    Match(MatchCast),
    /// Normalizes the body of a function or a branch, which has blocks of its own.
    Open(SeqExpr),
    /// Begins a block, and says whether it is inside of a dataflow block.
    BeginBlock(BindingBlock, bool),
    EndBlock(BindingBlock),
    /// Begins the result of a sequence in the surroundings of this kind: of a dataflow block, or not.
    BeginBody(SeqExpr, bool),
    /// Finishes the body of a function or a branch; the mark is the scope around it.
    Close(SeqExpr, Mark),
    /// Ends a sequence whose bindings are in the sequence around it.
    EndNested(SeqExpr),
    /// Keeps the result for an expression with several references.
    Remember(RelaxExpr),
}

impl Task {
    /// The object of the program that the step is about.
    pub(super) fn place(&self) -> &ObjectRef {
        match self {
            Task::Value(it) | Task::Operand(it) | Task::Name(it) | Task::Remember(it) => it.as_object(),
            Task::Tuple(it) => it.as_object(),
            Task::Member(it) => it.as_object(),
            Task::Call(it) => it.as_object(),
            Task::If(it) => it.as_object(),
            Task::Function(it, _) => it.as_object(),
            Task::Bind(it) => it.as_object(),
            Task::Match(it) => it.as_object(),
            Task::BeginBlock(it, _) | Task::EndBlock(it) => it.as_object(),
            Task::Open(it) | Task::BeginBody(it, _) | Task::Close(it, _) | Task::EndNested(it) => it.as_object(),
        }
    }
}
