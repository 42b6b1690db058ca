//! The end of messages about unknown names: the nearest known name, or a list of the known names.

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

/// The names in backticks, with commas between them.
pub(crate) fn backticked<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The candidate with the smallest edit distance to `word`, if the distance is at most a third of the length of `word`.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len().abs_diff(word.len()) <= limit)
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance over characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_near_names_only() {
        assert_eq!(nearest("relax.ad", ["relax.add", "relax.abs"]), Some("relax.add"));
        assert_eq!(nearest("xyz", ["relax.add"]), None);
        assert_eq!(did_you_mean("nme", ["name"]), ", did you mean `name`?");
        assert_eq!(did_you_mean("value", ["name"]), "");
        assert_eq!(did_you_mean_or("value", ["name"], || backticked(["name", "doc"])), "`name`, `doc`");
    }
}
