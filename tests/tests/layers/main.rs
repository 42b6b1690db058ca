//! Layers: a file uses only lower layers, by the tables of `tests/data/layers.md`, and no files use each other in circles; and links of
//! documents lead to files and headings.
//!
//! `LAYERS=print cargo test -p object-tests --test layers print -- --nocapture` prints the circles and all uses.
//! `LAYERS_ROOT` names another checkout to check.

mod examples;
mod graph;
mod links;
mod modules;
mod names;
mod public_functions;
mod report;
mod rules;
mod scope;
mod table;
mod tokens;
mod uses;
mod workspace;

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use table::{LAYERS, Layers, Tables};
use workspace::{Crate, is_layered, root, sources};

/// The layered crates of the workspace, read once for all tests.
fn crates() -> &'static [Crate] {
    static CRATES: OnceLock<Vec<Crate>> = OnceLock::new();
    CRATES.get_or_init(|| {
        let folders = workspace::crates(&root());
        let layered = folders.iter().filter(|folder| is_layered(folder));
        let read = layered.map(|folder| Crate::read(&root(), folder));
        read.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{error}"))
    })
}

fn tables(path: &str) -> Tables {
    let document = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Tables::parse(&document).unwrap_or_else(|error| panic!("{error}"))
}

/// Fails with all messages.
fn assert_none(failures: &[String]) {
    assert!(failures.is_empty(), "{} violations:\n\n{}\n", failures.len(), failures.join("\n\n"));
}

#[test]
fn files_use_only_lower_layers_and_not_each_other() {
    let (tables, none) = (tables(LAYERS), Layers::default());
    assert!(tables.of("object-core").is_some_and(|layers| !layers.rows.is_empty()), "the table of layers is not found");
    let failures = crates().iter().flat_map(|krate| rules::layers(krate, tables.of(&krate.folder).unwrap_or(&none)));
    assert_none(&failures.collect::<Vec<_>>());
}

#[test]
fn the_map_lists_all_crates() {
    assert_none(&rules::crate_table(&tables("ARCHITECTURE.md").crates, &workspace::crates(&root())));
}

#[test]
fn files_are_short_and_begin_with_their_job() {
    // Test cases of the compiler, which are sources that it must reject or accept, and generated sources.
    let cases =
        ["ui-tests/tests/ui/", "ui-tests/tests/macro/", "ui-tests/tests/pass/", "object-codegen/tests/goldens/"];
    let mut failures = Vec::new();
    for (path, text) in sources(&root()) {
        if !cases.iter().any(|case| path.starts_with(case)) {
            failures.extend(rules::file(&path, &text));
        }
    }
    assert_none(&failures);
}

#[test]
fn print() {
    if std::env::var("LAYERS").is_ok_and(|mode| mode == "print") {
        crates().iter().for_each(|krate| println!("{}", report::report(krate)));
    }
}

#[test]
fn tables_of_texts_have_seeds() {
    let failures: Vec<String> =
        sources(&root()).iter().flat_map(|(path, text)| rules::unseeded_tables(path, text)).collect();
    assert_none(&failures);
}

#[test]
fn public_functions_of_object_core_have_users() {
    const OWN: &str = "object-core/";
    let mut calls = public_functions::Calls::default();
    let all = sources(&root());
    all.iter().filter(|(path, _)| !path.starts_with(OWN)).for_each(|(_, text)| calls.add_text(text));
    for document in documents() {
        calls.add_document(&fs::read_to_string(document).expect("a document can be read"));
    }
    let exceptions = include_str!("../../data/public_functions.txt");
    assert_none(&public_functions::check(&sources(&root().join(OWN).join("src")), calls, exceptions));
}

#[test]
fn links_of_documents_lead_somewhere() {
    assert_none(&links::check(&root(), workspace::files(&root(), ".md")));
}

/// `README.md`, and the documents in `docs/`.
fn documents() -> Vec<PathBuf> {
    let folder = fs::read_dir(root().join("docs")).expect("the folder of the documents can be listed");
    let documents = folder.map(|entry| entry.expect("the folder of the documents can be listed").path());
    let mut documents: Vec<PathBuf> =
        documents.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    documents.push(root().join("README.md"));
    documents
}
