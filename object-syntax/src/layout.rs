//! [`Layout`]: the pieces of a text with its spaces, as a document that fits into lines.

use object_core::print::Path;
use object_format::{Gap, is_name_part, stands_alone};
use pretty::{Arena, DocAllocator, DocBuilder};

use crate::token::{Class, Literals, ends_value};

/// A document whose pieces know the places that they show.
pub(crate) type Doc<'a> = DocBuilder<'a, Arena<'a, Path>, Path>;

/// The spaces of a level of indentation.
pub(crate) const INDENT: isize = 4;

/// The last token of a text, which decides whether the next one needs a space in front.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastToken {
    text: String,
    ends_value: bool,
}

impl LastToken {
    /// Whether a number with a sign after this token would be an operand of an operator.
    pub(crate) fn ends_value(&self) -> bool {
        self.ends_value
    }

    /// Whether `next` needs a space in front: together, the two would be other tokens.
    fn sticks_to(&self, next: &str, literals: &Literals, comment: &str) -> bool {
        let (Some(last), Some(first)) = (self.text.chars().next_back(), next.chars().next()) else { return false };
        let is_quote = |c: char| matches!(c, '"' | '`');
        if is_name_part(last) && (is_name_part(first) || first == '"') {
            return true;
        }
        if stands_alone(last) || stands_alone(first) || is_quote(last) || is_quote(first) {
            return false;
        }
        // A dot after a number begins its fraction, and after a word the rest of a longer word.
        if is_name_part(last) && first == '.' {
            return self.text.starts_with(|c: char| c.is_ascii_digit())
                || literals.has_word_from(&format!("{}.", self.text));
        }
        let both = format!("{}{next}", self.text);
        let is_comment = !comment.is_empty() && both.contains(comment);
        let is_sign = !is_name_part(last) && last != '%';
        is_comment || (is_sign && !is_name_part(first)) || (last == '-' || last == '%') && first.is_ascii_digit()
    }
}

/// Pieces of a text, one after the other.
pub(crate) struct Layout<'a> {
    arena: &'a Arena<'a, Path>,
    /// The lines: the levels of indentation of each, and its document.
    lines: Vec<(usize, Doc<'a>)>,
    /// The space before the next piece.
    gap: Option<Space>,
    /// The levels of indentation of the line around the pieces.
    base: usize,
    is_empty: bool,
    /// The spaces of a level of indentation here.
    unit: isize,
}

/// The space before a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    /// A space, or a line break in a text that does not fit into its line.
    Soft,
    /// A space.
    Hard,
    /// A line break with levels of indentation after it.
    Line(usize),
}

impl From<Gap> for Space {
    fn from(gap: Gap) -> Self {
        match gap {
            Gap::Space => Space::Hard,
            Gap::Line(depth) => Space::Line(depth),
        }
    }
}

impl<'a> Layout<'a> {
    pub(crate) fn new(arena: &'a Arena<'a, Path>, base: usize, unit: isize) -> Self {
        Layout { arena, lines: vec![(base, arena.nil())], gap: None, base, is_empty: true, unit }
    }

    /// The levels of indentation of the current line.
    pub(crate) fn depth(&self) -> usize {
        self.lines.last().map_or(self.base, |(depth, _)| *depth)
    }

    /// The levels of indentation of the line that the next piece begins.
    pub(crate) fn pending_depth(&self) -> Option<usize> {
        match self.gap {
            Some(Space::Line(depth)) => Some(depth),
            _ => None,
        }
    }

    /// The next piece comes after this space.
    pub(crate) fn space(&mut self, space: Space) {
        self.gap = Some(match (self.gap, space) {
            // A line break is stronger than a space, and the last one counts.
            (Some(line @ Space::Line(_)), Space::Soft | Space::Hard) => line,
            _ => space,
        });
    }

    /// A blank line stands before the next piece, which begins a line.
    pub(crate) fn blank_line(&mut self) {
        if let Some((depth, line)) = self.lines.pop() {
            self.lines.push((depth, line.append(self.arena.hardline())));
        }
    }

    /// Adds a piece.
    pub(crate) fn piece(&mut self, piece: Doc<'a>) {
        let gap = self.gap.take().filter(|_| !self.is_empty);
        self.is_empty = false;
        if let Some(Space::Line(depth)) = gap {
            self.lines.push((depth.max(self.base), piece));
            return;
        }
        let space = match gap {
            Some(Space::Soft) => self.arena.line(),
            Some(_) => self.arena.space(),
            None => self.arena.nil(),
        };
        if let Some((depth, line)) = self.lines.pop() {
            self.lines.push((depth, line.append(space).append(piece)));
        }
    }

    /// The document of all pieces.
    pub(crate) fn finish(self) -> Doc<'a> {
        let mut all = self.arena.nil();
        for (index, (depth, line)) in self.lines.into_iter().enumerate() {
            if index == 0 {
                all = line;
                continue;
            }
            let levels = isize::try_from(depth - self.base).unwrap_or(0);
            all = all.append(self.arena.hardline().append(line).nest(self.unit * levels));
        }
        all
    }
}

/// A list in brackets: on one line, or with one element in each line between the brackets.
pub(crate) fn spread<'a>(arena: &'a Arena<'a, Path>, items: Doc<'a>, unit: isize) -> Doc<'a> {
    arena.line_().append(items).nest(unit).append(arena.line_())
}

/// A token, with a space in front if it would be one token with the token before it.
pub(crate) fn token<'a>(
    arena: &'a Arena<'a, Path>,
    last: &mut LastToken,
    is_after_space: bool,
    (text, class, is_reserved): (&str, Class, bool),
    (literals, comment): (&Literals, &str),
) -> Doc<'a> {
    let needs_space = !is_after_space && last.sticks_to(text, literals, comment);
    *last = LastToken { text: text.to_owned(), ends_value: ends_value(class, text, is_reserved) };
    let token = arena.text(text.to_owned());
    if needs_space { arena.space().append(token) } else { token }
}
