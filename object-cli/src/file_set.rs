//! [`FileSet`]: the files of an argument that is a folder or a pattern.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use glob::MatchOptions;
use object_core::{Error, ErrorKind, Result};
use walkdir::WalkDir;

use crate::source::Source;

/// The ends of the names of graphs and scripts. A folder may contain other files, too.
const SUFFIXES: [&str; 5] = [".json", ".json.gz", ".py", ".py.gz", ".py.txt"];

/// The characters of patterns.
const WILDCARDS: [char; 3] = ['*', '?', '['];

/// The files of a folder or a pattern, in the order of their names.
pub(crate) struct FileSet {
    /// The folder to which the names of the files are relative.
    base: PathBuf,
    files: Vec<PathBuf>,
}

/// The files of the arguments of a command.
pub(crate) struct Arguments {
    pub(crate) sources: Vec<Source>,
    /// Whether an argument is a folder or a pattern.
    pub(crate) has_sets: bool,
}

impl Arguments {
    /// The files of all arguments, in order.
    ///
    /// # Errors
    /// As [`FileSet::of`].
    pub(crate) fn of(arguments: &[Source]) -> Result<Self> {
        let mut all = Arguments { sources: Vec::new(), has_sets: false };
        for argument in arguments {
            match FileSet::of(argument)? {
                Some(set) => {
                    all.has_sets = true;
                    all.sources.extend(set.files.into_iter().map(Source::File));
                }
                None => all.sources.push(argument.clone()),
            }
        }
        Ok(all)
    }
}

impl FileSet {
    /// The files of a folder, or of a pattern that is not the name of a file. `None` for anything else.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) for a folder without graphs and scripts, for a pattern without files, and for folders that
    /// cannot be read; [`Malformed`](ErrorKind::Malformed) for a wrong pattern.
    pub(crate) fn of(source: &Source) -> Result<Option<Self>> {
        let Source::File(path) = source else { return Ok(None) };
        let pattern = path.to_str().filter(|text| text.contains(WILDCARDS) && fs::symlink_metadata(path).is_err());
        let set = match pattern {
            Some(pattern) => FileSet::of_pattern(pattern),
            None if path.is_dir() => FileSet::of_folder(path),
            None => return Ok(None),
        };
        set.map(Some).map_err(|error| source.name_in(error))
    }

    fn of_folder(folder: &Path) -> Result<Self> {
        let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
        let entries = WalkDir::new(folder).sort_by_file_name().into_iter();
        let mut files = Vec::new();
        for entry in entries.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name())) {
            let path = entry.map_err(std::io::Error::from)?.into_path();
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            if SUFFIXES.iter().any(|suffix| name.ends_with(suffix.as_bytes())) && path.is_file() {
                files.push(path);
            }
        }
        if files.is_empty() {
            let names = SUFFIXES.map(|suffix| format!("`*{suffix}`")).join(", ");
            let message = format!(
                "expected a folder with files {names}, found none; a pattern such as `folder/*` takes all files"
            );
            return Err(Error::new(ErrorKind::Io, message));
        }
        Ok(FileSet { base: folder.to_owned(), files })
    }

    fn of_pattern(pattern: &str) -> Result<Self> {
        // As in a shell, a wildcard does not stand for the dot of a hidden name.
        let options =
            MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };
        let paths =
            glob::glob_with(pattern, options).map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()))?;
        let mut files = Vec::new();
        for path in paths {
            let path = path.map_err(|error| Error::from(std::io::Error::from(error)))?;
            if path.is_file() {
                files.push(path);
            }
        }
        if files.is_empty() {
            return Err(Error::new(ErrorKind::Io, "expected a file or a pattern of files, found no file that matches"));
        }
        let is_fixed = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(WILDCARDS);
        Ok(FileSet { base: Path::new(pattern).components().take_while(is_fixed).collect(), files })
    }

    /// The files, each with its name relative to the folder, or to the part of the pattern before the first wildcard.
    pub(crate) fn named(self) -> impl Iterator<Item = (PathBuf, PathBuf)> {
        let FileSet { base, files } = self;
        files.into_iter().map(move |file| (file.strip_prefix(&base).unwrap_or(&file).to_owned(), file))
    }
}
