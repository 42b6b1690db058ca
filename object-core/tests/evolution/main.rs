//! Files of one declaration, read by programs with another declaration.

#![allow(
    missing_docs,
    clippy::too_many_arguments,
    reason = "the types of a test explain themselves, and have many fields"
)]

mod linked;
mod matrix;
mod past_forms;
mod releases;
