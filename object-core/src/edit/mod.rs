//! Edit scripts: the difference of two values as data that can be applied, inverted, saved and merged.
//!
//! [`edits`] compares two values and returns an [`EditScript`]. It knows moved elements, renamed variables and entries of maps,
//! and values that wrap others. [`EditScript::apply`] makes the second value of the first one:
//!
//! ```
//! use object_core::{Array, edit::edits, structural_equal};
//! let (a, b) = (Array::from([1, 2, 3]), Array::from([1, 3, 4]));
//! let script = edits(&a, &b)?;
//! assert_eq!(script.changes().len(), 2);
//! assert!(structural_equal(&script.apply(&a)?, &b));
//! assert!(structural_equal(&script.inverted().apply(&b)?, &a));
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! # How it works
//!
//! The walk of a diff aligns both values, and says which objects correspond (`structural/report/diff/matcher.rs`). For the
//! objects without counterparts, `pool` searches at other places. `in_place` decides which objects the script changes, and
//! `difference` compares those with their counterparts, child by child. A place is a path from the root (`place`). The places of a
//! script share their steps (`place_tree`). A new value refers to objects of the first value by their places.
//!
//! The order of the work is the order of the modules: `relation`, `pool`, `in_place`, `difference`. If no search finds
//! a right script, `smallest` replaces one value. A search after a wrong script takes free objects as known (`fixed`).

mod apply;
mod difference;
mod equal_objects;
mod fixed;
mod grouping;
mod in_place;
mod json;
mod listing;
mod merge;
mod options;
mod place;
mod place_step;
mod place_search;
mod place_tree;
mod pool;
mod relation;
mod script;
mod smallest;

pub use grouping::{EditDetail, EditGroup};
pub use listing::{Edit, EditKind};
pub use merge::{Conflict, Merged, merge};
pub use options::{EditOptions, edits};
pub use place::Place;
pub use place_step::PlaceStep;
pub use script::{Change, EditScript, EditValue, NewObject, Slot};
