//! [`Repr`]: the short text form of any value, for messages and `Debug`.
//!
//! The repr of a node has its fields: `demo.Add(lhs=demo.Var(name="x"), rhs=1)`. Arrays stand in brackets, maps in braces.
//! A shared object is written at its first occurrence, after a number; each further occurrence is the number alone:
//! `[%0 = demo.Var(name="x"), %0]`. Texts, bytes and singletons are written in full everywhere, because their identity
//! does not matter. The lists and dicts of TVM have their type before the bracket: `ffi.List[1, 2]`. A field that holds an enum without
//! data shows the variant: `mode=Mode.Fast`.
//!
//! [`parse`] reads a repr, unless a limit has cut it or a value in it exists in memory only.

pub(crate) mod debug;
mod label;
mod layout;
mod literal;
mod look_up;
mod parse;
mod read;
mod token;
mod write;

pub(crate) use label::{path_key, path_step};
pub(crate) use layout::Output;
pub(crate) use literal::{literal, plain_in};
pub use read::{ReprReader, parse};
pub(crate) use token::{Token, Tokens, unexpected};
pub use write::Repr;
