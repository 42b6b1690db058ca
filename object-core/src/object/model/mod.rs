//! The descriptions of types, fields and values, which refer to each other: the one circle of the object layer.

pub(crate) mod any;
pub(crate) mod type_info;
pub(crate) mod field_info;
pub(crate) mod contents;
pub(crate) mod object_ref;
pub(crate) mod compared_field;
pub(crate) mod count;
