//! The registry: every type of every linked crate by type key, and every singleton by its key.

mod collected;
pub(crate) mod linked;
pub(crate) mod singleton;
mod types;

pub(crate) use collected::Collected;
pub(crate) use linked::{check_key, duplicate};
pub use linked::{register, type_info, types};
pub use types::Types;
