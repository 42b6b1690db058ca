//! The registry: every type of every linked crate by type key, every singleton by its key, and
//! the implementations of traits that linked crates declare for their types.

mod collected;
pub(crate) mod linked;
pub(crate) mod singleton;
mod trait_impls;
mod types;

pub(crate) use collected::Collected;
pub(crate) use linked::{check_key, duplicate};
pub use linked::{register, type_info, types};
#[cfg(feature = "inventory")]
pub use trait_impls::TraitImplEntry;
pub use trait_impls::{AsTrait, TraitImpl, check_impls, register_impls};
pub use types::Types;
