//! The names of objects in messages.

use object_core::ObjectView;
use object_ir::ir::{DataflowVarNode, GlobalVarNode, OpNode, VarNode};
use object_ir::tir;

/// The longest name that a message shows in full, in characters.
const MAX_NAME: usize = 80;

/// A variable, a global variable or an operator by name, in backticks; other objects by type.
pub(super) fn name_of(object: ObjectView<'_>) -> String {
    if let Some(var) = object.node::<VarNode>() {
        return quoted(&var.vid.name_hint);
    }
    if let Some(var) = object.node::<tir::VarNode>() {
        return quoted(&var.name);
    }
    if let Some(var) = object.node::<GlobalVarNode>() {
        return quoted(&var.name_hint);
    }
    if let Some(op) = object.node::<OpNode>() {
        return quoted(&op.name);
    }
    quoted(object.type_key())
}

/// The kind of a variable in words.
pub(super) fn kind_of(variable: ObjectView<'_>) -> &'static str {
    if variable.node::<DataflowVarNode>().is_some() {
        "dataflow variable"
    } else if variable.node::<tir::VarNode>().is_some() {
        "shape variable"
    } else {
        "variable"
    }
}

/// A name in backticks, without its end if it is long.
pub(super) fn quoted(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("`{}...`", &name[..end]),
        None => format!("`{name}`"),
    }
}
