//! The nodes of TIR.

pub(crate) mod vars;
pub(crate) mod expr;
pub(crate) mod call;
pub(crate) mod layout;
pub(crate) mod buffer;
pub(crate) mod buffer_attrs;
pub(crate) mod stmt;
pub(crate) mod decl_buffer;
pub(crate) mod loops;
pub(crate) mod attr_stmt;
pub(crate) mod block;
pub(crate) mod exec;
pub(crate) mod prim_func;
pub(crate) mod buffer_facts;
