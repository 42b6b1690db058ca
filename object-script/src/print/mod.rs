//! TVMScript from graphs.

pub(super) mod doc;
mod text;
mod state;
mod ir;
mod relax;
mod tir;
mod table;
mod outline;
mod entry;

use object_core::AsAnyView;
pub use state::options::ScriptPrinter;
pub use text::excerpt::Excerpt;
pub use text::script::Script;

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
/// | an object deeper than [`max_nesting`](ScriptPrinter::max_nesting), or past [`max_nodes`](ScriptPrinter::max_nodes) or the memory of [`meter`](ScriptPrinter::meter) | `...` |
#[must_use]
pub fn print(value: &impl AsAnyView) -> Script {
    ScriptPrinter::new().print(value)
}
