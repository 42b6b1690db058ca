//! Operations on plain data: copies ([`deep_copy`], [`replace`]) and comparison by value ([`value_equal`],
//! [`value_order`]). They know nothing of variables and bindings; what `structural` does is another matter.

mod copy;
mod order;

pub use copy::{deep_copy, replace};
pub use order::{value_equal, value_order};
