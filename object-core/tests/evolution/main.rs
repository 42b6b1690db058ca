//! Files of one declaration, read by programs with another declaration.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

mod linked;
mod matrix;
