//! The end of messages about unknown names: the nearest known name, or a list of the known names. The cost and the length
//! are bounded, because names may come from a file.

use super::brief::{brief, brief_to};

/// The number of bytes of the longest name for which the search looks for near names.
const LONGEST: usize = 128;
/// The number of candidates of nearly the same length that the search compares with a name.
const MAX_CANDIDATES: usize = 10_000;
/// The number of characters of the longest list of names.
const LONGEST_LIST: usize = 800;

/// `, did you mean `x`?` with the candidate nearest to `word`; empty if no candidate is near.
pub(crate) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!(", did you mean `{near}`?"))
}

/// `did you mean `x`?` with the candidate nearest to `word`, or the text of `otherwise` if no candidate is near.
pub(crate) fn did_you_mean_or<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    nearest(word, candidates).map_or_else(otherwise, |near| format!("did you mean `{near}`?"))
}

/// The names in backticks, with commas between them. A long list loses its middle.
pub(crate) fn backticked<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let list = names.into_iter().map(|name| format!("`{}`", brief(name))).collect::<Vec<_>>().join(", ");
    brief_to(&list, LONGEST_LIST).to_string()
}

/// The candidate with the smallest edit distance to `word`, if the distance is at most a third of the length of `word`; of
/// several, one with the characters of `word` in another order. A swap of neighbours counts as one edit.
/// A word of more than 128 bytes has no near candidates, and the search compares at most 10,000 candidates.
///
/// ```
/// use object_core::nearest;
///
/// assert_eq!(nearest("matmull", ["matmul", "add"]), Some("matmul"));
/// assert_eq!(nearest("matmull", ["add"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let limit = (word.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit)
        .take(MAX_CANDIDATES)
        .map(|candidate| (strsim::osa_distance(word, candidate), sorted(candidate) != sorted(word), candidate))
        .filter(|(distance, ..)| *distance <= limit)
        .min()
        .map(|(.., candidate)| candidate)
}

/// The characters in the order of their codes.
fn sorted(word: &str) -> Vec<char> {
    let mut chars: Vec<char> = word.chars().collect();
    chars.sort_unstable();
    chars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_near_names_only() {
        assert_eq!(nearest("relax.ad", ["relax.add", "relax.abs"]), Some("relax.add"));
        assert_eq!(nearest("xyz", ["relax.add"]), None);
        assert_eq!(nearest("unit8", ["uint8", "int8"]), Some("uint8"), "a swap is one mistake");
        assert_eq!(nearest("int46", ["int16", "int64"]), Some("int64"), "a swap is likelier than another character");
        assert_eq!(did_you_mean("nme", ["name"]), ", did you mean `name`?");
        assert_eq!(did_you_mean("value", ["name"]), "");
        assert_eq!(did_you_mean_or("value", ["name"], || backticked(["name", "doc"])), "`name`, `doc`");
    }

    #[test]
    fn cost_and_length_are_bounded() {
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        let longest = &long[1..];
        assert_eq!(nearest(longest, [longest]), Some(longest));
        let mut compared = 0;
        let _ = nearest("name", std::iter::repeat_n("nane", 10 * MAX_CANDIDATES).inspect(|_| compared += 1));
        assert_eq!(compared, MAX_CANDIDATES);
        assert!(backticked(std::iter::repeat_n(long.repeat(100).as_str(), 100)).chars().count() <= LONGEST_LIST);
    }
}
