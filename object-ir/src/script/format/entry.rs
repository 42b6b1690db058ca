//! [`format`]: a script as the printer writes it, with its comments.

use object_core::table::Set;
use object_core::{Any, Error};
use ruff_text_size::{TextRange, TextSize};

use crate::script::exact::reads_as;
use crate::script::format::comments::{Comment, comments};
use crate::script::format::placement::with_comments;
use crate::script::parse::{Diagnostic, Errors, parse};
use crate::script::print::ScriptPrinter;
use crate::script::statements::{Statements, counterparts};

/// The script `source` as the printer writes it, with `indent_spaces` for each level.
///
/// The result reads as the value of `source`: where the text of TVM leaves out facts, it is the text of
/// [`print_exact`](ScriptPrinter::print_exact). Formatting the result changes nothing.
///
/// A comment stays at its statement: on the line before it, at the end of its line, or after the last statement of a block.
/// A comment inside of a statement of several lines comes before it, and a comment before an import before the next
/// statement, because the printer writes imports by itself. So comments that state imports are renewed, too.
///
/// # Errors
/// The errors of the script. A comment of a statement that the result does not have, such as a nested loop that becomes a part
/// of `T.grid`, is an error.
///
/// ```
/// use object_ir::script::format::format;
///
/// let source = "@R.function(private=True)\ndef main(x: R.Tensor((2,3), 'int8')): # identity\n  return x";
/// let text = format(source, 4)?;
/// let def = text.lines().find(|line| line.starts_with("def")).expect("a definition");
/// assert!(def.ends_with(":  # identity"));
/// assert_eq!(format(&text, 4)?, text);
/// # Ok::<(), object_ir::script::parse::Errors>(())
/// ```
pub fn format(source: &str, indent_spaces: usize) -> Result<String, Errors> {
    let failed = |diagnostics| Errors::new(diagnostics, source);
    let value = parse(source)?;
    let mut text = printed(&value, indent_spaces).map_err(|error| failed(vec![at(0, error.message().to_owned())]))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let given = Statements::of(source).map_err(failed)?;
    let comments = comments(source, &given);
    if comments.is_empty() {
        return Ok(text);
    }
    let statements = Statements::of(&text).map_err(failed)?;
    // The printer writes these comments again.
    let known: Set<&str> = statements.comments.iter().map(|range| &text[range.clone()]).collect();
    let pairs = counterparts(&given, &statements);
    let (mut placed, mut lost) = (Vec::new(), Vec::new());
    for comment in comments.iter().filter(|comment| !known.contains(comment.text)) {
        match comment.statement.and_then(|number| pairs[number]) {
            Some(number) => placed.push((comment, number)),
            None => lost.push(without_place(source, &given, comment)),
        }
    }
    if lost.is_empty() { Ok(with_comments(&text, &statements, &placed)) } else { Err(failed(lost)) }
}

/// The text of TVM if it reads as the value, else the exact text.
fn printed(value: &Any, indent_spaces: usize) -> Result<String, Error> {
    let printer = ScriptPrinter::new().show_meta(true).indent_spaces(indent_spaces).verbose_expr(true);
    let text = printer.print_text(value);
    if reads_as(&text, value)? { Ok(text) } else { printer.print_exact(value) }
}

fn at(offset: usize, message: String) -> Diagnostic {
    let offset = TextSize::try_from(offset).unwrap_or_default();
    Diagnostic::new(TextRange::empty(offset), message)
}

/// The error for a comment whose statement has no counterpart.
fn without_place(source: &str, statements: &Statements, comment: &Comment<'_>) -> Diagnostic {
    let of = match comment.statement {
        Some(number) => {
            let line = source[statements.all[number].start..].lines().next().unwrap_or_default();
            format!("the statement `{}`, which formatting replaces", line.trim())
        }
        None => "no statement that remains".to_owned(),
    };
    let mut error = at(comment.start, format!("the comment `{}` belongs to {of}", comment.text));
    error.range.end = comment.start + comment.text.len();
    error.hint = Some("write it before another statement, or remove it".to_owned());
    error
}
