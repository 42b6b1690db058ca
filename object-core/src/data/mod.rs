//! Operations on values as plain data: copies ([`deep_copy`], [`replace`]) and comparison by value ([`value_equal`],
//! [`value_order`]). They treat variables and bindings as any other data; the module [`structural`](crate::structural)
//! compares up to the names of bound variables.

mod copy;
mod order;

pub use copy::{deep_copy, replace};
pub use order::{value_equal, value_order};
