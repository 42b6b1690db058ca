//! The rules for files and crates. Each returns the messages of all violations.

use std::collections::BTreeMap;

use crate::graph::{Edges, circles, feedback, shortest, within};
use crate::table::{LAYERS, Layers, lies_at};
use crate::workspace::Crate;

/// The maximum number of lines of a file.
const MAX_LINES: usize = 500;

/// A crate's files use only lower layers, and not each other in circles. Every exception is needed.
pub(crate) fn layers(krate: &Crate, layers: &Layers) -> Vec<String> {
    let mut failures = if layers.rows.is_empty() { Vec::new() } else { rows(krate, layers) };
    let mut level = krate.uses.edges.clone();
    // A circle through several layers has an upward use, so only circles within a layer are left to find.
    level.retain(|&(from, to), names| {
        let Some((own, used)) = upward(krate, layers, from, to) else { return true };
        if !layers.excepts(&krate.files[from], &krate.files[to]) {
            failures.push(format!(
                "{}, in the higher layer {used}; this file is in {own}.\n  Move the used item down, or the code that uses \
                 it up; or pass the item in as an argument. If neither is right, add an exception with its reason to \
                 {LAYERS}.",
                describe(krate, from, to, names),
            ));
        }
        false
    });
    failures.extend(no_circles(krate, layers, level));
    let unneeded = layers.exceptions.iter().chain(&layers.circles).filter(|it| !it.needed.get());
    failures.extend(unneeded.map(|it| {
        format!(
            "{LAYERS}:{}: no use in {} needs the row about `{}` and `{}` any more. Remove the row.",
            it.line, krate.folder, it.from, it.to,
        )
    }));
    failures
}

/// The names of the layers of two files, if the first one uses the second one against the order.
fn upward(krate: &Crate, layers: &Layers, from: usize, to: usize) -> Option<(String, String)> {
    if layers.rows.is_empty() || from == 0 {
        // The root file may use all layers, because it lists the public items.
        return None;
    }
    let own = layers.row(&krate.files[from])?;
    let name = |row: usize| layers.rows[row].iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    match layers.row(&krate.files[to]) {
        Some(used) if used > own => Some((name(own), name(used))),
        None if to == 0 => Some((name(own), "of the root file".to_owned())),
        _ => None,
    }
}

/// Every file has a row and every path of a row has a file.
fn rows(krate: &Crate, layers: &Layers) -> Vec<String> {
    let without = krate.files.iter().skip(1).filter(|file| layers.row(file).is_none()).map(|file| {
        format!(
            "{}/src/{file}:1: the file is in no layer. Add its module to the table of layers of {} in {LAYERS}, \
             after all modules that it uses.",
            krate.folder, krate.folder,
        )
    });
    let empty = layers.rows.iter().flatten().filter(|path| !krate.files.iter().any(|file| lies_at(file, path)));
    let empty = empty
        .map(|path| format!("{LAYERS}: the layers of {} name `{path}`, where no file is. Remove it.", krate.folder));
    without.chain(empty).collect()
}

/// No circle is left in `edges`, apart from the allowed ones.
fn no_circles(krate: &Crate, layers: &Layers, mut edges: Edges) -> Vec<String> {
    // Exceptions also apply within a layer.
    for circle in circles(&edges) {
        edges.retain(|(from, to), _| {
            !(circle.contains(from) && circle.contains(to) && layers.excepts(&krate.files[*from], &krate.files[*to]))
        });
    }
    for circle in circles(&edges) {
        layers.allows_circles(&circle.iter().map(|file| krate.files[*file].as_str()).collect::<Vec<_>>());
    }
    // A folder that may contain circles counts as one file: its first one.
    let whole = |file: usize| {
        let folder = layers.circle_around(&krate.files[file]);
        folder.and_then(|folder| krate.files.iter().position(|other| lies_at(other, folder))).unwrap_or(file)
    };
    let mut contracted = Edges::new();
    for ((from, to), names) in &edges {
        if whole(*from) != whole(*to) {
            contracted.entry((whole(*from), whole(*to))).or_default().extend(names.clone());
        }
    }
    let describe_all = |contracted: (usize, usize)| -> String {
        let originals = edges.iter().filter(|((from, to), _)| (whole(*from), whole(*to)) == contracted);
        originals.map(|((from, to), names)| format!("\n    {}", describe(krate, *from, *to, names))).collect()
    };
    let describe_circle = |circle: &Vec<usize>| {
        let inner = within(&contracted, circle);
        let steps: String = shortest(&inner, circle).windows(2).map(|pair| describe_all((pair[0], pair[1]))).collect();
        let cut: String = feedback(&inner).0.into_iter().map(describe_all).collect();
        let files: Vec<&str> = circle.iter().map(|file| krate.files[*file].as_str()).collect();
        format!(
            "{}/src/: {} files use each other in circles: {}. One circle is:{steps}\n  Without these uses no circle is \
             left, so move the used items to a file below both, or unite the files:{cut}",
            krate.folder,
            files.len(),
            files.join(", "),
        )
    };
    circles(&contracted).iter().map(describe_circle).collect()
}

/// The start of a message: where a file uses names, and where they are defined.
fn describe(krate: &Crate, from: usize, to: usize, names: &BTreeMap<String, usize>) -> String {
    let line = names.values().min().copied().unwrap_or_default();
    let listed: Vec<String> = names.keys().map(|name| format!("`{name}`")).collect();
    let (folder, from, to) = (&krate.folder, &krate.files[from], &krate.files[to]);
    format!("{folder}/src/{from}:{line}: uses {}, defined in src/{to}", listed.join(", "))
}

/// The table of crates lists exactly the folders in `folders`.
pub(crate) fn crate_table(listed: &[String], folders: &[String]) -> Vec<String> {
    let missing = folders.iter().filter(|folder| !listed.contains(folder)).map(|folder| {
        format!("{folder}/Cargo.toml:1: the table of crates in ARCHITECTURE.md has no row `{folder}`. Add one.")
    });
    let gone = listed.iter().filter(|name| !folders.contains(name)).map(|name| {
        format!("ARCHITECTURE.md: the table of crates has a row `{name}`, and there is no such folder. Remove it.")
    });
    missing.chain(gone).collect()
}

/// A file is not too long, and its first line states its job.
pub(crate) fn file(path: &str, text: &str) -> Vec<String> {
    let mut failures = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        failures.push(format!(
            "{path}:{lines}: the file has more than {MAX_LINES} lines. Divide it by its jobs, each in a file of its own.",
        ));
    }
    if !text.starts_with("//! ") {
        failures.push(format!("{path}:1: the first line is not a `//!` comment. Begin the file with its job."));
    }
    failures
}

/// The words with which the type of a key is a text, or begins with one. Texts of the program itself are `&'static str`.
const TEXTS: [&str; 11] =
    ["str", "&str", "[u8]", "String", "Str", "Box<str>", "Arc<str>", "Rc<str>", "Cow<", "&[u8]", "Vec<u8>"];

/// A table with keys that are texts has seeds: the author of a file can choose texts that have one hash without them.
pub(crate) fn unseeded_tables(path: &str, text: &str) -> Vec<String> {
    let tables = ["FxHashMap<", "FxHashSet<", "FxIndexMap<", "FxIndexSet<"];
    let lines = (1..).zip(text.lines().map(str::trim_start)).filter(|(_, line)| !line.starts_with("//"));
    let faults = lines.filter(|(_, line)| {
        let keys = tables.iter().flat_map(|table| line.split(table).skip(1)).map(|key| key.trim_start_matches('('));
        let is_text = |key: &str| {
            let key = key
                .strip_prefix("&'")
                .and_then(|key| key.split_once(' '))
                .map_or(key, |(lifetime, rest)| if lifetime == "static" { "" } else { rest });
            let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            TEXTS.iter().any(|word| key.strip_prefix(word).is_some_and(|rest| word.ends_with('<') || ends(rest)))
        };
        keys.into_iter().any(is_text)
    });
    let message = |number| {
        format!(
            "{path}:{number}: the keys of a table are texts, and the table has no seeds. Use `object_core::table`, or keys \
             `&'static str` if the program itself has the texts."
        )
    };
    faults.map(|(number, _)| message(number)).collect()
}
