//! Facts that are not checked or do not hold here, with reasons.

use std::collections::HashMap;

/// Reasons by fact id or by kind.
#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    reasons: HashMap<String, String>,
}

impl Exceptions {
    /// The exceptions of this project, in `tests/data/corpus_exceptions.txt` and `tests/data/op/deviations.txt`.
    ///
    /// # Errors
    /// Like [`parse`](Self::parse).
    pub fn listed() -> Result<Self, String> {
        let files = [include_str!("../../data/corpus_exceptions.txt"), include_str!("../../data/op/deviations.txt")];
        Self::parse(&files.join("\n"))
    }

    /// Parses `text`. A line is fact ids or kinds (`roundtrip/script`) with spaces between them, a tab, and the reason.
    /// Empty lines and lines that begin with `#` do not count.
    ///
    /// # Errors
    /// Names the line that has no reason or repeats another.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reasons = HashMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let (key, reason) = line.split_once('\t').unwrap_or((line, ""));
            if reason.trim().is_empty() {
                return Err(format!("exceptions, line {}: `{key}` has no reason; write it after a tab", index + 1));
            }
            for key in key.split_whitespace() {
                if reasons.insert(key.to_owned(), reason.to_owned()).is_some() {
                    return Err(format!("exceptions, line {}: `{key}` is listed twice", index + 1));
                }
            }
        }
        Ok(Exceptions { reasons })
    }

    /// Why the fact or kind is an exception, if it is one.
    #[must_use]
    pub fn reason(&self, id_or_kind: &str) -> Option<&str> {
        self.reasons.get(id_or_kind).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::Exceptions;

    #[test]
    fn the_listed_exceptions_are_well_formed() {
        assert!(Exceptions::listed().is_ok());
    }

    #[test]
    fn each_line_has_a_reason_and_its_own_key() {
        let exceptions = Exceptions::parse("# why\n\n0a 0c\ta reason\nprint\tlater\n").unwrap_or_default();
        assert_eq!((exceptions.reason("0a"), exceptions.reason("0b")), (Some("a reason"), None));
        assert_eq!(exceptions.reason("0c"), Some("a reason"));
        let message = |text| Exceptions::parse(text).err().unwrap_or_default();
        assert_eq!(message("0a"), "exceptions, line 1: `0a` has no reason; write it after a tab");
        assert_eq!(message("0a\tx\n0a\ty"), "exceptions, line 2: `0a` is listed twice");
    }
}
