//! TVMScript: modules as text in the syntax of Python, as TVM shows them to people.
//!
//! [`mod@print`] writes the text. Each piece of the text knows the place of its object in the graph, so a diagnostic can
//! underline an [`AccessPath`](object_core::access_path::AccessPath). [`page`] shows scripts in a browser.

pub mod print;
pub mod page;

mod fold;
