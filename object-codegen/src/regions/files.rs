//! Regions in several files: all of them are current, or none changes.

use std::path::PathBuf;
use std::{fs, io};

use crate::diagnostic::Diagnostic;
use crate::files::{WriteError, write_files};
use crate::model::Model;
use crate::regions::update::update;
use crate::target::Target;
use crate::unified_diff::unified_diff;

/// The failure of the update of files.
#[derive(Debug)]
#[non_exhaustive]
pub enum UpdateError {
    /// Faults in the files.
    Faults(Vec<Diagnostic>),
    /// A file that cannot be read.
    Io(PathBuf, io::Error),
}

/// The change of a file.
#[derive(Clone, Debug)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// The bytes of the file.
    old: Vec<u8>,
    /// The bytes of the file with current regions.
    new: Vec<u8>,
    /// The warnings about hand-written parts.
    pub warnings: Vec<Diagnostic>,
    /// The edits of generated lines that the new bytes do not contain.
    pub edits: Vec<Diagnostic>,
    /// The number of regions.
    pub regions: usize,
}

/// Computes the changes of `files`, and writes nothing.
///
/// # Errors
/// [`UpdateError::Io`] for the first file that cannot be read; else the faults of all files.
pub fn plan_updates(target: Target, model: &Model<'_>, files: &[PathBuf]) -> Result<Vec<Change>, UpdateError> {
    let (mut changes, mut faults) = (Vec::new(), Vec::new());
    for path in files {
        let old = fs::read(path).map_err(|error| UpdateError::Io(path.clone(), error))?;
        match update(target, model, &path.display().to_string(), &old) {
            Ok(updated) => changes.push(Change {
                path: path.clone(),
                old,
                new: updated.text,
                warnings: updated.warnings,
                edits: updated.edits,
                regions: updated.regions,
            }),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(changes) } else { Err(UpdateError::Faults(faults)) }
}

impl Change {
    /// Whether the regions of the file are not current.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.old != self.new
    }

    /// The difference in the unified format.
    #[must_use]
    pub fn diff(&self) -> String {
        let (old, new) = (String::from_utf8_lossy(&self.old), String::from_utf8_lossy(&self.new));
        unified_diff(&self.path.display().to_string(), &old, &new)
    }
}

/// Writes the files that are stale, by [`write_files`].
///
/// # Errors
/// As [`write_files`].
pub fn write_changes(changes: &[Change]) -> Result<(), WriteError> {
    write_files(changes.iter().filter(|change| change.is_stale()).map(|change| (&change.path, &change.new)))
}
