//! Calls of operators: as texts in tables, and random ones with values for their arguments.

mod attribute_text;
mod call_text;
mod device_text;
mod inputs;
mod random;
mod run;
mod templates;
mod tokens;

pub use call_text::CallReader;
pub use random::{RandomCall, RandomCalls, names, swept_calls};
pub use run::{inferred, module_of, tensors};
