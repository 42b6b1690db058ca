//! Types that a program makes at run time.

pub(crate) mod instances;
pub(crate) mod kept_type;
pub(crate) mod runtime_type;
