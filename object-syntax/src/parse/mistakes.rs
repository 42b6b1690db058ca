//! Messages about a text that is not of the language, and the places at which a reader goes on after them.

use object_core::diagnostic::{Diagnostic, MAX_ERRORS};
use object_core::{ErrorKind, brief_to, nearest};
use object_format::{Gap, is_word};

use super::{Fields, Parser};
use crate::diagnostic::or_replace_with;
use crate::kind::Kind;
use crate::production::{List, Named};
use crate::token::{Class, LiteralId};

/// The most alternatives that a message lists.
const MAX_EXPECTED: usize = 8;

impl<'t> Parser<'t> {
    /// Reports that the next token cannot stand here, unless the reader is lost already. `kind` is the name of an
    /// expected piece.
    pub(super) fn fail(&mut self, kind: Option<String>) {
        if std::mem::replace(&mut self.is_lost, true) {
            return;
        }
        let token = self.token();
        if token.class == Class::End && self.expected_at_end.is_none() {
            self.expected_at_end = Some(self.expected.clone());
        }
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let given = match token.class {
            Class::End => "the end of the text".to_owned(),
            _ => format!("`{}`", brief_to(self.token_text(), 60)),
        };
        let mut tokens = self.expected.clone();
        let mut kinds = Vec::new();
        for (id, category) in self.grammar.categories.iter().enumerate() {
            if tokens.contains_all(&category.first) {
                kinds.push(self.grammar.describe(&Kind::Object(id)));
                tokens.remove_all(&category.first);
            }
        }
        let words = self.expected.described(&self.grammar.literals);
        let mut expected = tokens.described(&self.grammar.literals);
        expected.splice(..0, kinds);
        let near = nearest(self.token_text(), words.iter().filter_map(|it| it.strip_prefix('`')?.strip_suffix('`')))
            .filter(|near| token.class == Class::Word && token.literal.is_none() && is_word(near))
            .map(str::to_owned);
        if let Some(kind) = kind {
            expected.retain(|it| it == "`None`");
            expected.insert(0, kind);
        }
        let expected = match expected.as_slice() {
            [] => "the end of the text".to_owned(),
            [one] => one.clone(),
            [most @ .., last] if expected.len() <= MAX_EXPECTED => format!("{} or {last}", most.join(", ")),
            many => format!("one of {} and {} others", many[..MAX_EXPECTED].join(", "), many.len() - MAX_EXPECTED),
        };
        let mut range = token.range();
        if token.class == Class::End {
            // The end of the last line is a place that a person can see.
            let end = self.text.trim_end().len();
            range = end..end;
        }
        let error = Diagnostic::new(ErrorKind::Malformed, range, format!("expected {expected}, got {given}"));
        self.report(or_replace_with(error, near));
    }

    pub(super) fn report(&mut self, error: Diagnostic) {
        let is_known = self.errors.last().is_some_and(|last| last.range.start == error.range.start);
        if !is_known && self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
    }

    /// Whether the next token is a word that begins no element of `list`, whose elements stand on lines of their own, and does not
    /// stand after the list either. So it probably begins an element, with a mistake.
    pub(super) fn is_unknown_element(&self, list: &List, end: Option<LiteralId>) -> bool {
        let token = self.token();
        let is_unknown = token.class == Class::Word && token.literal.is_none();
        is_unknown
            && end.is_some()
            && matches!(list.gap, Some(Gap::Line(_)))
            && !list.first.contains(&token, &self.grammar.literals)
    }

    /// Skips the rest of an element of `list` with a mistake. Then the next token separates or ends the list, or begins an
    /// element on a new line.
    pub(super) fn recover(&mut self, list: &List, end: Option<LiteralId>) {
        let mut depth = 0usize;
        // Whether the token before this one ends an element.
        let mut is_after_end = false;
        loop {
            let token = self.token();
            let text = self.token_text();
            if token.class == Class::End {
                return;
            }
            let begins_line = || {
                let before = self.at.checked_sub(1).map(|before| self.tokens[before].end);
                before.is_none_or(|before| self.text[before..token.start].contains('\n'))
            };
            let is_next_element = matches!(list.gap, Some(Gap::Line(_)))
                && list.first.contains(&token, &self.grammar.literals)
                && (is_after_end || begins_line());
            match text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth -= 1,
                _ if depth > 0 => {}
                _ if token.literal.is_some() && token.literal == list.separator => break,
                _ if is_next_element => break,
                _ if is_after_end && begins_line() && self.is_unknown_element(list, end) => break,
                _ => {}
            }
            self.advance();
            is_after_end = depth == 0 && list.ends.contains(&token, &self.grammar.literals);
        }
        self.is_lost = false;
    }

    /// Reports that the next token is the name of no field. `fields` are the fields so far.
    pub(super) fn unknown_field(&mut self, named: &'t Named, fields: &Fields) {
        if self.token().class == Class::End && self.expected_at_end.is_none() {
            let given = fields.iter().map(|(field, _)| *field).collect();
            self.fields_at_end = Some((named, given));
            self.expected_at_end = Some(self.expected.clone());
        }
        let given = self.token_text();
        let names: Vec<&str> = named.names.iter().map(|name| self.grammar.literals.text(*name)).collect();
        let near = nearest(given, names.iter().copied()).map(str::to_owned);
        let expected = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let message = format!("`{}` is none of the fields: {expected}", brief_to(given, 60));
        let error = Diagnostic::new(ErrorKind::UnknownField, self.token().range(), message);
        self.report(or_replace_with(error, near));
        self.is_lost = true;
    }
}
