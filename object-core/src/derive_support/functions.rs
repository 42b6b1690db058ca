//! Functions and methods.

pub use crate::__submit_declaration as submit_declaration;
pub use crate::function::conversions::{Argument, ReturnValue, argument, exactly, returned};
pub use crate::function::declared::*;
pub use crate::registry::TraitImpl;
#[cfg(feature = "inventory")]
pub use crate::registry::TraitImplEntry;
pub use crate::value::Str;
pub use crate::value::function::Failure;
