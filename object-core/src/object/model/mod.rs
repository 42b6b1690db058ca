//! The descriptions of types, fields and values. They refer to each other, so this folder is the one circle between files
//! of the object layer.

pub(crate) mod accepted;
pub(crate) mod any;
pub(crate) mod checked;
pub(crate) mod checks;
pub(crate) mod dispatch;
pub(crate) mod dynamic_hook;
pub(crate) mod enumeration;
pub(crate) mod evolution;
pub(crate) mod findings;
pub(crate) mod keywords;
pub(crate) mod old_object;
pub(crate) mod plan;
pub(crate) mod release;
pub(crate) mod runtime_field;
pub(crate) mod singleton_info;
pub(crate) mod skipped_field;
pub(crate) mod syntax;
pub(crate) mod type_schema;
pub(crate) mod type_spec;
pub(crate) mod type_info;
pub(crate) mod field_info;
pub(crate) mod handle_ops;
pub(crate) mod hook_fns;
pub(crate) mod contents;
pub(crate) mod object_ref;
pub(crate) mod compared_field;
pub(crate) mod computed;
pub(crate) mod count;
