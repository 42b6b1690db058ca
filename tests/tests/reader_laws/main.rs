//! Laws of readers, on files with random edits: declarations in Python, arrays of NumPy, rules of rewrites, and the texts of
//! JSON graphs. The fuzz targets of the same names check the same laws on other bytes.

mod arrays;
#[path = "../common/mod.rs"]
mod common;
mod declarations;
mod edits;
mod kept;
mod npy_headers;
mod printed;
mod rules;

use std::fs;

use common::{at_root, fixture};
use edits::Edits;
use object_tests::setting;

/// The number of edited files for each law; `READER_CASES` replaces it, and `READER_SEED` the seed.
/// Checks a law for files with edits. Returns how many of them the reader accepts.
fn accepted(files: &[Vec<u8>], cases: u64, law: impl Fn(&[u8]) -> bool) -> usize {
    assert!(!files.is_empty());
    let mut edits = Edits::new(setting("READER_SEED", 1));
    let count = setting("READER_CASES", cases);
    (0..count).filter(|_| law(&edits.edited(files))).count()
}

/// The contents of the files of a folder that end in `ending`.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(at_root(folder)).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

#[test]
fn declarations_have_one_schema() {
    let files = files("object-codegen/tests/data/python_input", ".py");
    assert!(accepted(&files, 500, declarations::check) > 20);
}

#[test]
fn arrays_are_written_as_they_were_read() {
    let files = npy_headers::seeds();
    assert!(accepted(&files, 4000, arrays::check) > 50);
}

#[test]
fn rules_keep_programs_well_formed() {
    let mut files = files("tests/data/rules", ".py");
    for file in &mut files {
        // The module after the rule is not a part of it.
        let text = String::from_utf8_lossy(file);
        let end = text.find("\n# After the rule:\n").expect("the module after the rule");
        file.truncate(end);
    }
    assert!(accepted(&files, 100, rules::check) > 10);
}

#[test]
fn printed_texts_read_as_their_graphs() {
    let files: Vec<Vec<u8>> =
        ["mlp.json.gz", "odd.json.gz", "te_inputs.json.gz", "constants.json.gz"].map(fixture).to_vec();
    assert!(accepted(&files, 60, printed::check) > 10);
}

#[test]
fn modules_with_an_unknown_type_are_written_as_they_were_read() {
    let names = ["mlp.json.gz", "odd.json.gz", "te_inputs.json.gz", "decoder_small.json.gz"];
    assert!(names.into_iter().map(|name| kept::check(&fixture(name))).sum::<usize>() > 40);
}
