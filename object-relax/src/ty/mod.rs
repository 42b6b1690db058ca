//! The lattice of types: subtyping, least upper and greatest lower bounds, and conversions (spec: Subtyping).
//!
//! A function type of TVM does not say whether the function is pure. Here [`FuncType`](object_ir::ir::FuncType) is the type
//! of all functions with these arguments and this result, and [`PureFuncType`] is the type of the functions among them
//! without visible side effects. [`without_purity`] turns the second into the first.

mod pure_func_type;
mod subtype;
mod bounds;
mod conversion;

pub use bounds::{find_glb, find_lub};
pub use conversion::{Conversion, conversion};
pub use pure_func_type::{PureFuncType, PureFuncTypeNode, without_purity};
pub use subtype::is_subtype;
