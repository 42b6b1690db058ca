//! The structural information of every expression, binding, block and function (spec: Deriving the Structural Information
//! for Each Expression).
//!
//! [`Derivation`] fills in the structural information that a program leaves out, and checks the one that it states. It
//! does not change the program otherwise: nested calls stay nested.

mod finding;
mod scope;
mod call;
mod task;
mod state;
mod expressions;
mod bindings;
mod machine;
mod module;
mod derive;

pub use call::derive_call;
pub(crate) use call::derive_with_notes;
pub use derive::{Derivation, Derived};
pub use finding::{Finding, FindingKind};
pub(crate) use module::signature_of_loop_program;
