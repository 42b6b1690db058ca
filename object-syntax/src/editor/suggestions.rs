//! [`suggestions`]: the words, names and fields that can stand at a byte of a text; [`check_name`].

use object_core::object::{FieldInfo, TypeInfo};
use object_core::{Error, ErrorKind, Result, brief_to};
use object_format::{is_name_part, is_name_start};

use crate::grammar::Grammar;
use crate::parse::Parser;
use crate::production::{List, Named, Production, Step};
use crate::read::Syntax;
use crate::resolve::{Marker, Resolver};
use crate::token::{Class, LiteralId, Literals, Token, Tokens, unquoted};
use crate::token_set::TokenSet;
use crate::unread::Unread;

/// A text that can stand at a place.
#[derive(Clone)]
#[non_exhaustive]
pub struct Suggestion {
    /// The text.
    pub text: String,
    /// The kind of the text.
    pub kind: SuggestionKind,
}

/// The kind of a [`Suggestion`].
#[derive(Clone, Copy)]
pub enum SuggestionKind {
    /// A word of the syntax, with the type whose text begins with it, or goes on with it after an operand.
    Word(Option<&'static TypeInfo>),
    /// A name in scope, with the type of its variable if that has no mistake.
    Name(Option<&'static TypeInfo>),
    /// The name of a field, with the type that has it.
    Field(&'static TypeInfo, &'static FieldInfo),
}

/// The texts that can stand at the byte `offset` of `source`: see [`Language::suggestions`](crate::Language::suggestions).
pub(crate) fn suggestions(source: &str, offset: usize, syntax: Syntax<'_>) -> Vec<Suggestion> {
    let literals = &syntax.grammar.literals;
    let offset = (0..=offset.min(source.len())).rev().find(|at| source.is_char_boundary(*at)).unwrap_or(0);
    let Some(start) = start_of_word(source, offset, syntax) else { return Vec::new() };
    let mut prefix = source[..start].to_owned();
    let mut tokens = Tokens::of(&prefix, literals, syntax.comment).all;
    let mut parser = Parser::new(&prefix, syntax.grammar, &tokens, syntax.limits);
    parser.run();
    let Some(expected) = parser.expected_at_end else { return Vec::new() };
    let mut found = Vec::new();
    if let Some((named, given)) = parser.fields_at_end {
        found.extend(fields(syntax.grammar, named, &given));
    }
    for (id, word) in literals.all().filter(|(id, _)| expected.has_literal(*id)) {
        if word.starts_with(is_name_start) {
            let kind = SuggestionKind::Word(type_of_word(syntax.grammar, id));
            found.push(Suggestion { text: word.to_owned(), kind });
        }
    }
    if expected.has_name() {
        let marker = marker(&mut prefix, &mut tokens);
        found.extend(names(&prefix, &tokens, marker, syntax));
    }
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found.dedup_by(|a, b| a.text == b.text);
    found
}

/// The start of the word that the characters before the byte `offset` begin; `None` where no word can stand.
fn start_of_word(source: &str, offset: usize, syntax: Syntax<'_>) -> Option<usize> {
    let tokens = Tokens::of(source, &syntax.grammar.literals, syntax.comment);
    let comment = tokens.comments.iter().rev().find(|comment| comment.start < offset);
    let is_in_comment = comment.is_some_and(|comment| !source[comment.start..offset].contains('\n'));
    let after = tokens.all.partition_point(|token| token.start < offset);
    let token = after.checked_sub(1).and_then(|before| tokens.all.get(before));
    let is_in_text = token.is_some_and(|token| {
        let is_number = matches!(token.class, Class::Int | Class::Float | Class::Mark) && offset <= token.end;
        is_number || matches!(token.class, Class::Text | Class::Quoted) && offset < token.end
    });
    if is_in_comment || is_in_text {
        return None;
    }
    let before = &source[..offset];
    // The key of a type is one word with dots.
    let with_dots = before.trim_end_matches(|c| is_name_part(c) || c == '.').len();
    let is_key = before[with_dots..].contains('.') && syntax.grammar.literals.has_word_from(&before[with_dots..]);
    Some(if is_key { with_dots } else { before.trim_end_matches(is_name_part).len() })
}

/// Adds a name that stands nowhere in the text, and returns it.
fn marker(prefix: &mut String, tokens: &mut Vec<Token>) -> String {
    let mut name = "here".to_owned();
    while prefix.contains(&name) {
        name.push('_');
    }
    tokens.pop();
    let start = prefix.len() + 1;
    prefix.push(' ');
    prefix.push_str(&name);
    let end = prefix.len();
    tokens.push(Token { class: Class::Word, literal: None, start, end });
    tokens.push(Token { class: Class::End, literal: None, start: end, end });
    name
}

/// The names in scope at the place of the marker, of variables that can stand there.
fn names(prefix: &str, tokens: &[Token], marker: String, syntax: Syntax<'_>) -> Vec<Suggestion> {
    let mut parser = Parser::new(prefix, syntax.grammar, tokens, syntax.limits);
    let root = parser.run();
    let Parser { trees, unread, .. } = parser;
    let unread = Unread::new(prefix, tokens, unread);
    let mut resolver = Resolver::new(syntax.grammar, &trees, &unread);
    resolver.has_free_variables = syntax.has_free_variables;
    resolver.marker = Some(Marker { name: marker, found: None });
    resolver.run(root);
    let Some((category, names)) = resolver.marker.and_then(|marker| marker.found) else { return Vec::new() };
    let category = syntax.grammar.categories[category].info;
    let fits = names.into_iter().filter(|(_, info)| info.is_none_or(|info| info.is_or_extends(category)));
    let literals = &syntax.grammar.literals;
    fits.map(|(name, info)| Suggestion { text: literals.as_name(&name), kind: SuggestionKind::Name(info) }).collect()
}

/// The fields of `named` that are not given.
fn fields(grammar: &Grammar, named: &Named, given: &[usize]) -> Vec<Suggestion> {
    let production = grammar.productions.iter().map(|choice| &choice.production);
    let Some(production) = production.into_iter().find(|it| has_named(&it.steps, named)) else { return Vec::new() };
    let left = named.slots.iter().zip(&named.names).filter(|(slot, _)| !given.contains(&slot.field));
    let suggestion = |(slot, name): (&crate::production::Slot, &LiteralId)| Suggestion {
        text: grammar.literals.text(*name).to_owned(),
        kind: SuggestionKind::Field(production.info, &production.info.fields()[slot.field]),
    };
    left.map(suggestion).collect()
}

fn has_named(steps: &[Step], named: &Named) -> bool {
    steps.iter().any(|step| match step {
        Step::Named(it) => std::ptr::eq(it, named),
        Step::Optional { steps, .. } | Step::List(List { steps, .. }) => has_named(steps, named),
        Step::Literal(_) | Step::Gap(_) | Step::Field(_) => false,
    })
}

/// The type whose text begins with the word `id`, or goes on with it after an operand.
fn type_of_word(grammar: &Grammar, id: LiteralId) -> Option<&'static TypeInfo> {
    let begins = |production: &Production| {
        let mut steps = production.steps.iter().filter(|step| !matches!(step, Step::Gap(_)));
        if production.left.is_some() {
            steps.next();
        }
        begins_with(steps, id)
    };
    let mut found = grammar.productions.iter().map(|choice| &choice.production).filter(|it| begins(it));
    found.next().map(|production| production.info)
}

/// Whether a text of `steps` can begin with the word `id`.
fn begins_with<'g>(steps: impl Iterator<Item = &'g Step>, id: LiteralId) -> bool {
    for step in steps {
        match step {
            Step::Literal(it) => return *it == id,
            Step::Optional { steps, .. } if begins_with(steps.iter(), id) => return true,
            Step::Optional { .. } | Step::Gap(_) => {}
            Step::Field(_) | Step::Named(_) | Step::List(_) => return false,
        }
    }
    false
}

/// Whether `word` can be the name of a variable: see [`Language::check_name`](crate::Language::check_name).
pub(crate) fn check_name(word: &str, syntax: Syntax<'_>) -> Result<()> {
    let refused = |reason: &str| {
        let message = format!("`{}` is not a name: {reason}", brief_to(word, 60));
        Err(Error::new(ErrorKind::Malformed, message))
    };
    let literals: &Literals = &syntax.grammar.literals;
    let tokens = Tokens::of(word, literals, syntax.comment);
    let [token, _] = tokens.all.as_slice() else {
        return refused("a name is one word; other texts stand in backquotes");
    };
    if token.start != 0 || token.end != word.len() || !tokens.comments.is_empty() {
        return refused("it has spaces or a comment around it");
    }
    if let Some(id) = token.literal.filter(|id| token.class == Class::Word && literals.is_reserved(*id)) {
        let text = literals.text(id);
        return refused(&format!("`{text}` is a word of the language; write it in backquotes"));
    }
    let is_name = TokenSet::of_names().contains(token, literals);
    match unquoted(word) {
        Ok(_) if is_name => Ok(()),
        Ok(_) => refused("a name begins with a letter or an underscore; other texts stand in backquotes"),
        Err(message) => refused(&message),
    }
}
