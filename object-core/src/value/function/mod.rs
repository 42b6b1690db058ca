//! [`Function`]: a Rust closure as an object, and calls of it. Conversions, look-ups by name and methods of types are
//! in the module [`function`](crate::function), in a layer above the registry of types.

mod body;
mod call;
mod handle;
mod message;
mod signature;

pub use body::Failure;
pub(crate) use body::FunctionBody;
pub use handle::Function;
pub(crate) use handle::{FUNCTION, FunctionData};
pub(crate) use message::{WithTypes, duplicate};
pub use signature::{ArgInfo, Signature};
