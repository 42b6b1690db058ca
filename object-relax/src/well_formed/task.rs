//! [`Task`]: a step of a walk over a program.

use object_core::ObjectView;

use crate::well_formed::memo::Visit;
use crate::well_formed::place::Place;
use crate::well_formed::rules::normal_form::Slot;
use crate::well_formed::rules::shape_variables::Role;
use crate::well_formed::scopes::ScopeKind;

/// A step of a walk.
pub(super) enum Task<'a> {
    Expr(ObjectView<'a>, Place, Slot),
    /// A function, and the variable that names it.
    Function(ObjectView<'a>, Place, Option<ObjectView<'a>>),
    Block(ObjectView<'a>, Place),
    Binding(ObjectView<'a>, Place),
    /// A variable whose scope begins.
    Bind(ObjectView<'a>, Place, bool),
    /// The annotation of a `MatchCast`, which binds shape variables.
    Match(ObjectView<'a>, Place),
    Info(ObjectView<'a>, Place, Role),
    Scalar(ObjectView<'a>, Place, Role),
    /// An expression after its parts, whose structural information follows from theirs.
    Parts(ObjectView<'a>, Place),
    /// A visited `VarBinding`, whose annotation is compared with its value.
    Compare(ObjectView<'a>, Place),
    /// A function whose signature is visited, as its index, with the number of unresolved variables before it.
    Signature(usize, usize),
    /// A visited function, as its index, whose annotation of the result is compared with its body.
    Result(usize),
    Open(ScopeKind),
    Close,
    EndFunction(usize),
    EndVisit(Visit),
}
