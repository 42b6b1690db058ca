//! Checks the hand-written parts of generated classes.
//!
//! | rule | fault |
//! |---|---|
//! | a hook that the declaration leaves to the author (`default_sequal_reduce = False`) is in a part | error |
//! | structural equality and hashing are both written by hand, or none of them | error |
//! | no part defines a member that the generator writes, or a field | error |
//! | the brackets of a part are balanced, and a part of Python has no errors of the syntax | error |
//!
//! A class without fields has nothing to compare or hash, so its hooks may be missing.

mod class_region;
mod cpp_part;
mod cpp_tokens;
mod definition;
mod python_part;
mod region_rules;

pub use class_region::{ClassRegion, CustomPart};
pub use region_rules::check;
