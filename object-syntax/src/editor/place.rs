//! [`PlaceAt`]: the smallest piece of a text around a byte, with the type that it shows.

use std::ops::Range;

use object_core::object::{FieldInfo, TypeInfo};

use super::Reading;
use crate::token::{Class, Token};
use crate::tree::{Tree, TreeId};

/// The smallest piece of a text around a byte.
#[derive(Clone)]
#[non_exhaustive]
pub struct PlaceAt {
    /// The bytes of the piece.
    pub range: Range<usize>,
    /// The type of the object, or of the object whose field the piece shows.
    pub info: &'static TypeInfo,
    /// The field whose value the piece shows, if the value is not an object.
    pub field: Option<&'static FieldInfo>,
    /// The field in which the object stands, with the type that has the field.
    pub within: Option<(&'static TypeInfo, &'static FieldInfo)>,
    /// For the name of a variable, the bytes of the text that introduces it.
    pub declaration: Option<Range<usize>>,
}

impl Reading {
    /// The smallest piece around the token at the byte `offset`, or the token that ends there. `None` between the tokens.
    #[must_use]
    pub fn place_at(&self, offset: usize) -> Option<PlaceAt> {
        let token = self.token_at(offset)?;
        let mut place = self.innermost(token.start)?;
        let index = self.occurrences.partition_point(|it| it.range.end <= token.start);
        let occurrence = self.occurrences.get(index).filter(|it| it.range == token.range());
        let declaration = occurrence.and_then(|it| self.declarations.get(it.declaration)?.as_ref());
        if let Some(declaration) = declaration {
            place.range = token.range();
            place.info = declaration.info;
            place.field = None;
            place.declaration = Some(declaration.range.clone());
        }
        Some(place)
    }

    /// The token that contains the byte, or that ends before it.
    fn token_at(&self, offset: usize) -> Option<&Token> {
        let after = self.tokens.partition_point(|token| token.start <= offset);
        let token = self.tokens[..after].iter().rev().find(|token| token.class != Class::End)?;
        (offset <= token.end).then_some(token)
    }

    /// The innermost tree around the byte `at`.
    fn innermost(&self, at: usize) -> Option<PlaceAt> {
        let mut best: Option<PlaceAt> = None;
        let mut within = None;
        let mut id = self.root;
        loop {
            let (tree, range) = self.trees.get(id);
            let contains = |id: &TreeId| self.trees.get(*id).1.contains(&at);
            let next = match tree {
                Tree::Object { production, fields } => {
                    let info = self.grammar.productions[*production].production.info;
                    best = Some(PlaceAt { range: range.clone(), info, field: None, within, declaration: None });
                    let next = fields.iter().find(|(_, tree)| contains(tree));
                    within = next.map(|(field, _)| (info, &info.fields()[*field]));
                    next.map(|(_, tree)| *tree)
                }
                Tree::List(items) => {
                    // The elements are in the order of the text.
                    let after = items.partition_point(|item| self.trees.get(*item).1.start <= at);
                    items[..after].last().copied().filter(contains)
                }
                Tree::Map(entries) => entries.iter().flat_map(|(key, value)| [*key, *value]).find(contains),
                Tree::Marked(_, inner) => Some(*inner).filter(contains),
                Tree::Name(_, category) => {
                    let info = self.grammar.categories[*category].info;
                    best = Some(PlaceAt { range: range.clone(), info, field: None, within, declaration: None });
                    None
                }
                Tree::Value(_) => {
                    if let (Some(place), Some((_, field))) = (&mut best, within) {
                        place.range = range.clone();
                        place.field = Some(field);
                    }
                    None
                }
                Tree::Missing | Tree::Mark(_) => None,
            };
            match next {
                Some(next) => id = next,
                None => return best,
            }
        }
    }
}
