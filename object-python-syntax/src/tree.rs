//! [`with_tree`] and [`with_tree_and_tokens`]: a text as a syntax tree, with the errors of the syntax.

use std::ops::Range;

use ruff_python_ast::token::Tokens;
use ruff_python_ast::{Expr, ModModule, PySourceType};
use ruff_python_parser::{Parsed, parse_expression, parse_unchecked_source};
use ruff_text_size::TextSize;

use crate::nesting::Depth;

/// The largest number of errors of the syntax that are kept, because one error may lead to others.
const MAX_ERRORS: usize = 20;

/// An error of the syntax of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The bytes of the text that the error is about.
    pub range: Range<usize>,
    /// The expected and the given text.
    pub message: String,
}

/// Parses `source` and calls `then` with the tree and the errors. The call runs on a stack that is large enough to release
/// the tree, which does not outlive it. The tree has no statements if the text is too deep or too long.
pub fn with_tree<R>(source: &str, then: impl FnOnce(&ModModule, Vec<SyntaxFault>) -> R) -> R {
    with_parsed(source, |parsed, faults| then(parsed.syntax(), faults))
}

/// As [`with_tree`], with all tokens of the text as well, comments among them.
pub fn with_tree_and_tokens<R>(source: &str, then: impl FnOnce(&ModModule, &Tokens, Vec<SyntaxFault>) -> R) -> R {
    with_parsed(source, |parsed, faults| then(parsed.syntax(), parsed.tokens(), faults))
}

fn with_parsed<R>(source: &str, then: impl FnOnce(&Parsed<ModModule>, Vec<SyntaxFault>) -> R) -> R {
    let depth = match TextSize::try_from(source.len()) {
        Ok(_) => Depth::of(source),
        Err(_) => Err(format!("the text has {} bytes, more than {}", source.len(), u32::MAX)),
    };
    match depth {
        Ok(depth) => depth.with_stack(|| {
            let parsed = parse_unchecked_source(source, PySourceType::Python);
            let faults = parsed.errors().iter().take(MAX_ERRORS).map(|error| SyntaxFault {
                range: error.location.start().into()..error.location.end().into(),
                message: error.error.to_string(),
            });
            let faults = faults.collect();
            then(&parsed, faults)
        }),
        Err(message) => {
            let empty = parse_unchecked_source("", PySourceType::Python);
            then(&empty, vec![SyntaxFault { range: 0..0, message }])
        }
    }
}

/// Parses the expression in a string constant, such as a dimension `"n * 2"`, and calls `then` with it.
///
/// # Errors
/// The message of the first error.
pub fn with_expression<R>(text: &str, then: impl FnOnce(&Expr) -> R) -> Result<R, String> {
    let depth = Depth::of(text)?;
    depth.with_stack(|| {
        let parsed = parse_expression(text).map_err(|error| error.error.to_string())?;
        Ok(then(parsed.expr()))
    })
}
