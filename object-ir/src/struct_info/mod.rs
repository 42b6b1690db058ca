//! Structural information: constructors that check what they build, and the procedures of the specification over it.

mod data_type_arg;
mod dims;
mod construct;

pub use data_type_arg::IntoDataType;
pub use dims::IntoDims;
