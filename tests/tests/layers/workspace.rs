//! The sources of the workspace: its crates, their files, and the uses in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::modules::Modules;
use crate::names::Names;
use crate::uses::{Uses, collect};

/// The folder of the workspace, or the one in `LAYERS_ROOT`.
pub(crate) fn root() -> PathBuf {
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_owned();
    std::env::var_os("LAYERS_ROOT").map_or_else(own, PathBuf::from)
}

/// The folders of the workspace that hold a crate.
pub(crate) fn crates(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root).expect("the folder of the workspace can be listed");
    let paths = entries.map(|entry| entry.expect("the folder of the workspace can be listed").path());
    let names = paths.filter(|path| path.join("Cargo.toml").is_file());
    let mut names: Vec<String> = names.map(|path| file_name(&path)).collect();
    names.sort();
    names
}

/// Whether the rules for layers apply to a crate. They do not apply to crates that test and measure others.
pub(crate) fn is_layered(folder: &str) -> bool {
    folder.starts_with("object-")
}

/// A crate and its uses.
pub(crate) struct Crate {
    /// The folder of the crate.
    pub(crate) folder: String,
    /// The paths of its files under `src/`, the root file first.
    pub(crate) files: Vec<String>,
    /// The uses in the files.
    pub(crate) uses: Uses,
}

impl Crate {
    /// Reads the crate in `root`/`folder`.
    ///
    /// # Errors
    /// As [`Modules::parse`] says.
    pub(crate) fn read(root: &Path, folder: &str) -> Result<Self, String> {
        Crate::parse(folder, &sources(&root.join(folder).join("src")))
    }

    /// Finds the uses in a crate. `sources` has the text of each file by its path under `src/`.
    ///
    /// # Errors
    /// As [`Modules::parse`] says.
    pub(crate) fn parse(folder: &str, sources: &BTreeMap<String, String>) -> Result<Self, String> {
        let top = if sources.contains_key("lib.rs") { "lib.rs" } else { "main.rs" };
        let modules =
            Modules::parse(&folder.replace('-', "_"), top, sources).map_err(|error| format!("{folder}/{error}"))?;
        let uses = collect(&Names::new(&modules));
        Ok(Crate { folder: folder.to_owned(), files: modules.files, uses })
    }
}

/// The texts of the Rust files in `folder` and the folders in it, by their path in `folder`.
pub(crate) fn sources(folder: &Path) -> BTreeMap<String, String> {
    files(folder, ".rs")
}

/// The texts of the files in `folder` and the folders in it whose names end with `ending`, by their path in `folder`. Symbolic links
/// lead to files that have another path.
pub(crate) fn files(folder: &Path, ending: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    add_files(folder, "", ending, &mut files);
    files
}

fn add_files(folder: &Path, prefix: &str, ending: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder of the workspace can be listed").path();
        let name = file_name(&path);
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            // Cargo marks a build folder that it makes with this file; a script may have made it before.
            let is_built = path.join("CACHEDIR.TAG").is_file() || (prefix.is_empty() && name == "target");
            if !is_built && !name.starts_with('.') {
                add_files(&path, &format!("{prefix}{name}/"), ending, files);
            }
        } else if name.ends_with(ending) {
            let text = fs::read_to_string(&path).expect("a file of the workspace can be read");
            files.insert(format!("{prefix}{name}"), text);
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
