//! [`Task`]: the steps of a derivation that are left.

use object_core::prelude::*;
use object_ir::ir::{BindingBlock, Call, Function, If, MatchCast, RelaxExpr, SeqExpr, Tuple, TupleGetItem, VarBinding};

use super::scope::Mark;

/// A step. Steps that finish an expression find the results for its parts on the stacks of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task<'e> {
    /// Derives an expression.
    Enter(&'e RelaxExpr),
    Tuple(&'e Tuple),
    Member(&'e TupleGetItem),
    Call(&'e Call),
    If(&'e If),
    /// Finishes a binding; its value is derived.
    Bind(&'e VarBinding),
    Match(&'e MatchCast),
    /// Derives the bindings of a block from a place on; the mark is the scope around the block.
    Block(&'e BindingBlock, usize, Mark),
    /// Finishes a sequence; the mark is the scope around it.
    Seq(&'e SeqExpr, Mark),
    /// Finishes a function; the mark is the scope around it.
    Function(&'e Function, Mark),
    /// Remembers the result for an expression with several references, and whether its evaluation has effects: the number
    /// of calls with effects before it.
    Remember(&'e RelaxExpr, usize),
}

impl Task<'_> {
    /// The object of the program that the step is about.
    pub(super) fn place(&self) -> ObjectRef {
        match self {
            Task::Enter(it) | Task::Remember(it, _) => it.as_object(),
            Task::Tuple(it) => it.as_object(),
            Task::Member(it) => it.as_object(),
            Task::Call(it) => it.as_object(),
            Task::If(it) => it.as_object(),
            Task::Bind(it) => it.as_object(),
            Task::Match(it) => it.as_object(),
            Task::Block(it, ..) => it.as_object(),
            Task::Seq(it, _) => it.as_object(),
            Task::Function(it, _) => it.as_object(),
        }
        .clone()
    }
}
