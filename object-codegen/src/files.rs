//! [`write_files`] and [`write_with`]: files that change as a whole, and together.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use tempfile::NamedTempFile;

/// The number of links that lead to a file at most, as on Linux.
const MAX_LINKS: usize = 40;

/// A file that cannot be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl error::Error for WriteError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Writes these contents to files that exist or not. Other programs see the old file or the new one, also after a crash:
/// the content goes to a temporary file of the same folder, and this file takes the name of the old one when it is on disk.
/// No file changes before all contents are on disk.
///
/// A file that has the content already stays as it is, with its time. Every other file keeps its permissions and, if the system
/// allows it, its owner. A symbolic link stays, and its target changes. The other names of a file with several names (hard
/// links) keep the old content, because no system replaces the content of a file in one step. A device or a pipe takes the
/// content as it is.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let (header, source) = (folder.path().join("a.h"), folder.path().join("a.cc"));
/// object_codegen::files::write_files([(&header, "int a();\n"), (&source, "#include \"a.h\"\n")])?;
/// # assert_eq!(std::fs::read(&header)?, b"int a();\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first file that cannot be written. No file is changed then, unless the system refuses to rename a file after
/// it has renamed others.
pub fn write_files<P: AsRef<Path>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> Result<(), WriteError> {
    let failed = |path: &Path, error| WriteError { path: path.to_owned(), error };
    let mut staged = Vec::new();
    for (path, bytes) in files {
        let stage = Stage::new(path.as_ref(), bytes).map_err(|error| failed(path.as_ref(), error))?;
        staged.push((path, stage));
    }
    staged.into_iter().try_for_each(|(path, stage)| stage.finish().map_err(|error| failed(path.as_ref(), error)))
}

/// Writes a file as [`write_files`] does, from what `write` writes, without its content in memory. The file gets another time even if
/// its content stays.
///
/// # Errors
/// The errors of `write`, and of the file. Then the file stays as it is, unless it is a device or a pipe.
pub fn write_with<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let old = old_file(path)?;
    if let Some((old, stream)) = &old
        && !old.is_file()
    {
        let mut out = BufWriter::new(stream);
        write(&mut out)?;
        return Ok(out.flush()?);
    }
    let path = target_of(path)?;
    let mut file = new_file_in(folder_of(&path))?;
    let mut out = BufWriter::new(file.as_file_mut());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some((old, _)) = old {
        take_over(file.as_file(), &old)?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The file at a path, open for writing; `None` if there is none.
fn old_file(path: &Path) -> io::Result<Option<(Metadata, File)>> {
    match fs::metadata(path) {
        // A rename would replace a file that nobody may write.
        Ok(old) => Ok(Some((old, OpenOptions::new().write(true).open(path)?))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file whose content is ready.
enum Stage<B> {
    /// The file has the content.
    Current,
    /// The content is on disk and gets this name.
    File(NamedTempFile, PathBuf),
    /// A device or a pipe, open, with its content.
    Stream(File, B),
}

impl<B: AsRef<[u8]>> Stage<B> {
    fn new(path: &Path, bytes: B) -> io::Result<Self> {
        if path.is_file() && fs::read(path).is_ok_and(|old| old == bytes.as_ref()) {
            return Ok(Stage::Current);
        }
        let old = match old_file(path)? {
            Some((old, stream)) if !old.is_file() => return Ok(Stage::Stream(stream, bytes)),
            old => old.map(|(old, _)| old),
        };
        let path = target_of(path)?;
        let mut file = new_file_in(folder_of(&path))?;
        file.write_all(bytes.as_ref())?;
        file.flush()?;
        if let Some(old) = old {
            take_over(file.as_file(), &old)?;
        }
        file.as_file().sync_all()?;
        Ok(Stage::File(file, path))
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Stage::Current => Ok(()),
            Stage::File(file, path) => file.persist(path).map(drop).map_err(|error| error.error),
            Stage::Stream(mut stream, bytes) => {
                stream.write_all(bytes.as_ref())?;
                stream.flush()
            }
        }
    }
}

/// The file that the path means, after symbolic links, which may lead to no file.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|it| it.is_symlink()) {
            return Ok(path);
        }
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("its symbolic links lead in a circle, or there are too many of them"))
}

/// A temporary file with the permissions of a new file.
fn new_file_in(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Gives the file the owner and the permissions of the old one.
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            // Only some users may give files away.
            let _ = fchown(file, Some(old.uid()), Some(old.gid()));
        }
    }
    file.set_permissions(old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    /// The names and contents of the files of a folder.
    fn contents(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry"));
        let read = |path: PathBuf| fs::read_to_string(path).unwrap_or_else(|error| error.kind().to_string());
        let mut all: Vec<_> =
            entries.map(|entry| (entry.file_name().display().to_string(), read(entry.path()))).collect();
        all.sort();
        all
    }

    #[test]
    fn a_file_that_is_written_in_parts_changes_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        for text in ["first", "second"] {
            let write = |out: &mut dyn Write| text.bytes().try_for_each(|byte| out.write_all(&[byte]));
            write_with(&path, write).expect("it is written");
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
        }
        let failure = write_with(&path, |out| {
            out.write_all(b"third")?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failure.expect_err("a failure").to_string(), "no more");
        assert_eq!(contents(folder.path()), [("file".to_owned(), "second".to_owned())]);
    }

    #[test]
    fn a_file_keeps_its_permissions_and_a_link_its_target() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deep")).expect("a folder");
        fs::write(path("deep/old"), "old").expect("a file");
        fs::set_permissions(path("deep/old"), fs::Permissions::from_mode(0o4751)).expect("permissions");
        symlink("deep/old", path("link")).expect("a link");
        symlink("link", path("link_to_link")).expect("a link");
        symlink("deep/new", path("dangling")).expect("a link");
        symlink("circle", path("circle")).expect("a link");
        fs::write(path("plain"), "").expect("a file");
        write_files([(path("link_to_link"), "a"), (path("dangling"), "b"), (path("new"), "c")])
            .expect("they are written");
        assert_eq!(contents(&path("deep")), [("new", "b"), ("old", "a")].map(|(a, b)| (a.to_owned(), b.to_owned())));
        let mode = |name: &str| fs::metadata(path(name)).expect("a file").mode();
        assert_eq!(mode("deep/old") & 0o7777, 0o4751);
        assert_eq!(mode("new"), mode("plain"), "a new file has the permissions of any new file");
        assert!(["link", "link_to_link", "dangling"].iter().all(|name| path(name).is_symlink()));
        assert!(write_files([(path("circle"), "a")]).is_err());
    }

    /// A build that depends on the file does not begin again.
    #[test]
    fn a_file_with_the_content_keeps_its_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = folder.path().join("one");
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        let modified = || fs::metadata(&one).and_then(|it| it.modified()).expect("a time");
        fs::write(&one, "text").expect("a file");
        File::options().write(true).open(&one).and_then(|file| file.set_modified(time)).expect("a time");
        write_files([(&one, "text")]).expect("it is current");
        assert_eq!(modified(), time);
        write_files([(&one, "other")]).expect("it is written");
        assert!(modified() > time);
    }

    /// The other name keeps the old content.
    #[test]
    fn a_hard_link_separates() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::write(&one, "old").expect("a file");
        fs::hard_link(&one, &other).expect("a link");
        write_files([(&one, "new")]).expect("it is written");
        assert_eq!((fs::read(&one).ok(), fs::read(&other).ok()), (Some(b"new".to_vec()), Some(b"old".to_vec())));
    }

    #[test]
    fn files_change_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, deep) = (folder.path().join("one"), folder.path().join("no/such/folder"));
        fs::write(&one, "old").expect("a file");
        for wrong in [&deep, folder.path(), Path::new("/proc/no_file"), Path::new("/proc/version")] {
            let error = write_files([(&*one, "new"), (wrong, "new")]).expect_err("it cannot be written");
            assert_eq!(error.path, wrong);
            assert_eq!(contents(folder.path()), [("one".to_owned(), "old".to_owned())]);
        }
        let (reader, writer) = io::pipe().expect("a pipe");
        let stream = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
        write_files([(Path::new(&stream), "text")]).expect("a pipe takes the content");
        drop(writer);
        assert_eq!(io::read_to_string(reader).expect("text"), "text");
    }

    #[test]
    fn a_file_that_nobody_may_write_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let one = folder.path().join("one");
        fs::write(&one, "old").expect("a file");
        for (locked, mode) in [(&*one, 0o444), (folder.path(), 0o555)] {
            fs::set_permissions(locked, fs::Permissions::from_mode(mode)).expect("permissions");
            // The superuser may write any file.
            let may_write = OpenOptions::new().write(true).open(&one).is_ok() && NamedTempFile::new_in(&folder).is_ok();
            assert_eq!(write_files([(&one, "new")]).is_ok(), may_write, "{locked:?}");
            assert_eq!(fs::read_to_string(&one).expect("a file"), if may_write { "new" } else { "old" });
            fs::write(&one, "old").ok();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        }
    }
}
