//! Facts about programs as text with underlined places: the violations of a check ([`CheckText`]), differences and edits ([`DiffText`], [`ProgramEdits`]),
//! errors of a script ([`ScriptErrors`]), and a place of any text ([`Excerpt`]).
//!
//! The texts contain the texts of programs only as [`inert`](object_core::inert) shows them.

mod one_line;
mod snippet;
mod violations;
mod program_edits;
mod differences;
mod script_errors;

pub use differences::{DiffText, DifferenceText, diff_summary, inside_text};
pub use one_line::OneLine;
pub use program_edits::ProgramEdits;
pub use script_errors::ScriptErrors;
pub use snippet::{Excerpt, ShownScript};
pub use violations::{CheckText, check_verdict, short_repr};
