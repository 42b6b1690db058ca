//! Links of the documents: each leads to a file, and to a heading of this file. The pages of the book also lie in its folder, are in its
//! table of contents, and include what exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// The folder of the book, whose pages link only to pages.
const BOOK: &str = "docs/";
const CONTENTS: &str = "docs/SUMMARY.md";

/// The documents of a workspace.
pub(crate) struct Documents<'a> {
    root: &'a Path,
    /// The texts by their paths in `root`; a page of the book has the texts that it includes.
    texts: BTreeMap<String, String>,
    failures: Vec<String>,
}

/// The links that lead nowhere, and the pages that the book lacks, in the documents of the workspace in `root`.
pub(crate) fn check(root: &Path, texts: BTreeMap<String, String>) -> Vec<String> {
    let mut documents = Documents { root, texts: BTreeMap::new(), failures: Vec::new() };
    for (path, text) in texts {
        let text = if path.starts_with(BOOK) { documents.with_included(&path, &text) } else { text };
        documents.texts.insert(path, text);
    }
    documents.check_contents();
    let mut failures = std::mem::take(&mut documents.failures);
    for path in documents.texts.keys() {
        failures.extend(documents.wrong_links(path));
    }
    failures
}

impl Documents<'_> {
    /// The text of a page with the texts that it includes, whole or by the name of a piece, as mdBook writes it.
    fn with_included(&mut self, page: &str, text: &str) -> String {
        let mut pieces = text.split("{{#include ");
        let mut whole = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (target, rest) = piece.split_once("}}").unwrap_or((piece, ""));
            let (file, name) = target.split_once(':').map_or((target, None), |(file, name)| (file, Some(name)));
            let included = fs::read_to_string(self.root.join(BOOK).join(file)).ok();
            match included.and_then(|text| name.map_or(Some(text.clone()), |name| piece_of(&text, name))) {
                Some(included) => whole.push_str(&included),
                None => self.failures.push(format!("{page}: nothing to include at `{target}`")),
            }
            whole.push_str(rest);
        }
        whole
    }

    /// Each page of the book is in the table of contents, once.
    fn check_contents(&mut self) {
        let listed: Vec<String> = self.texts.get(CONTENTS).into_iter().flat_map(|text| links(text)).collect();
        let pages: BTreeSet<String> =
            self.texts.keys().filter_map(|path| path.strip_prefix(BOOK)).map(str::to_owned).collect();
        for page in pages.iter().filter(|page| !CONTENTS.ends_with(page.as_str())) {
            match listed.iter().filter(|listed| *listed == page).count() {
                1 => {}
                count => self.failures.push(format!("{CONTENTS} has {BOOK}{page} {count} times")),
            }
        }
    }

    /// The links of a document that lead nowhere.
    fn wrong_links(&self, document: &str) -> Vec<String> {
        let folder = Path::new(document).parent().unwrap_or(Path::new(""));
        let mut wrong = Vec::new();
        for link in links(&self.texts[document]) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, heading) =
                link.split_once('#').map_or((link.as_str(), None), |(file, heading)| (file, Some(heading)));
            let target = if file.is_empty() { PathBuf::from(document) } else { normal(&folder.join(file)) };
            let target = target.to_string_lossy().replace('\\', "/");
            if !self.texts.contains_key(&target) && !self.root.join(&target).exists() {
                wrong.push(format!("{document}: `{link}` leads to no file"));
            } else if document.starts_with(BOOK) && !target.starts_with(BOOK) {
                wrong.push(format!("{document}: `{link}` leads out of the book"));
            } else if let Some(heading) = heading
                && !self.texts.get(&target).is_some_and(|text| headings(text).contains(heading))
            {
                wrong.push(format!("{document}: `{link}` leads to no heading"));
            }
        }
        wrong
    }
}

/// The lines between `ANCHOR: name` and `ANCHOR_END: name`, without the lines of other marks.
fn piece_of(text: &str, name: &str) -> Option<String> {
    let marks = |line: &&str, mark: &str| line.trim_end().ends_with(&format!("{mark}: {name}"));
    let mut lines = text.lines().skip_while(|line| !marks(line, "ANCHOR"));
    lines.next()?;
    let lines: Vec<&str> = lines.collect();
    let end = lines.iter().position(|line| marks(line, "ANCHOR_END"))?;
    Some(lines[..end].iter().filter(|line| !line.contains("ANCHOR")).map(|line| format!("{line}\n")).collect())
}

/// `path` without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            normal.pop();
        } else {
            normal.push(component);
        }
    }
    normal
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// The targets of all links and pictures.
fn links(text: &str) -> Vec<String> {
    let target = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    parser(text).filter_map(target).collect()
}

/// The names of all headings, as links write them.
fn headings(text: &str) -> BTreeSet<String> {
    let (mut names, mut current) = (BTreeSet::new(), None::<String>);
    for event in parser(text) {
        match (event, &mut current) {
            (Event::Start(Tag::Heading { .. }), _) => current = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => names.extend(current.take()),
            (Event::Text(text) | Event::Code(text), Some(name)) => name.extend(text.chars().filter_map(in_link)),
            _ => {}
        }
    }
    names
}

/// The character of the name of a heading for a character of the heading.
fn in_link(char: char) -> Option<char> {
    match char {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        _ => Some(char.to_ascii_lowercase()).filter(|char| char.is_alphanumeric()),
    }
}

#[test]
fn a_wrong_link_is_found() {
    let root = crate::workspace::root();
    let texts = |page: &str| {
        BTreeMap::from([
            (CONTENTS.to_owned(), "[One](one.md)".to_owned()),
            ("docs/one.md".to_owned(), page.to_owned()),
            ("README.md".to_owned(), "# Read `me` on\n[a](docs/introduction.md)".to_owned()),
        ])
    };
    for (page, failure) in [
        ("[a](two.md)", "docs/one.md: `two.md` leads to no file"),
        ("[a](../README.md)", "docs/one.md: `../README.md` leads out of the book"),
        ("# A b_c!\n[a](#a-b)", "docs/one.md: `#a-b` leads to no heading"),
        ("{{#include ../README.md:nothing}}", "docs/one.md: nothing to include at `../README.md:nothing`"),
    ] {
        assert_eq!(check(&root, texts(page)), [failure]);
    }
    assert_eq!(check(&root, texts("# A b_c!\n[a](#a-b_c) [b](https://example.org/x)")), [""; 0]);
    let mut missing = texts("");
    missing.insert("docs/two.md".to_owned(), String::new());
    assert_eq!(check(&root, missing), ["docs/SUMMARY.md has docs/two.md 0 times"]);
}
