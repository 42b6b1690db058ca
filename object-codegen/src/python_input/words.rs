//! The ends of messages about unknown words.

use object_core::nearest;

/// `, did you mean `x`?` with the nearest candidate, or the list of the candidates.
pub(super) fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if candidates.is_empty() => String::new(),
        None => format!("; expected one of {}", backticked(candidates)),
    }
}

/// `; did you mean `x`?` with the nearest candidate, if one is near.
pub(super) fn near_name<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The names in backticks, with commas between them.
pub(super) fn backticked(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// A text of the file for a message, without its end if it is long.
pub(super) fn brief(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
