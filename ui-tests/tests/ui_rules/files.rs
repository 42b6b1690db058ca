//! The files of the cases.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the tests.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The files and folders in `folder`, in order.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

/// The sources of the cases `folder/<class>/<rule>.rs`, in order.
pub(crate) fn cases(folder: &str) -> Vec<PathBuf> {
    let files = entries(&root().join(folder)).into_iter().flat_map(|class| entries(&class));
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The name of a file without its extension, or of a folder.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
