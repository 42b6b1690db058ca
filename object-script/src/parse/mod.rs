//! Graphs from TVMScript.
//!
//! Reading has two stages. The crate `object-python-syntax` makes the tree of Python of a text, with the place of every
//! node. TVMScript is Python, so a grammar of our own would accept another language.
//!
//! The second stage evaluates the tree as TVM's parser does. An expression has a `Value`: a value of Python, an object,
//! or a name such as `R.add`. Calls find functions by name in tables (`table`). Calls of operators have no functions of
//! their own: the declaration in `object_relax::op` determines arguments and attributes, and `data/script_calls.txt`,
//! which TVM writes, the order and the defaults of parameters. A binding makes its operands leaves and infers
//! structural information, as TVM's builder does. An error is reported where it occurs; the names that a failed
//! statement binds have the value `Unknown`, whose uses report nothing, and the next statement has errors of its own.
//!
//! The parser reads more than TVM's: infinities, texts in UTF-8, members of tuple literals, shapes without dimensions,
//! declarations of free variables, and functions outside of a module that call functions of one.
//! `tests/data/script_deviations.txt` lists the recorded scripts whose results differ.

mod diagnostic;
mod value;
mod state;
mod expr;
mod ir;
mod relax;
mod tir;
mod table;
mod entry;
mod parts;

pub use crate::words::version_of;
pub(crate) use diagnostic::{bytes, malformed, of_faults};
pub use entry::{ScriptParser, parse};
pub(crate) use ir::functions::dict_attrs;
pub use object_core::diagnostic::{Diagnostic, Errors};
pub(crate) use parts::{Part, Parts, names, tokens_in, with_logged_parts, with_parts};
pub(crate) use relax::objects::members_of_expressions;
pub(crate) use relax::signatures::parameters;
pub(crate) use state::log::{FunctionLog, Log, LoggedName, ReadFunction};
pub(crate) use table::builtin_names;
pub(crate) use tir::objects::members_of_buffers;
