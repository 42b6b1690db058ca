//! [`formatted()`]: one definition as the printer writes it, with its comments, docstrings and decorators.

use std::ops::Range;

use object_core::Any;
use object_core::meter::Meter;
use object_core::table::Table;
use object_ir::tvm::TvmVersion;
use ruff_python_ast::Stmt;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

use crate::format::comments::{Side, comments};
use crate::format::placement::{Piece, with_pieces};
use crate::lines::line_start;
use crate::parse::{Diagnostic, Part, malformed, tokens_in};
use crate::print::ScriptPrinter;
use crate::statements::{LiteralStatement, Statements, counterparts};

/// The largest text of a definition: this many bytes, and [`MAX_GROWTH`] for each given byte. A printed call shows all its
/// attributes, so a text of some lines grows; a value that occurs many times in types could grow without a bound.
const MAX_BYTES: usize = 64 * 1024;
const MAX_GROWTH: usize = 16;

/// How formatting prints.
#[derive(Clone, Copy)]
pub(super) struct Style<'m> {
    /// The spaces for each level.
    pub(super) indent_spaces: usize,
    /// The version of TVM that the file is of.
    pub(super) version: TvmVersion,
    /// Whether to print an exact text.
    pub(super) is_exact: bool,
    /// The memory of printing.
    pub(super) meter: &'m Meter,
}

/// A definition of a file, from its keyword to the end of its last line.
struct Given<'a> {
    source: &'a str,
    range: Range<usize>,
    statements: Statements,
}

/// The place of a definition, without its decorators, and the text for it.
///
/// # Errors
/// The errors of the definition, and what the text cannot keep.
pub(super) fn formatted(
    source: &str,
    part: &Part<'_>,
    tokens: &[Token],
    style: Style<'_>,
) -> Result<(Range<usize>, String), Vec<Diagnostic>> {
    let value = part.value.as_ref().map_err(Clone::clone)?;
    let given = given(source, part.definition, tokens);
    let text = printed(part, value, style, given.range.len())?;
    let statements = Statements::of(&text)?;
    let mut pairs = counterparts(&given.statements, &statements);
    let (mut pieces, mut lost) = (Vec::new(), Vec::new());
    let mut printed_comments: Table<&str, usize> = Table::default();
    for range in &statements.comments {
        *printed_comments.entry(&text[range.clone()]).or_default() += 1;
    }
    for comment in comments(source, &given.statements) {
        // The printer writes some comments, such as the one about the root block, again.
        if let Some(count) = printed_comments.get_mut(comment.text).filter(|count| **count > 0) {
            *count -= 1;
            continue;
        }
        match comment.statement.and_then(|number| pairs[number]) {
            Some(number) => pieces.push((comment.start, Piece { text: comment.text, side: comment.side, number })),
            None => lost.push(given.without_place("the comment", comment.range(), comment.statement)),
        }
    }
    for literal in &given.statements.literals {
        match anchor(literal, &given.statements, &statements, &pairs) {
            Ok((side, number)) => {
                pieces.push((literal.range.start, Piece { text: &source[literal.range.clone()], side, number }));
            }
            Err(number) => lost.push(given.without_place("the string", literal.range.clone(), Some(number))),
        }
    }
    pieces.sort_by_key(|(start, _)| *start);
    let mut as_written = Vec::new();
    for (number, statement) in given.statements.all.iter().enumerate() {
        let Some(range) = statement.as_written.clone().filter(|range| range.start >= given.range.start) else {
            continue;
        };
        match pairs[number].take().and_then(|number| statements.all[number].as_written.clone()) {
            Some(place) => as_written.push((place, &source[range])),
            None => lost.push(given.without_place("the decorator", range, None)),
        }
    }
    if !lost.is_empty() {
        return Err(lost);
    }
    let base = &source[line_start(source, given.range.start)..given.range.start];
    let pieces: Vec<Piece<'_>> = pieces.into_iter().map(|(_, piece)| piece).collect();
    Ok((given.range, with_pieces(&text, &statements, &pieces, &as_written, base)))
}

/// The definition of `stmt`, with the comments after it that belong to it.
fn given<'a>(source: &'a str, stmt: &Stmt, tokens: &[Token]) -> Given<'a> {
    let (start, end) = (stmt.start().to_usize(), stmt.end().to_usize());
    let column = |at: usize| at - line_start(source, at);
    let mut last = end;
    for token in tokens_in(tokens, &(end..source.len())) {
        let at = token.start().to_usize();
        match token.kind() {
            TokenKind::Comment if !source[last..at].contains('\n') || column(at) > column(start) => {
                last = token.end().to_usize();
            }
            TokenKind::Newline
            | TokenKind::NonLogicalNewline
            | TokenKind::Indent
            | TokenKind::Dedent
            | TokenKind::Semi => {}
            _ => break,
        }
    }
    let end = last + source[last..].find('\n').unwrap_or(source.len() - last);
    let mut statements = Statements::of_block(source, std::slice::from_ref(stmt), tokens_in(tokens, &(start..end)));
    let keyword = statements.roots.last().map_or(start, |root| statements.all[*root].start);
    let all = &statements.all;
    // What stays as it is keeps its comments.
    let is_kept = |comment: &Range<usize>| {
        let before = all.partition_point(|it| it.start <= comment.start).checked_sub(1);
        before.and_then(|number| all[number].as_written.as_ref()).is_some_and(|range| range.contains(&comment.start))
    };
    let comments = std::mem::take(&mut statements.comments).into_iter();
    let comments = comments.filter(|comment| comment.start >= keyword && !is_kept(comment)).collect();
    statements.comments = comments;
    Given { source, range: keyword..end, statements }
}

/// The definition without decorators as the printer writes it.
fn printed(part: &Part<'_>, value: &Any, style: Style<'_>, given_bytes: usize) -> Result<String, Vec<Diagnostic>> {
    let most = MAX_BYTES + MAX_GROWTH * given_bytes;
    let [ir, tir, relax] = &part.prefixes;
    let printer = ScriptPrinter::new().version(style.version).indent_spaces(style.indent_spaces);
    let printer = printer.verbose_expr(true).max_nodes(most);
    let printer = printer.name(part.name).ir_prefix(ir).tir_prefix(tir).relax_prefix(relax);
    let printer = if style.is_exact { printer.exact() } else { printer };
    let text = printer.meter(style.meter).show_meta(false).print_within_memory(value);
    let text = text.map_err(|error| vec![Diagnostic::of_error(&error, part.name_range.clone())])?;
    if text.len() > most {
        let message = format!(
            "formatting makes more than {most} bytes of the {given_bytes} bytes of `{}`, because the printer writes a \
             shared value or type once for each use",
            part.name
        );
        return Err(vec![malformed(part.name_range.clone(), message)]);
    }
    let statements = Statements::of(&text)?;
    let root = statements.roots.last().map(|root| &statements.all[*root]);
    let root = root.filter(|it| it.key == "class" || it.key.starts_with("def "));
    root.map(|it| text[it.start..it.end].to_owned()).ok_or_else(|| {
        vec![malformed(part.name_range.clone(), format!("the printer does not write `{}` as a definition", part.name))]
    })
}

/// The statement of the printed text at which a literal stands, or the one of the given text that has no counterpart.
fn anchor(
    literal: &LiteralStatement,
    given: &Statements,
    printed: &Statements,
    pairs: &[Option<usize>],
) -> Result<(Side, usize), usize> {
    let Some(previous) = literal.previous else {
        // A docstring is the first statement.
        let first = pairs[literal.parent].and_then(|parent| printed.all[parent].children.first());
        return first.map(|first| (Side::Before, *first)).ok_or(literal.parent);
    };
    let is_sibling = given.all.get(literal.next).is_some_and(|next| next.parent == Some(literal.parent));
    let (side, number) = if is_sibling { (Side::Before, literal.next) } else { (Side::After, previous) };
    pairs[number].map(|counterpart| (side, counterpart)).ok_or(number)
}

impl Given<'_> {
    /// The error for a piece whose statement has no counterpart.
    fn without_place(&self, kind: &str, range: Range<usize>, statement: Option<usize>) -> Diagnostic {
        let first_line = |range: Range<usize>| self.source[range].lines().next().unwrap_or_default().trim();
        let of = match statement.map(|number| &self.statements.all[number]) {
            Some(it) => format!("the statement `{}`, which formatting replaces", first_line(it.start..it.end)),
            None => "no statement that remains".to_owned(),
        };
        let mut error = malformed(range.clone(), format!("{kind} `{}` belongs to {of}", first_line(range)));
        error.hint = Some("write it before another statement, or remove it".to_owned());
        error
    }
}
