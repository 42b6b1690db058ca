//! The words that the pages show, in one table: this crate writes some of them, and the programs of the pages the others.

use serde_json::{Map, Value};

/// The class of an edit or of a section, which is also the key of its words.
pub(super) const ADDED: &str = "added";
pub(super) const REMOVED: &str = "removed";
pub(super) const CHANGED: &str = "changed";
pub(super) const MOVED: &str = "moved";
pub(super) const RENAMED: &str = "renamed";
pub(super) const WRAPPED: &str = "wrapped";
pub(super) const UNWRAPPED: &str = "unwrapped";
pub(super) const EQUAL: &str = "equal";
pub(super) const EQUAL_LINES: &str = "equalLines";
pub(super) const LEFT_OUT: &str = "leftOut";

const WORDS: [(&str, &str); 27] = [
    (ADDED, "on the right only"),
    (REMOVED, "on the left only"),
    (CHANGED, "different"),
    (MOVED, "moved"),
    (RENAMED, "renamed"),
    (WRAPPED, "wrapped"),
    (UNWRAPPED, "unwrapped"),
    (EQUAL, "equal"),
    (EQUAL_LINES, "equal lines"),
    (LEFT_OUT, "Further lines are not on the page, because it has too many of them."),
    ("note", "note"),
    ("noun", "difference"),
    ("of", "of"),
    ("path", "path"),
    ("type", "type"),
    ("keys", "keys"),
    ("close", "close"),
    ("next", "next difference"),
    ("previous", "previous difference"),
    ("nextPass", "next pass"),
    ("previousPass", "previous pass"),
    ("search", "go to the search"),
    ("help", "show the keys"),
    ("hide", "hide what the page says about a place"),
    ("collapse", "collapse all sections"),
    ("expand", "expand all sections"),
    ("blame", "click: the pass that introduced this line"),
];

/// The word with this key.
pub(super) fn word(key: &str) -> &str {
    WORDS.iter().find(|(it, _)| *it == key).map_or(key, |(_, word)| word)
}

/// All words for the program of a page, with other ones for the keys of `own`.
pub(super) fn words(own: &[(&str, &str)]) -> Value {
    let words = WORDS.iter().chain(own);
    words.map(|(key, word)| ((*key).to_owned(), Value::from(*word))).collect::<Map<_, _>>().into()
}
