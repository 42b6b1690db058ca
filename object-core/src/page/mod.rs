//! [`Page`]: printed texts as a page in HTML. [`StagesPage`]: the texts of a program after each pass, as a page.
//!
//! A page shows one text, or two side by side. Lines stand beside each other if they show the same place; an element
//! that only one of two arrays has moves the indices of the places after it (`alignment`). An element of the page has
//! the steps from the place around it, so the page grows with the text and not with the depth of the graph. The
//! templates, the styles and the programs are files of their own: both pages have `palette.css`, `shared.css` and `shared.js`, with
//! the colours, the keys and the map of differences, and the words of `words`.

mod words;
mod edits;
mod options;
mod layout;
mod alignment;
mod facts;
mod line;
mod html;
mod stages;

pub use edits::PageEdits;
pub use options::{MAX_NOTE, Page};
pub use stages::{PassRow, StagesPage};

/// The colours of pages, light and dark, as variables of CSS.
///
/// ```
/// assert!(object_core::page::PALETTE.contains("--page:"));
/// ```
pub const PALETTE: &str = include_str!("palette.css");
