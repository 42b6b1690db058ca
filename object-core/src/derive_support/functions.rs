//! Functions and methods.

pub use crate::__submit_functions;
pub use crate::function::declared::*;
