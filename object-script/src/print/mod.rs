//! TVMScript from graphs.
//!
//! # How it works
//!
//! Printing has three steps, as in TVM. A table from types to functions (`table`) turns objects into the nodes of a
//! syntax tree (`doc`), in which a node is a number in one vector. The renderer turns the tree into text, and notes the
//! place of each marked node. A mark is a path, and a path is the number of its parent and a step. So [`Script`] finds
//! the text of a place, and the place of a text. [`ScriptPrinter::print_text`] keeps neither paths nor marks, which
//! takes about half of the time.
//!
//! Frames hold the statements of a region and the names that end with it. A name is its hint with the smallest free
//! number, and variables are declared in the frame that TVM chooses (`state/common_prefix.rs`). An operator prints as
//! such only if TVM's constructor for it, which folds constants, makes the same node (`fold`). A branch, a sequence or
//! a function in the place of an operand becomes statements before the statement at hand (`relax/operand.rs`).
//! `max_nesting` bounds the stack, and `max_nodes` the text, which can be exponentially larger than a graph with shared
//! objects.

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
