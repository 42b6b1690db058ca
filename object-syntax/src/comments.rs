//! [`Comments`]: the comments and blank lines of a text, at the elements of its lists.

use std::ops::Range;

use object_core::table::Table;

use crate::token::{Class, Tokens};

/// An element of a list whose elements stand on lines of their own, as the numbers of its tokens.
pub(crate) type ElementTokens = Range<usize>;

/// The comments of a text, and where it has blank lines.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    /// The comments before the text.
    pub(crate) first: Vec<String>,
    /// The comments after the text.
    pub(crate) last: Vec<String>,
    /// The comments at each element, in the order of their starts.
    pub(crate) elements: Vec<Around>,
}

/// The comments and the blank line at an element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    /// Whether a blank line stands before the element and its comments.
    pub(crate) is_apart: bool,
    /// The comments on the lines before.
    pub(crate) before: Vec<String>,
    /// The comment at the end of the line.
    pub(crate) beside: Vec<String>,
    /// The comments on the lines after, where no element follows.
    pub(crate) after: Vec<String>,
}

impl Comments {
    /// The comments of `source`. `elements` are its elements in the order of their starts.
    pub(crate) fn of(source: &str, tokens: &Tokens, elements: &[ElementTokens]) -> Self {
        let mut comments = Comments { elements: vec![Around::default(); elements.len()], ..Comments::default() };
        // The longest element that ends at each token, and the element around each element.
        let mut ends: Table<usize, usize> = Table::default();
        let mut parents: Vec<Option<usize>> = Vec::with_capacity(elements.len());
        for (index, element) in elements.iter().enumerate() {
            ends.entry(element.end).or_insert(index);
            let mut parent = index.checked_sub(1);
            while let Some(before) = parent.filter(|before| elements[*before].end < element.end) {
                parent = parents[before];
            }
            parents.push(parent);
        }
        for comment in &tokens.comments {
            let text = source[comment.clone()].to_owned();
            // The token after the comment.
            let next = tokens.all.partition_point(|token| token.end <= comment.start && token.class != Class::End);
            let has_token_before = !source[previous_end(tokens, next)..comment.start].contains('\n') && next > 0;
            let first_after = elements.partition_point(|it| it.start < next);
            let begins_here = elements.get(first_after).is_some_and(|it| it.start == next);
            let mut around = first_after.checked_sub(1);
            while let Some(index) = around.filter(|index| elements[*index].end <= next) {
                around = parents[index];
            }
            let at = &mut comments.elements;
            match (ends.get(&next), around) {
                (Some(index), _) if has_token_before => at[*index].beside.push(text),
                _ if begins_here => at[first_after].before.push(text),
                (Some(index), _) => at[*index].after.push(text),
                (None, Some(index)) => at[index].before.push(text),
                (None, None) if tokens.all[next].class == Class::End => comments.last.push(text),
                (None, None) => comments.first.push(text),
            }
        }
        for (element, around) in elements.iter().zip(&mut comments.elements) {
            let previous = previous_end(tokens, element.start);
            let mut between = source[previous..tokens.all[element.start].start].lines();
            // The line of the token before the element.
            between.next();
            around.is_apart = between.next().is_some_and(|line| line.trim().is_empty()) && between.next().is_some();
        }
        comments
    }
}

/// The end of the token before the token `index`.
fn previous_end(tokens: &Tokens, index: usize) -> usize {
    index.checked_sub(1).map_or(0, |before| tokens.all[before].end)
}
