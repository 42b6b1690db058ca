//! [`SourceText`]: a file with the line ends of `\n`, which the rest of formatting expects.

use std::ops::Range;

/// A file with its line ends as `\n` and without the mark of its encoding, and the way back.
pub(super) struct SourceText<'a> {
    given: &'a str,
    /// The text with `\n` at the end of each line.
    pub(super) text: String,
    /// The bytes of the mark.
    mark: usize,
    /// The line ends of the text that are two characters in the file.
    pairs: Vec<usize>,
}

impl<'a> SourceText<'a> {
    pub(super) fn new(given: &'a str) -> Self {
        let content = given.strip_prefix('\u{feff}').unwrap_or(given);
        let (mut text, mut pairs) = (String::with_capacity(content.len()), Vec::new());
        let mut chars = content.chars().peekable();
        while let Some(char) = chars.next() {
            if char == '\r' && chars.next_if_eq(&'\n').is_some() {
                pairs.push(text.len());
            }
            text.push(if char == '\r' { '\n' } else { char });
        }
        SourceText { given, text, mark: given.len() - content.len(), pairs }
    }

    /// The place in the file of a place in the text.
    pub(super) fn given_offset(&self, offset: usize) -> usize {
        self.mark + offset + self.pairs.partition_point(|pair| *pair < offset)
    }

    /// The file with other texts at some places. Such a text gets the line ends of its place; the rest stays as it is.
    pub(super) fn with_changes(&self, changes: impl IntoIterator<Item = (Range<usize>, String)>) -> String {
        let (mut result, mut end) = (String::with_capacity(self.given.len()), 0);
        for (range, text) in changes {
            let start = self.given_offset(range.start);
            result.push_str(&self.given[end..start]);
            match self.line_end(range.start) {
                "\n" => result.push_str(&text),
                line_end => result.push_str(&text.replace('\n', line_end)),
            }
            end = self.given_offset(range.end);
        }
        result.push_str(&self.given[end..]);
        result
    }

    /// The end of the line around a place of the text.
    fn line_end(&self, offset: usize) -> &'a str {
        let line_end = self.text[offset..].find('\n').map(|length| self.given_offset(offset + length));
        match line_end.map(|at| &self.given[at..]) {
            Some(rest) if rest.starts_with("\r\n") => "\r\n",
            Some(rest) if rest.starts_with('\r') => "\r",
            _ => "\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_the_line_ends_of_their_places() {
        let given = "\u{feff}a\r\nb\nc\rd\re\r\n";
        let source = SourceText::new(given);
        assert_eq!(source.text, "a\nb\nc\nd\ne\n");
        assert_eq!(source.with_changes([]), given);
        let changed = |range| source.with_changes([(range, "1\n2".to_owned())]);
        assert_eq!(changed(0..1), "\u{feff}1\r\n2\r\nb\nc\rd\re\r\n");
        assert_eq!(changed(2..5), "\u{feff}a\r\n1\n2\rd\re\r\n");
        assert_eq!(changed(4..9), "\u{feff}a\r\nb\n1\r2\r\n");
        assert_eq!((source.given_offset(0), source.given_offset(2), source.given_offset(9)), (3, 6, 13));
    }
}
