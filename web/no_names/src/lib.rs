//! Stands in for the crate `unicode_names2` in the module of the page without `run`, of which its table would be a fifth.

/// The character with this name: none. A script with such a name is then an error, and the page asks the module with the table.
#[must_use]
pub fn character(_name: &str) -> Option<char> {
    None
}
