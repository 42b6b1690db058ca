//! Generated classes inside of files that people write: the lines between `// tschema: NAME` and `// tschema: end`.
//!
//! The RFC on the schema language defines the markers. Lines between `// tschema: custom-begin` and
//! `// tschema: custom-end` stay, and move to the end of the class. In Python, a marker begins with `#`.

mod files;
mod markers;
mod update;

pub use files::{Change, UpdateError, plan_updates, write_changes};
pub use update::{Updated, update};
