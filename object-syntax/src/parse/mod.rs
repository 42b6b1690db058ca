//! [`Parser`]: reads a text as a tree. After a mistake it goes on at the next element of a list, so that one reading finds
//! all mistakes.

mod mistakes;
mod plain;

use std::ops::Range;

use object_core::diagnostic::Diagnostic;
use object_core::limits::{Limit, Limits};
use object_core::object::{Associativity, FieldRole};
use object_core::stack_budget::with_stack;
use object_core::{Any, ErrorKind};
use object_format::{FieldForm, Gap};

use crate::comments::ElementTokens;
use crate::grammar::Grammar;
use crate::kind::{CategoryId, Kind};
use crate::production::{CLOSED, List, Named, Slot, Step};
use crate::token::{Class, LiteralId, Token, unquoted};
use crate::token_set::{Terminal, TokenSet};
use crate::tree::{Tree, TreeId, Trees};

/// The state of reading one text.
pub(crate) struct Parser<'t> {
    text: &'t str,
    grammar: &'t Grammar,
    tokens: &'t [Token],
    at: usize,
    pub(crate) trees: Trees,
    pub(crate) errors: Vec<Diagnostic>,
    /// The elements of lists on lines of their own, in the order of their starts.
    pub(crate) elements: Vec<ElementTokens>,
    /// The pieces of the text that were not read as a whole.
    pub(crate) unread: Vec<Range<usize>>,
    /// The tokens that could stand at the end of the text, and fields by name with the ones that are given, once the parser gets there.
    pub(crate) expected_at_end: Option<TokenSet>,
    pub(crate) fields_at_end: Option<(&'t Named, Vec<usize>)>,
    /// Whether a mistake was found, and no place to go on yet.
    is_lost: bool,
    /// The tokens that could stand at the current place.
    expected: TokenSet,
    depth: u64,
    limits: Limits,
}

/// The fields of an object so far.
type Fields = Vec<(usize, TreeId)>;

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str, grammar: &'t Grammar, tokens: &'t [Token], limits: Limits) -> Self {
        Parser {
            text,
            grammar,
            tokens,
            at: 0,
            trees: Trees::default(),
            errors: Vec::new(),
            elements: Vec::new(),
            unread: Vec::new(),
            expected_at_end: None,
            fields_at_end: None,
            is_lost: false,
            expected: TokenSet::default(),
            depth: 0,
            limits,
        }
    }

    /// Reads the whole text.
    pub(crate) fn run(&mut self) -> TreeId {
        let root = self.value(&self.grammar.root, 0, false);
        if !self.is_lost && self.token().class != Class::End {
            self.fail(None);
        }
        if self.is_lost {
            self.unread.push(0..self.text.len());
        } else if self.expected_at_end.is_none() {
            self.expected_at_end = Some(std::mem::take(&mut self.expected));
        }
        root
    }

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn token_text(&self) -> &'t str {
        &self.text[self.token().range()]
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        // The last token is the end of the text.
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        self.expected.clear();
        token
    }

    /// The range from the token `start` to the token before this one.
    fn since(&self, start: usize) -> Range<usize> {
        let first = self.tokens[start].start;
        let last = if self.at > start { self.tokens[self.at - 1].end } else { first };
        first..last.max(first)
    }

    /// Whether the next token is in `set`; if not, a message about the place names the set.
    fn is_next(&mut self, set: &TokenSet) -> bool {
        let is_next = !self.is_lost && set.contains(&self.token(), &self.grammar.literals);
        if !is_next {
            self.expected.add_all(set);
        }
        is_next
    }

    fn take(&mut self, literal: LiteralId) -> bool {
        let is_next = !self.is_lost && self.token().literal == Some(literal);
        if is_next {
            self.advance();
        } else {
            self.expected.add_literal(literal);
        }
        is_next
    }

    fn expect(&mut self, literal: LiteralId) {
        if !self.take(literal) {
            self.fail(None);
        }
    }

    fn missing(&mut self) -> TreeId {
        let start = self.token().start;
        self.trees.add(Tree::Missing, start..start)
    }

    /// Reads a value. `least` is the least precedence of an object without brackets; `defines` is true where variables are
    /// introduced.
    fn value(&mut self, kind: &Kind, least: u32, defines: bool) -> TreeId {
        if self.is_lost {
            return self.missing();
        }
        let start = self.at;
        let tree = match kind {
            Kind::Object(category) => return self.object(*category, least, defines),
            Kind::Optional(inner) => {
                let is_none = self.token_text() == "None" && self.token().class == Class::Word;
                if !is_none {
                    return self.value(inner, least, defines);
                }
                self.advance();
                Tree::Value(Any::None)
            }
            Kind::OneOf(kinds) => {
                let token = self.token();
                let fits = |kind: &&Kind| self.grammar.first_of_kind(kind).contains(&token, &self.grammar.literals);
                let Some(kind) = kinds.iter().find(fits) else {
                    self.expected.add_all(&self.grammar.first_of_kind(kind));
                    self.fail(Some(self.grammar.describe(kind)));
                    return self.missing();
                };
                return self.value(kind, least, defines);
            }
            Kind::Array(element) => self.array(element, defines),
            Kind::Map(entry) => self.map(entry, defines),
            Kind::Entry(entry) => {
                let key = self.value(&entry.0, 0, defines);
                self.expect_text(":");
                let value = self.value(&entry.1, 0, defines);
                Tree::Map(vec![(key, value)])
            }
            _ => self.plain(kind),
        };
        let range = self.since(start);
        self.trees.add(tree, range)
    }

    /// Takes a sign of the forms that every language has.
    fn expect_text(&mut self, sign: &str) {
        if !self.take_text(sign) {
            self.fail(Some(format!("`{sign}`")));
        }
    }

    fn take_text(&mut self, sign: &str) -> bool {
        let is_next = !self.is_lost && self.token_text() == sign && self.token().class != Class::Text;
        if is_next {
            self.advance();
        } else if let Some(id) = self.grammar.literals.get(sign) {
            self.expected.add_literal(id);
        }
        is_next
    }

    fn array(&mut self, element: &Kind, defines: bool) -> Tree {
        let mut items = Vec::new();
        self.expect_text("[");
        while !self.is_lost && !self.take_text("]") {
            items.push(self.value(element, 0, defines));
            if !self.take_text(",") {
                self.expect_text("]");
                break;
            }
        }
        Tree::List(items)
    }

    fn map(&mut self, entry: &(Kind, Kind), defines: bool) -> Tree {
        let mut entries = Vec::new();
        self.expect_text("{");
        while !self.is_lost && !self.take_text("}") {
            let key = self.value(&entry.0, 0, defines);
            self.expect_text(":");
            entries.push((key, self.value(&entry.1, 0, defines)));
            if !self.take_text(",") {
                self.expect_text("}");
                break;
            }
        }
        Tree::Map(entries)
    }

    /// Reads an object, and the operators after it.
    fn object(&mut self, category: CategoryId, least: u32, defines: bool) -> TreeId {
        self.depth += 1;
        let tree = match self.limits.check(Limit::Depth, self.depth) {
            Ok(()) => with_stack(|| self.operand(category, least, defines)),
            Err(error) => {
                let error = Diagnostic::of_error(&error, self.token().range());
                self.report(error);
                self.at = self.tokens.len() - 1;
                self.is_lost = true;
                self.missing()
            }
        };
        self.depth -= 1;
        tree
    }

    fn operand(&mut self, id: CategoryId, least: u32, defines: bool) -> TreeId {
        let category = &self.grammar.categories[id];
        if let Some(read_as) = category.read_as {
            return self.object(read_as, least, defines);
        }
        let start = self.at;
        let mut tree = self.head(id, defines);
        // After `a < b`, `<` needs brackets if it has no associativity.
        let mut refused = None;
        while !self.is_lost {
            let Some((tail, _)) = self.grammar.choose(&category.tails, &self.tokens[self.at..]) else { break };
            let choice = &self.grammar.productions[tail];
            let production = &choice.production;
            if production.precedence < least || Some(production.precedence) == refused {
                break;
            }
            refused = (production.associativity == Associativity::None).then_some(production.precedence);
            let mut fields = Vec::new();
            let first = production.steps.iter().position(|step| !matches!(step, Step::Gap(_))).unwrap_or(0);
            if let Step::Field(slot) = &production.steps[first] {
                fields.push((slot.field, tree));
            }
            self.steps(&production.steps[first + 1..], &mut fields, defines);
            let range = self.since(start);
            tree = self.trees.add(Tree::Object { production: tail, fields }, range);
        }
        if !self.is_lost {
            for tail in &category.tails {
                if let Some(first) = self.grammar.productions[*tail].prefix.first() {
                    self.expected.add_all(first);
                }
            }
        }
        tree
    }

    /// Reads an object without the operators after it.
    fn head(&mut self, id: CategoryId, defines: bool) -> TreeId {
        let category = &self.grammar.categories[id];
        let (token, start) = (self.token(), self.at);
        if token.class == Class::Mark {
            return self.mark(id, defines);
        }
        let heads = if defines { &category.heads } else { &category.uses };
        let choice = self.grammar.choose(heads, &self.tokens[self.at..]);
        let is_name = TokenSet::of(&[Terminal::Name]).contains(&token, &self.grammar.literals);
        let is_use = is_name && !defines && !category.variables.is_empty();
        // A name alone is a variable.
        if let Some((production, _)) = choice.filter(|(_, length)| !is_use || *length > 1) {
            let mut fields = Vec::new();
            self.steps(&self.grammar.productions[production].production.steps, &mut fields, defines);
            let range = self.since(start);
            return self.trees.add(Tree::Object { production, fields }, range);
        }
        if is_use {
            let tree = match unquoted(self.token_text()) {
                Ok(name) => Tree::Name(name, id),
                Err(message) => {
                    self.report(Diagnostic::new(ErrorKind::Malformed, token.range(), message));
                    Tree::Missing
                }
            };
            self.advance();
            return self.trees.add(tree, token.range());
        }
        if category.has_brackets && self.take(self.grammar.brackets.0) {
            let inner = self.object(id, 0, defines);
            self.expect(self.grammar.brackets.1);
            return inner;
        }
        self.expected.add_all(&category.first);
        self.fail(Some(self.grammar.describe(&Kind::Object(id))));
        self.missing()
    }

    /// `%0`, or `%0 = value`
    fn mark(&mut self, id: CategoryId, defines: bool) -> TreeId {
        let start = self.at;
        let Ok(number) = self.token_text()[1..].parse() else {
            self.fail(None);
            return self.missing();
        };
        self.advance();
        let tree = match self.take_text("=") {
            true => Tree::Marked(number, self.object(id, CLOSED, defines)),
            false => Tree::Mark(number),
        };
        let range = self.since(start);
        self.trees.add(tree, range)
    }

    fn steps(&mut self, steps: &'t [Step], fields: &mut Fields, defines: bool) {
        for (index, step) in steps.iter().enumerate() {
            if self.is_lost {
                return;
            }
            match step {
                Step::Gap(_) => {}
                Step::Literal(id) => self.expect(*id),
                Step::Field(slot) => self.slot(slot, fields, defines),
                Step::Named(named) => self.named(named, fields, defines),
                Step::Optional { steps, first, .. } => {
                    if self.is_next(first) {
                        self.steps(steps, fields, defines);
                    }
                }
                Step::List(list) => {
                    let end = match steps[index + 1..].iter().find(|step| !matches!(step, Step::Gap(_))) {
                        Some(Step::Literal(end)) => Some(*end),
                        _ => None,
                    };
                    self.list(list, end, fields, defines);
                }
            }
        }
    }

    fn slot(&mut self, slot: &Slot, fields: &mut Fields, defines: bool) {
        if slot.form == FieldForm::Flag {
            let start = self.token().start;
            fields.push((slot.field, self.trees.add(Tree::Value(Any::Bool(true)), start..start)));
            return;
        }
        let defines = match slot.role {
            FieldRole::Def | FieldRole::DefSimple => true,
            FieldRole::Content => defines,
            FieldRole::Ignore => false,
        };
        let value = self.value(&slot.kind, slot.least, defines);
        fields.push((slot.field, value));
    }

    fn named(&mut self, named: &'t Named, fields: &mut Fields, defines: bool) {
        if !self.take(named.open) {
            if named.is_required {
                self.fail(None);
            }
            return;
        }
        while !self.is_lost && !self.take(named.close) {
            let literal = self.token().literal;
            let Some(index) = named.names.iter().position(|name| Some(*name) == literal) else {
                self.unknown_field(named, fields);
                return;
            };
            let name = self.advance();
            self.expect(named.equals);
            let slot = &named.slots[index];
            if fields.iter().any(|(field, _)| *field == slot.field) {
                let message = format!("the field `{}` is given twice", &self.text[name.range()]);
                self.report(Diagnostic::new(ErrorKind::DuplicateKey, name.range(), message));
            }
            self.slot(slot, fields, defines);
            if !self.take(named.comma) {
                self.expect(named.close);
                return;
            }
        }
    }

    /// Reads a list. `end` is the token after it, if that is always the same one.
    fn list(&mut self, list: &'t List, end: Option<LiteralId>, fields: &mut Fields, defines: bool) {
        let start = self.at;
        let (mut items, mut has_mistake) = (Vec::new(), false);
        loop {
            let is_known = self.is_next(&list.first);
            if !is_known && !self.is_unknown_element(list, end) {
                break;
            }
            let before = self.at;
            let mut element = Vec::new();
            let number = self.elements.len();
            let is_on_line = matches!(list.gap, Some(Gap::Line(_)));
            if is_on_line {
                self.elements.push(before..before);
            }
            if is_known {
                self.steps(&list.steps, &mut element, defines);
            } else {
                end.into_iter().for_each(|end| self.expected.add_literal(end));
                self.fail(None);
            }
            if self.is_lost {
                has_mistake = true;
                self.recover(list, end);
                let unread = self.since(before);
                self.unread.push(unread);
            }
            items.extend(element.iter().find(|(field, _)| *field == list.field).map(|(_, tree)| *tree));
            let has_separator = list.separator.is_some_and(|separator| self.take(separator));
            if is_on_line {
                self.elements[number].end = self.at;
            }
            if list.separator.is_some() && !has_separator {
                break;
            }
            // An element that reads nothing would be read forever.
            if self.at == before {
                break;
            }
        }
        if list.is_nonempty && items.is_empty() && !has_mistake {
            self.fail(None);
        }
        let range = self.since(start);
        let tree = match list.is_map {
            true => Tree::Map(items.iter().flat_map(|item| self.trees.entries(*item)).copied().collect()),
            false => Tree::List(items),
        };
        fields.push((list.field, self.trees.add(tree, range)));
    }
}
