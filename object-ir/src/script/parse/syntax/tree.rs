//! [`with_tree`]: a text as a syntax tree, with the errors of the syntax.

use ruff_python_ast::{Expr, ModModule, PySourceType};
use ruff_python_parser::{parse_expression, parse_unchecked_source};
use ruff_text_size::{TextRange, TextSize};

use crate::script::parse::diagnostic::Diagnostic;
use crate::script::parse::syntax::nesting::Depth;

/// The largest number of errors of the syntax that are kept, because one error may lead to others.
const MAX_ERRORS: usize = 20;

/// Parses `source` and calls `then` with the tree and the errors. The call runs on a stack that is large enough to release
/// the tree, which does not outlive it. The tree has no statements if the text is too deep or too long.
pub(crate) fn with_tree<R>(source: &str, then: impl FnOnce(&ModModule, Vec<Diagnostic>) -> R) -> R {
    let depth = match TextSize::try_from(source.len()) {
        Ok(_) => Depth::of(source),
        Err(_) => Err(format!("the text has {} bytes, more than {}", source.len(), u32::MAX)),
    };
    match depth {
        Ok(depth) => stacker::grow(depth.stack_bytes(), || {
            let parsed = parse_unchecked_source(source, PySourceType::Python);
            let errors = parsed.errors().iter().take(MAX_ERRORS);
            let errors = errors.map(|error| Diagnostic::new(error.location, error.error.to_string())).collect();
            then(parsed.syntax(), errors)
        }),
        Err(message) => {
            let empty = parse_unchecked_source("", PySourceType::Python);
            then(empty.syntax(), vec![Diagnostic::new(TextRange::default(), message)])
        }
    }
}

/// Parses the expression in a string constant, such as a dimension `"n * 2"`, and calls `then` with it.
///
/// # Errors
/// The message of the first error.
pub(crate) fn with_expression<R>(text: &str, then: impl FnOnce(&Expr) -> R) -> Result<R, String> {
    let depth = Depth::of(text)?;
    stacker::maybe_grow(depth.stack_bytes(), depth.stack_bytes(), || {
        let parsed = parse_expression(text).map_err(|error| error.error.to_string())?;
        Ok(then(parsed.expr()))
    })
}
