//! [`Occurrence`]: a name at a place of a text; the log of all of them, which a reader keeps for editors.

use std::ops::Range;

use object_core::object::TypeInfo;

/// A name at a place of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The number of the declaration that the name means. All names of one declaration have the same number.
    pub declaration: usize,
    /// Whether the name is introduced here.
    pub is_definition: bool,
}

/// The place where a name is introduced.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// The bytes of the object that the name stands for.
    pub(crate) range: Range<usize>,
    pub(crate) info: &'static TypeInfo,
}

/// The names of a text in the order in which they are resolved.
#[derive(Debug, Default)]
pub(crate) struct OccurrenceLog {
    is_kept: bool,
    pub(crate) occurrences: Vec<Occurrence>,
    /// The declarations by their numbers; `None` for a free variable.
    pub(crate) declarations: Vec<Option<Declaration>>,
}

impl OccurrenceLog {
    /// An empty log. Without `is_kept`, it stays empty.
    pub(crate) fn new(is_kept: bool) -> Self {
        OccurrenceLog { is_kept, ..OccurrenceLog::default() }
    }

    /// The number of a new declaration.
    pub(crate) fn declare(&mut self, declaration: Option<Declaration>) -> usize {
        if self.is_kept {
            self.declarations.push(declaration);
        }
        self.declarations.len().saturating_sub(1)
    }

    pub(crate) fn add(&mut self, range: &Range<usize>, declaration: usize, is_definition: bool) {
        if self.is_kept {
            self.occurrences.push(Occurrence { range: range.clone(), declaration, is_definition });
        }
    }

    /// The occurrences in the order of the text `source`, with whole ranges.
    pub(crate) fn sorted(mut self, source: &str) -> (Vec<Occurrence>, Vec<Option<Declaration>>) {
        for it in &mut self.occurrences {
            if it.range.is_empty() {
                let digits = source[it.range.start..].bytes().skip(1).take_while(u8::is_ascii_digit).count();
                it.range.end = it.range.start + 1 + digits;
            }
        }
        self.occurrences.sort_by_key(|it| it.range.start);
        (self.occurrences, self.declarations)
    }
}
