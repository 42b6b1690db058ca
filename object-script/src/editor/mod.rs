//! The scripts of a file as an editor sees them: errors and violations, names with their definitions, structural information beside
//! the variables, the outline, documentation and completion.
//!
//! A [`ScriptAnalyzer`] keeps what it knows about a text, and reads only the changed functions of the next one. The parser
//! records the places of names while it reads (`parse/state/log.rs`), so names of functions with errors are known too.

mod facts;
mod function;
mod violations;
mod reading;
mod shift;
mod skeleton;
mod fixes;
mod documentation;
mod analyzer;
mod completion;

pub use analyzer::ScriptAnalyzer;
pub use completion::{Candidate, CandidateKind};
pub use facts::{Facts, NameAt, OutlineEntry, OutlineKind, Problem};
