//! A line of a text in HTML: pieces as nested elements that name their places.

use std::cmp::Reverse;
use std::fmt::Write;
use std::ops::Range;

use crate::Result;
use crate::meter::Charge;
use crate::page::facts::{Fact, Facts};
use crate::page::layout::{Layout, Line};
use crate::print::Path;

/// The memory of a growing text, as a multiple of its length.
const GROWTH: u64 = 3;

/// The body of a page, and its memory.
pub(super) struct Body {
    pub(super) html: String,
    pub(super) charge: Charge,
    /// Whether the page has many rows.
    pub(super) is_long: bool,
    /// How many more bytes of folded rows the page takes.
    pub(super) equal_bytes: usize,
}

/// The marked part of a line: a place of the edit or remark with this number.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) range: Range<usize>,
    pub(super) number: usize,
    /// The id of the element, if it is the first one of its edit and side.
    pub(super) id: Option<String>,
}

/// An element of a line: a piece of the text or a mark.
enum Element<'m> {
    Piece(Path),
    Mark(&'m Mark),
}

/// Writes the line as an element `code`. Each element inside has in `data-p` the steps from the place of the element around
/// it to its own place, or its whole path if that is not below the place of the element around it.
///
/// # Errors
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) beyond the memory of the page.
pub(super) fn write_line(
    body: &mut Body,
    layout: &Layout<'_>,
    line: &Line,
    marks: &[Mark],
    facts: &Facts,
) -> Result<()> {
    let Body { html, charge, .. } = body;
    let text = layout.text(line);
    let indent = text.len() - text.trim_start().len();
    html.push_str("<code");
    write_place(html, layout, line.around, None, facts.of(line.around));
    let _ = write!(html, " style=\"--i:{indent}\">");
    let pieces = layout.pieces_of(line).iter().filter(|piece| piece.range.end <= line.range.end);
    let mut elements: Vec<(Range<usize>, Element<'_>)> =
        pieces.map(|piece| (piece.range.clone(), Element::Piece(piece.path))).collect();
    elements.extend(marks.iter().map(|mark| (mark.range.clone(), Element::Mark(mark))));
    elements.retain(|(range, _)| !range.is_empty());
    // A mark goes around the pieces of its range. The order of pieces of one range remains.
    elements.sort_by_key(|(range, element)| (range.start, Reverse(range.end), matches!(element, Element::Piece(_))));

    let mut open: Vec<Open> = vec![Open { end: line.range.end, path: line.around, tag: "code" }];
    let mut written = line.range.start;
    for (range, element) in elements {
        while open.len() > 1 && open.last().is_some_and(|it| it.end <= range.start) {
            close(html, layout, &mut open, &mut written);
        }
        let Some(around) = open.last() else { break };
        charge.cover(GROWTH * html.len() as u64)?;
        let (outer, outer_path) = (around.end, around.path);
        escape(html, &layout.printed.text()[written..range.start]);
        written = range.start;
        let (path, tag) = match element {
            Element::Piece(path) => {
                html.push_str("<i");
                write_place(html, layout, path, Some(outer_path), facts.of(path));
                (path, "i")
            }
            Element::Mark(mark) => {
                let _ = write!(html, "<mark data-d=\"{}\"", mark.number);
                if let Some(id) = &mark.id {
                    let _ = write!(html, " id=\"{id}\"");
                }
                (outer_path, "mark")
            }
        };
        html.push('>');
        // An element never ends after the one around it.
        open.push(Open { end: range.end.min(outer), path, tag });
    }
    while !open.is_empty() {
        close(html, layout, &mut open, &mut written);
    }
    charge.cover(GROWTH * html.len() as u64)
}

/// An element that is not closed yet.
struct Open {
    end: usize,
    path: Path,
    tag: &'static str,
}

fn close(html: &mut String, layout: &Layout<'_>, open: &mut Vec<Open>, written: &mut usize) {
    let Some(Open { end, tag, .. }) = open.pop() else { return };
    escape(html, &layout.printed.text()[*written..end.max(*written)]);
    *written = end.max(*written);
    let _ = write!(html, "</{tag}>");
}

fn write_place(html: &mut String, layout: &Layout<'_>, path: Path, around: Option<Path>, fact: Option<Fact>) {
    html.push_str(" data-p=\"");
    let steps = around.and_then(|around| layout.printed.steps_below(around, path));
    let text: String = match steps {
        Some(steps) => steps.iter().map(ToString::to_string).collect(),
        None => layout.printed.paths().access_path(path).to_string(),
    };
    escape(html, &text);
    html.push('"');
    if let Some(Fact { type_key, note }) = fact {
        let _ = write!(html, " data-t=\"{type_key}\"");
        if let Some(note) = note {
            let _ = write!(html, " data-s=\"{note}\"");
        }
    }
}

/// Writes text as the content of an element, or of an attribute in double quotes.
pub(super) fn escape(html: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            char => html.push(char),
        }
    }
}
