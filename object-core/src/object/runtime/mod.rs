//! Types that a program makes while it runs.

pub(crate) mod instances;
pub(crate) mod runtime_type;
