//! Cases in files, each with its expected text beside it. `BLESS=1` renews the expected texts.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of cases.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Compares the result of each file with this ending with the file of the same name and `.expected` at its end.
pub(crate) fn check_folder(name: &str, ending: &str, result: fn(&Path) -> String) {
    let mut wrong = Vec::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(folder(name))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    assert!(!paths.is_empty(), "no case with the ending `{ending}`");
    for path in paths {
        let actual = result(&path);
        let mut beside = path.clone().into_os_string();
        beside.push(".expected");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&beside, &actual).expect("the expected text can be written");
        } else if fs::read_to_string(&beside).ok().as_ref() != Some(&actual) {
            wrong.push(format!("{}:\n{actual}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} results differ; `BLESS=1` renews them\n\n{}", wrong.len(), wrong.join("\n"));
}
