//! [`Shift`]: the facts about a text after an edit that breaks the syntax of one function, until it is mended.

use std::ops::Range;
use std::sync::Arc;

use ruff_text_size::{TextRange, TextSize};

use crate::editor::facts::{Facts, NameAt, OutlineEntry, Problem};
use crate::editor::reading::{PlacedFunction, Reading};

/// An edit of a text: the bytes before it stay, and the bytes after it move.
pub(super) struct Shift {
    /// The bytes before the edit.
    pub(super) before: usize,
    /// The first byte after the edit, in the old text.
    pub(super) after: usize,
    pub(super) old_length: usize,
    pub(super) new_length: usize,
}

impl Shift {
    /// The smallest edit between two texts.
    pub(super) fn between(old: &str, new: &str) -> Self {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let before = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - before;
        let kept = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
        Shift { before, after: old.len() - kept, old_length: old.len(), new_length: new.len() }
    }

    /// The place in the new text of a byte of the old one; `None` inside of the edit.
    pub(super) fn offset(&self, offset: usize) -> Option<usize> {
        if offset <= self.before {
            Some(offset)
        } else if offset >= self.after {
            Some(offset + self.new_length - self.old_length)
        } else {
            None
        }
    }

    fn range(&self, range: &Range<usize>) -> Option<Range<usize>> {
        Some(self.offset(range.start)?..self.offset(range.end)?)
    }

    /// The range of a name, which the edit does not touch.
    fn name(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let touches = range.start <= self.after && self.before <= range.end;
        if touches { None } else { self.range(range) }
    }

    fn text_range(&self, range: TextRange) -> Option<TextRange> {
        let range = self.range(&(range.start().to_usize()..range.end().to_usize()))?;
        Some(TextRange::new(TextSize::try_from(range.start).ok()?, TextSize::try_from(range.end).ok()?))
    }

    /// The facts about `text` that follow from the text before, with the errors of the syntax. `None` unless the edit is inside of one
    /// function, after its name.
    pub(super) fn reading(&self, text: &str, last: &Reading, faults: Vec<Problem>) -> Option<Reading> {
        let is_edited = |it: &PlacedFunction| {
            let (range, (from, to)) = (it.read.range, it.starts());
            let name = it.facts.outline.name_range.end - from + to;
            name < self.before && self.after <= range.end().to_usize()
        };
        let edited = last.functions.iter().find(|it| is_edited(it))?;
        let place = self.text_range(edited.read.range)?;
        let place = place.start().to_usize()..place.end().to_usize();
        let is_own = |fault: &Problem| place.start <= fault.range.start && fault.range.start <= place.end;
        // Errors after the function follow from the ones in it.
        let mut problems: Vec<Problem> = faults.iter().filter(|it| is_own(it)).cloned().collect();
        if problems.is_empty() {
            problems.extend(faults.into_iter().take(1));
        }
        let old = &last.facts;
        problems.extend(old.problems.iter().filter_map(|it| self.problem(it)).filter(|it| !is_own(it)));
        problems.sort_by_key(|it| (it.range.start, it.range.end));
        let mut facts = Facts { problems, ..Facts::default() };
        let name = |it: &NameAt| Some(NameAt { range: self.name(&it.range)?, definition: self.offset(it.definition)? });
        facts.names = old.names.iter().filter_map(name).collect();
        // A name whose definition the edit removes means nothing now.
        let definitions: std::collections::BTreeSet<usize> =
            facts.names.iter().filter(|it| it.is_definition()).map(|it| it.range.start).collect();
        facts.names.retain(|it| definitions.contains(&it.definition));
        facts.outline = old.outline.iter().filter_map(|it| self.entry(it)).collect();
        facts.folds = old.folds.iter().filter_map(|it| self.range(it)).collect();
        facts.hints = old.hints.iter().filter_map(|(at, hint)| Some((self.offset(*at)?, hint.clone()))).collect();
        let functions = last.functions.iter().filter_map(|it| self.function(it, is_edited(it))).collect();
        let outer = last.outer.iter().filter_map(|(range, it)| Some((self.name(range)?, it.clone()))).collect();
        let facts = Arc::new(facts);
        Some(Reading { text: text.to_owned(), facts, functions, outer, prefixes: last.prefixes.clone() })
    }

    fn problem(&self, it: &Problem) -> Option<Problem> {
        let range = self.range(&it.range)?;
        let related = it.related.iter().filter_map(|(range, message)| Some((self.range(range)?, message.clone())));
        let fix = it.fix.as_ref().and_then(|(range, text)| Some((self.range(range)?, text.clone())));
        Some(Problem { range, related: related.collect(), fix, ..it.clone() })
    }

    fn entry(&self, it: &OutlineEntry) -> Option<OutlineEntry> {
        let (range, name_range) = (self.range(&it.range)?, self.name(&it.name_range)?);
        let children = it.children.iter().filter_map(|child| self.entry(child)).collect();
        Some(OutlineEntry { range, name_range, children, ..it.clone() })
    }

    /// A function of the new text. The edited one has the names before the edit.
    fn function(&self, it: &PlacedFunction, is_edited: bool) -> Option<PlacedFunction> {
        let (from, to) = it.starts();
        let mut read = it.read.clone();
        read.range = self.text_range(read.range)?;
        let outer = it.facts.names.iter().filter(|name| !it.read.log.range.contains_range(name.definition));
        let moved = outer.filter_map(|name| Some((name.definition, self.text_range(it.definition(name.definition)?)?)));
        read.moved = Some(moved.collect());
        let mut facts = it.facts.clone();
        if is_edited {
            read.value = None;
            let own = Arc::make_mut(&mut facts);
            own.names.retain(|name| name.range.end().to_usize() - from + to < self.before);
        }
        Some(PlacedFunction { read, facts })
    }
}
