//! [`counted`].

/// A number of things in words.
///
/// ```
/// assert_eq!([0, 1, 2].map(|count| object_core::counted(count, "error")), ["0 errors", "1 error", "2 errors"]);
/// ```
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
