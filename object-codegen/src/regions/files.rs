//! Regions in several files: all of them are current, or none changes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use similar::TextDiff;
use tempfile::NamedTempFile;

use crate::diagnostic::Diagnostic;
use crate::generate::Target;
use crate::model::Model;
use crate::regions::update::update;

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
        let name = self.path.display().to_string();
        TextDiff::from_lines(&old, &new).unified_diff().header(&name, &name).to_string()
    }

    /// Writes the file, if it is stale. Other programs see the old file or the new one, and no part of either.
    ///
    /// # Errors
    /// The errors of the file system. The file is unchanged then.
    pub fn write(&self) -> io::Result<()> {
        if !self.is_stale() {
            return Ok(());
        }
        write_atomically(&self.path, &self.new)
    }
}

/// Replaces the file `path`, or the file that the link `path` points to. It keeps its permissions.
fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    File::set_permissions(file.as_file(), fs::metadata(&path)?.permissions())?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}
