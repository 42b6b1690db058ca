//! Files with the scripts in them as the printer writes them, with everything else that the files say.

mod comments;
mod placement;
mod definition;
mod source_text;
mod entry;

pub use entry::format;
