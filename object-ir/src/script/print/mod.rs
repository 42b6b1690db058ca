//! TVMScript from graphs.

mod path;
mod operator;
mod doc;
mod quote;
mod render;
mod script;
mod options;
mod excerpt;
mod names;
mod metadata;
mod frame;
mod common_prefix;
mod printer;
mod header;
mod table;
mod scalar;
mod tir_vars;
mod global;
mod types;
mod struct_info;
mod constant;
mod call;
mod region;
mod binding;
mod function;
mod distributed;
mod module;
mod tir_expr;
mod tir_call;
mod layout;
mod buffer_attrs;
mod buffer;
mod stmt;
mod decl_buffer;
mod loops;
mod attr_stmt;
mod block;
mod exec;
mod prim_func;
mod outline;
mod entry;

use object_core::AsAnyView;

pub use excerpt::Excerpt;
pub use options::ScriptPrinter;
pub use script::Script;

/// Prints `value` as TVMScript, with the default options of [`ScriptPrinter`].
///
/// Any value prints, also an ill-formed one. Where TVM has no syntax, the text shows:
///
/// | value | text |
/// |---|---|
/// | an array or a map, and an object of a type without syntax or of a type of a schema, as the printed value | `(a, b)`, `{"key": value}`, `type.key(field=value)` |
/// | an object of such a type elsewhere | `metadata["type.key"][0]` |
/// | a branch or a function as an operand in Relax | a name, which statements before the statement at hand define |
/// | a sequence as an operand in Relax | its result, after its bindings |
/// | an object deeper than [`max_nesting`](ScriptPrinter::max_nesting), or past [`max_nodes`](ScriptPrinter::max_nodes) | `...` |
#[must_use]
pub fn print(value: &impl AsAnyView) -> Script {
    ScriptPrinter::new().print(value)
}
