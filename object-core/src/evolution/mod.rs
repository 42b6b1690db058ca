//! Objects in files of earlier and later declarations: what a file records of a declaration, and how an object of one
//! declaration becomes an object of another.
//!
//! A file has a [`RecordedType`] for each type of its objects that is not [in the form of TVM](FileForm::Tvm). Readers compare the
//! [`fingerprint`] with the declaration in the program. If it differs, an `Upgrade` makes the objects: it takes the fields as the
//! file declares them, runs the migrations of the type and its ancestors, and gives each field its value by name. A value
//! that the field does not have, and a field without a place, are errors.
//!
//! Nothing here depends on the format of the file.

mod recorded_default;
mod recorded_type;
mod release;
mod renumbered;
mod term;
mod upgrade;

pub(crate) use crate::evolution::recorded_default::{MAX_LEVELS, json_of};
pub use crate::evolution::recorded_type::{RecordedField, RecordedType, fingerprint};
pub use crate::evolution::release::Release;
pub use crate::evolution::term::Term;
pub(crate) use crate::evolution::upgrade::{Newer, Upgrade, index_of, may_be_absent, set_absent_options};
pub use crate::object::{Evolution, FileForm, Migration, OldObject};
