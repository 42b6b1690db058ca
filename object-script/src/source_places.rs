//! [`SourcePlaces`]: the pieces of a script, as somebody wrote it, that show the places of its value.

use std::ops::Range;

use object_core::LineIndex;
use object_core::access_path::AccessPath;

use crate::parse::Errors;
use crate::print::Script;
use crate::statements::{Statement, Statements, counterparts};

/// The pieces of a script, as somebody wrote it, that show the places of its value.
///
/// The printer knows the place of each of its pieces. The statements of both texts form pairs, and a piece of a statement
/// is the same piece of the other one, whatever its white space. Where a text differs more, the whole statement shows the
/// place. A value inside of an expression, which the printer binds to a variable of its own, belongs to the next statement.
///
/// ```
/// use object_core::access_path::AccessStep;
/// use object_script::{SourcePlaces, parse::parse, print::print};
///
/// let source = "@R.function\ndef main(x: R.Tensor((2, 3), 'float32')):\n    return R.exp( R.sin(x) )\n";
/// let value = parse(source)?;
/// let script = print(&value);
/// let places = SourcePlaces::new(source, &script)?;
/// // The printer writes `lv = R.sin(x)` and `gv = R.exp(lv)`.
/// let path = script.path_at(script.text().find("R.sin").expect("a call")).expect("a place");
/// let piece = places.piece_of(&path).expect("a piece");
/// assert_eq!((&source[piece], places.line_column_of(&path)), ("R.sin", Some((3, 19))));
/// # Ok::<(), object_script::parse::Errors>(())
/// ```
pub struct SourcePlaces<'a> {
    source: &'a str,
    lines: LineIndex<&'a str>,
    script: &'a Script,
    given: Statements,
    printed: Statements,
    /// For each printed statement, the given one.
    pairs: Vec<Option<usize>>,
}

impl<'a> SourcePlaces<'a> {
    /// The pieces of `source`. `script` is its value as the printer writes it.
    ///
    /// # Errors
    /// The errors of the syntax of `source`.
    pub fn new(source: &'a str, script: &'a Script) -> Result<Self, Errors> {
        let given = Statements::of(source).map_err(|errors| Errors::new(errors, source))?;
        // A printed text without a syntax, such as the text of an object that no language has, has no statements.
        let printed = Statements::of(script.text()).unwrap_or_default();
        let pairs = counterparts(&printed, &given);
        Ok(SourcePlaces { source, lines: LineIndex::new(source), script, given, printed, pairs })
    }

    /// The text that somebody wrote.
    #[must_use]
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// The bytes of the source that show the place `path`, or the innermost place around it. `None` if the source shows no
    /// such place.
    #[must_use]
    pub fn piece_of(&self, path: &AccessPath) -> Option<Range<usize>> {
        let piece = self.script.pieces_of(path).into_iter().next()?;
        // Comments precede the first statement.
        let first = || self.printed.all.iter().position(|it| piece.contains(&it.start) && !it.is_import);
        let number = self.printed.around(piece.start).or_else(first)?;
        let Counterpart { given, end } = self.counterpart(number)?;
        let statement = &self.given.all[given];
        let start = self.printed.all[number].start;
        let same = end.and_then(|end| {
            let whole = self.same_piece(&(start..end), &piece, statement);
            whole.or_else(|| self.same_piece(&(start..end), &self.leading_name(start, &piece)?, statement))
        });
        Some(same.unwrap_or_else(|| self.header(statement)))
    }

    /// The line and the column of the piece that shows `path`, counted from 1; the column counts characters.
    #[must_use]
    pub fn line_column_of(&self, path: &AccessPath) -> Option<(usize, usize)> {
        Some(self.lines.line_column(self.piece_of(path)?.start))
    }

    /// The counterpart of a printed statement: its pair, or else the pair of the next statement of the block that has one, or
    /// else the counterpart of the statement around it.
    fn counterpart(&self, number: usize) -> Option<Counterpart> {
        let parent = self.printed.all[number].parent;
        let rest = self.printed.children(parent).iter().filter(|it| **it >= number);
        for printed in rest {
            if let Some(given) = self.pairs[*printed] {
                return Some(Counterpart { given, end: Some(self.printed.all[*printed].header_end) });
            }
        }
        Some(Counterpart { end: None, ..self.counterpart(parent?)? })
    }

    /// The part of a given statement before its inner statements.
    fn header(&self, statement: &Statement) -> Range<usize> {
        let text = &self.source[statement.start..statement.header_end];
        statement.start..statement.start + text.trim_end().len()
    }

    /// The name at the start of a piece, unless a statement starts with the piece.
    fn leading_name(&self, start: usize, piece: &Range<usize>) -> Option<Range<usize>> {
        let text = &self.script.text()[piece.clone()];
        let length = text.find(|char: char| !(is_of_name(char) || char == '.')).unwrap_or(text.len());
        (length > 0 && start != piece.start).then_some(piece.start..piece.start + length)
    }

    /// The piece of a given statement with the text of a piece of the printed text, of which `printed` has the same value. If
    /// there are several, it is the one with the same number of them after it, because texts differ more in the annotations
    /// of variables than in values.
    fn same_piece(&self, printed: &Range<usize>, piece: &Range<usize>, given: &Statement) -> Option<Range<usize>> {
        let text = self.script.text();
        let wanted = text.get(piece.clone())?;
        let in_printed = occurrences(text.get(printed.clone())?, wanted);
        let after = in_printed.iter().filter(|it| printed.start + it.start > piece.start).count();
        let mut in_given = occurrences(&self.source[given.start..given.header_end], wanted);
        in_given.truncate(in_given.len().checked_sub(after)?);
        in_given.pop().map(|it| given.start + it.start..given.start + it.end)
    }
}

/// The given statement for a printed one.
struct Counterpart {
    given: usize,
    /// The end of the printed text, from the printed statement on, that has the value of the given statement. `None` if the given
    /// statement is the counterpart of a statement around the printed one.
    end: Option<usize>,
}

/// Whether a name of Python can have the character.
fn is_of_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The occurrences of `wanted` in `text`, whatever the white space of either. An occurrence is not a part of a longer name.
fn occurrences(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let written =
        |text: &str| -> Vec<(usize, char)> { text.char_indices().filter(|(_, it)| !it.is_whitespace()).collect() };
    let (text_chars, wanted) = (written(text), written(wanted));
    let (Some((_, first)), Some((_, last))) = (wanted.first(), wanted.last()) else { return Vec::new() };
    let mut found = Vec::new();
    for (at, window) in text_chars.windows(wanted.len()).enumerate() {
        if !window.iter().zip(&wanted).all(|((_, a), (_, b))| a == b) {
            continue;
        }
        let (start, last_char) = (window[0].0, window[window.len() - 1]);
        let end = last_char.0 + last_char.1.len_utf8();
        let goes_on = is_of_name(*last) && text[end..].chars().next().is_some_and(is_of_name);
        let began = at > 0
            && is_of_name(*first)
            && text[..start].chars().next_back().is_some_and(|char| is_of_name(char) || char == '.');
        if !goes_on && !began {
            found.push(start..end);
        }
    }
    found
}
