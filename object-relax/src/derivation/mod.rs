//! The structural information of every expression, binding, block and function (spec: Deriving the Structural Information
//! for Each Expression).
//!
//! [`Derivation`] fills in the structural information that a program leaves out, and checks the one that it states. It
//! does not change the program otherwise: nested calls stay nested.

mod environment;
mod scope;
mod call;
mod finding;
mod state;
mod rebuild;
mod expressions;
mod bindings;
mod walk;
mod module;
mod derive;
mod surroundings;

pub use bindings::cast_fails;
pub use call::derive_call;
pub(crate) use call::{Arguments, derive_with_notes};
pub use derive::{Derivation, Derived};
pub(crate) use environment::Environment;
pub(crate) use expressions::{declared_purity, is_pure_callee};
pub use finding::{Finding, FindingKind, failing_cast_message, paths_of};
pub(crate) use finding::{Located, below, find_path, located};
pub(crate) use module::{map_functions, signature};
pub use module::{signature_of_loop_program, with_signatures};
pub use scope::Mark;
pub(crate) use state::known_info;
pub use state::same_parts;
pub use surroundings::Surroundings;
