//! Values without objects of the language in them, and names.

use object_core::diagnostic::Diagnostic;
use object_core::{Any, ErrorKind, Str, repr};

use super::Parser;
use crate::kind::Kind;
use crate::token::{Class, unquoted};
use crate::tree::Tree;

impl Parser<'_> {
    /// Reads a value without objects of the language in it.
    pub(super) fn plain(&mut self, kind: &Kind) -> Tree {
        let start = self.at;
        let first = self.grammar.first_of_kind(kind);
        let is_number = matches!(kind, Kind::Int | Kind::Float);
        // After a value, the sign of a number is a token of its own.
        let is_signed = is_number && self.token_text() == "-" && {
            let next = self.tokens[(self.at + 1).min(self.tokens.len() - 1)];
            matches!(next.class, Class::Int | Class::Float) && next.start == self.token().end
        };
        if !is_signed && !self.is_next(&first) {
            self.fail(Some(self.grammar.describe(kind)));
            return Tree::Missing;
        }
        if is_signed {
            self.advance();
        }
        let text = self.token_text();
        match kind {
            Kind::Word => {
                let name = unquoted(text);
                self.advance();
                return match name {
                    Ok(name) => Tree::Value(Str::from(name).into()),
                    Err(message) => {
                        let error = Diagnostic::new(ErrorKind::Malformed, self.since(start), message);
                        self.report(error);
                        Tree::Missing
                    }
                };
            }
            Kind::Enum(it) => {
                self.advance();
                let number = it.variants.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
                return number.map_or(Tree::Missing, |number| Tree::Value(Any::Int(number)));
            }
            Kind::Plain => self.skip_repr(),
            _ if text == "NaN" => self.skip_repr(),
            _ => drop(self.advance()),
        }
        let range = self.since(start);
        match repr::parse(&self.text[range.clone()]) {
            Ok(Any::Int(value)) if *kind == Kind::Float => Tree::Value(Any::Float(value as f64)),
            Ok(value) => Tree::Value(value),
            Err(error) => {
                self.report(Diagnostic::of_error(&error, range));
                Tree::Missing
            }
        }
    }

    /// Skips the text of a repr: brackets with their content, or a word with the signs and brackets at its end.
    fn skip_repr(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.token_text() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let token = self.advance();
            let next = self.token();
            if next.class == Class::End {
                return;
            }
            let is_joint =
                matches!(self.token_text(), "." | ":" | "(" | "[") || matches!(&self.text[token.range()], "." | ":");
            let goes_on = next.start == token.end && is_joint;
            if depth == 0 && !goes_on {
                return;
            }
        }
    }
}
