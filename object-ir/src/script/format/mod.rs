//! Scripts as the printer writes them, with the comments of the given text.

mod comments;
mod placement;
mod entry;

pub use entry::format;
