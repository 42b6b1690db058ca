//! The second stage, Relax: `@R.function`.

pub(crate) mod function;
pub(crate) mod objects;
