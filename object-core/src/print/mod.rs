//! Texts of printers, with the place of a value that each piece of the text shows.
//!
//! A printer of any language writes into a [`Printer`], field by field. The result is a [`PrintedText`], which finds the pieces of
//! a place or an object, and the place at an offset. Its [`Excerpt`] underlines the place of an error.
//! [`Mismatch::underlined`](crate::structural::Mismatch::underlined) underlines a difference in the texts of both sides. For a
//! language without a printer, [`Repr::printed`](crate::repr::Repr::printed) is the text.
//!
//! A printer with a document of its own, which moves pieces before it writes them, makes the [`Paths`] of its pieces and the
//! [`PrintedText`] itself.

mod excerpt;
mod of_repr;
mod paths;
mod printed_text;
mod printer;

pub use excerpt::Excerpt;
pub use paths::{Path, Paths};
pub use printed_text::{Lines, PrintedText};
pub use printer::Printer;
