//! Structural information: the procedures of the specification over it.

mod erase;
pub(crate) mod written;
pub(crate) mod var_map;
pub(crate) mod mapping;
mod well_defined;
mod compatibility;
mod unify;
mod derive_func;

pub use compatibility::{BaseCheck, Compatibility, base_check, check_compatibility, is_at_least_as_specific};
pub use derive_func::{default_derive, empty_derive};
pub(crate) use derive_func::{default_result, derive_by_name};
pub use erase::{DEFAULT_DERIVE, erase_struct_info, type_of, wrap_type};
pub use mapping::{ShapeVarMapping, binders, get_shape_var_mapping};
pub use unify::unify;
pub use var_map::{Meaning, VarMap};
pub use well_defined::erase_to_well_defined;
