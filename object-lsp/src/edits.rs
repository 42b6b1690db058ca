//! Changes of a text: the least ones between two texts, and the check of a rename.

use std::collections::BTreeMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::analysis::{Analysis, Severity};

/// A piece of a text with its replacement.
pub(crate) type Edit = (Range<usize>, String);

/// The lines of `before` that differ from `after`, with their replacements.
pub(crate) fn between(before: &str, after: &str) -> Vec<Edit> {
    let input = InternedInput::new(before, after);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let starts = |text: &str| {
        let mut starts = vec![0];
        starts.extend(text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        }));
        starts
    };
    let (old, new) = (starts(before), starts(after));
    let range = |starts: &[usize], lines: &Range<u32>| {
        let at = |line: u32| starts.get(line as usize).or(starts.last()).copied().unwrap_or(0);
        at(lines.start)..at(lines.end)
    };
    let edit = |hunk: imara_diff::Hunk| (range(&old, &hunk.before), after[range(&new, &hunk.after)].to_owned());
    diff.hunks().map(edit).collect()
}

/// The text after edits, which are in the order of the text and do not overlap.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for (range, replacement) in edits {
        result.push_str(&text[at..range.start]);
        result.push_str(replacement);
        at = range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Checks that each name means after a rename what it meant before. `edits` are the places of the renamed declaration, and `after`
/// are the facts about the text after them.
///
/// # Errors
/// A message that says why not.
pub(crate) fn check_rename(before: &Analysis, after: &Analysis, edits: &[Edit]) -> Result<(), String> {
    let captured = || Err("with this name, a name in the text would mean another variable, or nothing".to_owned());
    let errors = |analysis: &Analysis| analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
    if before.occurrences.len() != after.occurrences.len() {
        return captured();
    }
    let mut edits = edits.iter().peekable();
    // The bytes by which the text before a name grew.
    let mut added = 0isize;
    let (mut forth, mut back) = (BTreeMap::new(), BTreeMap::new());
    for (old, new) in before.occurrences.iter().zip(&after.occurrences) {
        let mut range = old.range.start.wrapping_add_signed(added)..old.range.end.wrapping_add_signed(added);
        if let Some((replaced, text)) = edits.next_if(|(replaced, _)| *replaced == old.range) {
            added += text.len() as isize - replaced.len() as isize;
            range.end = range.start + text.len();
        }
        let is_same = range == new.range && old.role == new.role;
        let is_one = *forth.entry(old.declaration).or_insert(new.declaration) == new.declaration
            && *back.entry(new.declaration).or_insert(old.declaration) == old.declaration;
        if !is_same || !is_one {
            return captured();
        }
    }
    match errors(before) < errors(after) {
        true => Err("the text would have further mistakes".to_owned()),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_the_lines_that_differ() {
        let cases = [
            ("", "", 0),
            ("a\n", "a\n", 0),
            ("a\nb\nc\n", "a\nx\nc\n", 1),
            ("a\nb\nc\nd\ne", "b\nc\nd\ne\nf", 2),
            ("a", "a\n", 1),
            ("", "ä\r\nb", 1),
            ("a\nb", "", 1),
        ];
        for (before, after, count) in cases {
            let edits = between(before, after);
            assert_eq!(apply(before, &edits), after);
            assert_eq!(edits.len(), count, "{before:?} {after:?}");
        }
    }
}
