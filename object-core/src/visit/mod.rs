//! Read-only traversals of a graph.
//!
//! | item | use |
//! |---|---|
//! | [`walk()`] | one closure for all objects of a type |
//! | [`Walk`] | several closures, before or after the children; positions; results before the end |
//! | [`Walker`] | the same as a trait, whose implementation can have state |
//! | [`visitor!`](crate::visitor) | methods for each type of a language, which select the children to visit |
//! | [`fold()`] | a result for each object, of the results for the objects below it |
//! | [`UseDef`] | the references to each object: the places that use and define a variable |
//! | [`free_vars`], [`bound_vars`], [`free_vars_of`] | the variables of a value; [`ScopeTypes`] states where bindings end |
//! | [`PlaceMarks`] | numbers of objects, for traversals that are not made of these |
//!
//! None of them overflows the machine stack. Each enters an object once, however many references it has, unless the options
//! ask for [`every_occurrence`](WalkOptions::every_occurrence).

mod callbacks;
mod first_uses;
mod fold;
mod level;
mod options;
mod position;
mod scope_types;
mod traversal;
mod uses;
mod variable_children;
mod variable_sets;
mod variables;
mod visitor;
mod walk;
mod walker;

pub use crate::graph::PlaceMarks;
pub(crate) use callbacks::Callback;
#[doc(hidden)]
pub use callbacks::{Callbacks, IntoOutcome, WithCallback};
pub use fold::{Results, fold};
pub(crate) use level::Level;
pub use options::WalkOptions;
pub(crate) use position::PathSource;
pub use position::Position;
pub use scope_types::ScopeTypes;
pub(crate) use traversal::{Driver, Entry, traverse};
pub use uses::{Reference, UseDef};
pub(crate) use variable_children::ConsideredFields;
pub(crate) use variable_sets::{Effects, VariableSets};
pub(crate) use variables::Variables;
pub use variables::{bound_vars, free_vars, free_vars_of};
pub use visitor::Visit;
#[doc(hidden)]
pub use visitor::{VisitorMethods, run_visitor};
#[doc(hidden)]
pub use walk::{OnPlain, PlainCallback};
pub use walk::{Walk, walk};
pub use walker::{WalkResult, Walker, walk_with};
