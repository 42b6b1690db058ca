//! The page: its template, the summary and the list of edits, sections, rows.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use crate::Result;
use crate::access_path::AccessPath;
use crate::page::alignment::{AlignedSection, align, alone};
use crate::page::edits::PageEdits;
use crate::page::facts::{Facts, Tables};
use crate::page::layout::{Layout, Piece};
use crate::page::line::{Body, Mark, escape, write_line};
use crate::page::options::{Page, Shown};
use crate::page::words::{ADDED, CHANGED, EQUAL, EQUAL_LINES, LEFT_OUT, REMOVED, word, words};
use crate::pairing::Row;
use crate::print::PrintedText;
use crate::table::Table;
use crate::text::counted::counted;

/// The number of rows that the browser lays out at one time.
const BLOCK: usize = 50;

/// A page with more rows has the blocks without marks as text, of which the program makes elements near the window.
const LONG: usize = 5000;

/// The most bytes for folded equal lines: between edits, and in equal sections. The page leaves out further ones, because a
/// browser reads all of a page before it shows the first edit.
const EQUAL_BYTES: usize = 8 << 20;

/// The number of equal lines around an edit that are not folded, and the least number of lines that are.
const CONTEXT: usize = 3;
const LEAST_FOLD: usize = 8;

/// The memory of the body and of the page, as a multiple of the body.
const PARTS: u64 = 3;

/// The memory for each place of a text and for each of its pieces: the layout, the index of places, and the facts.
const PLACE: usize = 200;
const PIECE: usize = 2 * size_of::<Piece>();

/// The memory of one side of the page.
fn side_bytes(printed: &PrintedText) -> u64 {
    (printed.paths().count() * PLACE + printed.numbered_spans().len() * PIECE) as u64
}

/// One side of the page.
struct Side<'a> {
    layout: Layout<'a>,
    facts: Facts,
    /// The marks of each line that has some.
    marks: Table<usize, Vec<Mark>>,
    /// The class of this side: `a` or `b`.
    class: char,
}

impl<'a> Side<'a> {
    fn new(class: char, shown: &Shown<'a>, page: &Page<'_>, tables: &mut Tables) -> Self {
        let layout = Layout::new(shown.printed, &page.name_of);
        Side {
            layout,
            facts: Facts::new(shown.printed, shown.root, &page.note_of, tables),
            marks: Table::default(),
            class,
        }
    }

    /// Marks the pieces of the places of an edit or of a remark.
    fn mark(&mut self, number: usize, paths: &[AccessPath]) {
        let printed = self.layout.printed;
        // An edit may have parts that no text shows, such as an entry of an index of names.
        let shows_some = paths.iter().any(|path| printed.shows(path));
        let shown = paths.iter().filter(|path| !shows_some || printed.shows(path));
        let mut pieces: Vec<Range<usize>> = shown.flat_map(|path| printed.pieces_of(path)).collect();
        // Several places may have one piece.
        pieces.sort_by_key(|piece| (piece.start, piece.end));
        pieces.dedup();
        for (index, piece) in pieces.into_iter().enumerate() {
            let at = self.layout.line_at(piece.start);
            let Some(line) = self.layout.lines.get(at) else { continue };
            // Of a place of several lines, the mark covers the first one.
            let range = piece.start..piece.end.min(line.range.end);
            let id = (index == 0).then(|| format!("{}{number}", self.class));
            self.marks.entry(at).or_default().push(Mark { range, number, id });
        }
    }

    fn marks(&self, line: Option<usize>) -> &[Mark] {
        line.and_then(|line| self.marks.get(&line)).map_or(&[], Vec::as_slice)
    }

    fn write(&self, body: &mut Body, line: Option<usize>) -> Result<()> {
        match line {
            Some(number) => {
                let _ = write!(body.html, "<b class=\"{}\">{}</b>", self.class, number + 1);
                write_line(body, &self.layout, &self.layout.lines[number], self.marks(line), &self.facts)
            }
            None => {
                body.html.push_str("<b></b><code></code>");
                Ok(())
            }
        }
    }
}

impl Page<'_> {
    /// The page as text.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) beyond the limit of the [`meter`](Self::meter).
    pub fn to_html(&self) -> Result<String> {
        page(self).map_err(|error| error.context("the page"))
    }
}

fn page(page: &Page<'_>) -> Result<String> {
    let Page { left, right, edits, remarks, meter, .. } = page;
    let right = right.as_ref();
    let texts = [Some(left.printed), right.map(|right| right.printed)];
    let _sides = meter.reserve(texts.into_iter().flatten().map(side_bytes).sum())?;
    let mut tables = Tables::default();
    let mut left_side = Side::new('a', left, page, &mut tables);
    let mut right_side = right.map(|right| Side::new('b', right, page, &mut tables));
    for (index, edit) in edits.shown.iter().enumerate() {
        left_side.mark(index + 1, &edit.parts[0]);
        if let Some(side) = &mut right_side {
            side.mark(index + 1, &edit.parts[1]);
        }
    }
    for (index, (path, _)) in remarks.iter().enumerate() {
        left_side.mark(edits.shown.len() + index + 1, std::slice::from_ref(path));
    }
    let sections = match &right_side {
        Some(right_side) => align(&left_side.layout, &right_side.layout, edits, &page.name_of),
        None => alone(&left_side.layout),
    };
    let is_long = sections.iter().map(|section| section.rows.len()).sum::<usize>() > LONG;
    let mut body = Body { html: String::new(), charge: meter.nothing(), is_long, equal_bytes: EQUAL_BYTES };
    // Changed sections come first, and equal ones last.
    let mut written: Vec<(Status, &AlignedSection)> =
        sections.iter().map(|it| (Status::of(it, &left_side, right_side.as_ref()), it)).collect();
    written.sort_by_key(|(status, section)| (section.name.is_some(), status.rank()));
    for (status, section) in written {
        write_section(&mut body, section, &status, &left_side, right_side.as_ref())?;
    }

    let mut title = left.title.clone();
    if let Some(right) = right {
        let _ = write!(title, " and {}", right.title);
    }
    let noun = if right.is_some() { "edit" } else { "remark" };
    // The page takes the body and the tables in.
    body.charge.cover(PARTS * body.html.capacity() as u64)?;
    Ok(format!(
        include_str!("page.html"),
        title = escaped(&title),
        style = concat!(include_str!("palette.css"), include_str!("shared.css"), include_str!("page.css")),
        program = program(&[("note", &page.note_label), ("noun", noun)], include_str!("page.js")),
        noun = noun,
        layout = if right.is_some() { "pair" } else { "single" },
        heading = heading(left, right, edits),
        summary = list_items(&edits.summary),
        edits = list_of(edits) + &list_of_remarks(remarks, edits.shown.len()),
        sections = body.html,
        types = list_items(&tables.types.texts),
        infos = list_items(&tables.notes.texts),
    ))
}

/// The program of a page: what all pages share, and then its own part. `own` has words in place of the ones of the table.
pub(super) fn program(own: &[(&str, &str)], part: &str) -> String {
    // A text of JSON is a text of JavaScript.
    let words = in_script(&words(own));
    format!("\"use strict\";\n(() => {{\nconst words = {words};\n{}{part}}})();\n", include_str!("shared.js"))
}

/// A value of JSON in an element `script`. Without `<`, its texts cannot end the element.
pub(super) fn in_script(value: &serde_json::Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

pub(super) fn escaped(text: &str) -> String {
    let mut html = String::new();
    escape(&mut html, text);
    html
}

fn list_items(texts: &[String]) -> String {
    texts.iter().map(|text| format!("<li>{}</li>", escaped(text))).collect()
}

fn heading(left: &Shown<'_>, right: Option<&Shown<'_>>, edits: &PageEdits) -> String {
    let left = escaped(&left.title);
    let Some(right) = right else { return format!("<h1>{left}</h1>") };
    let mut verdict = match (edits.count(), edits.shown.len()) {
        (0, _) => "equal".to_owned(),
        (count, shown) if shown < count => format!("{}, of which the page shows {shown}", counted(count, "edit")),
        (count, _) => counted(count, "edit"),
    };
    if edits.search_ended {
        verdict.push_str(", of a search that ended at the limit of steps");
    }
    let name = |side: char, name: &str| {
        format!("<span class=\"{side}\" title=\"{name}\"><bdi dir=\"ltr\">{name}</bdi></span>")
    };
    let names = [name('a', &left), name('b', &escaped(&right.title))].join(" ");
    format!("<h1>{names}</h1><p class=\"verdict\">{verdict}</p>")
}

/// The list of edits, each with a link to its first mark, and its details.
fn list_of(edits: &PageEdits) -> String {
    let mut html = String::new();
    for (index, edit) in edits.shown.iter().enumerate() {
        let number = index + 1;
        let side = if edit.parts[0].is_empty() { 'b' } else { 'a' };
        write_item(&mut html, edit.class, (side, number), &edit.title, &edit.place, &edit.details);
    }
    html
}

/// The list of remarks, after `before` edits.
fn list_of_remarks(remarks: &[(AccessPath, String)], before: usize) -> String {
    let mut html = String::new();
    for (index, (path, remark)) in remarks.iter().enumerate() {
        write_item(&mut html, CHANGED, ('a', before + index + 1), remark, &path.to_string(), &[]);
    }
    html
}

fn write_item(
    html: &mut String,
    kind: &str,
    (side, number): (char, usize),
    title: &str,
    place: &str,
    details: &[String],
) {
    let (title, place) = (escaped(title), escaped(place));
    let details = if details.is_empty() { String::new() } else { format!("<ul>{}</ul>", list_items(details)) };
    let _ = write!(
        html,
        "<li data-k=\"{kind}\"><a href=\"#{side}{number}\" data-d=\"{number}\">{title}</a> <code>{place}</code>{details}</li>"
    );
}

/// The content of a section.
enum Status {
    /// One text alone.
    Alone,
    /// As many edits; none if the page shows none of the section.
    Changed(usize),
    Added,
    Removed,
    Equal,
}

impl Status {
    fn of(section: &AlignedSection, left: &Side<'_>, right: Option<&Side<'_>>) -> Self {
        if right.is_none() {
            return Status::Alone;
        }
        match (section.is_on(0), section.is_on(1)) {
            (false, _) => return Status::Added,
            (_, false) => return Status::Removed,
            _ if section.rows.iter().all(|row| is_same(row, left, right)) => return Status::Equal,
            _ => {}
        }
        let marks = |row: &Row| [left.marks(row.0), right.map_or(&[], |right| right.marks(row.1))].concat();
        let found: BTreeSet<usize> = section.rows.iter().flat_map(marks).map(|mark| mark.number).collect();
        Status::Changed(found.len())
    }

    /// The rank of the section on the page.
    fn rank(&self) -> usize {
        match self {
            Status::Alone | Status::Changed(_) => 0,
            Status::Added | Status::Removed => 1,
            Status::Equal => 2,
        }
    }

    fn is_open(&self) -> bool {
        self.rank() == 0
    }

    /// The words after the name of the section.
    fn html(&self) -> String {
        let (class, text) = match self {
            Status::Alone => return String::new(),
            Status::Changed(count @ 1..) => (CHANGED, counted(*count, "edit")),
            Status::Changed(_) => (CHANGED, word(CHANGED).to_owned()),
            Status::Added => (ADDED, word(ADDED).to_owned()),
            Status::Removed => (REMOVED, word(REMOVED).to_owned()),
            Status::Equal => (EQUAL, word(EQUAL).to_owned()),
        };
        format!(" <span class=\"{class}\">{text}</span>")
    }
}

fn is_marked(row: &Row, left: &Side<'_>, right: Option<&Side<'_>>) -> bool {
    !left.marks(row.0).is_empty() || right.is_some_and(|right| !right.marks(row.1).is_empty())
}

/// Whether both sides have the line, without a mark.
fn is_same(row: &Row, left: &Side<'_>, right: Option<&Side<'_>>) -> bool {
    right.is_none() || row.0.is_some() && row.1.is_some() && !is_marked(row, left, right)
}

fn write_section(
    body: &mut Body,
    section: &AlignedSection,
    status: &Status,
    left: &Side<'_>,
    right: Option<&Side<'_>>,
) -> Result<()> {
    if let Some(name) = &section.name {
        let (name, words, open) = (escaped(name), status.html(), if status.is_open() { " open" } else { "" });
        let _ = writeln!(body.html, "<details class=\"function\"{open}><summary>{name}{words}</summary>");
    }
    let is_same = |row: &Row| right.is_some() && is_same(row, left, right);
    // The rows that stand before the ones that are left, and are not written yet.
    let (mut start, mut at) = (0, 0);
    let rows = section.rows.as_slice();
    while at < rows.len() && status.is_open() {
        let run = rows[at..].iter().take_while(|row| is_same(row)).count();
        let (before, after) = context(section, rows.len() - at, run);
        if run >= before + after + LEAST_FOLD {
            let (first, last) = (at + before, at + run - after);
            write_rows(body, &rows[start..first], left, right)?;
            let hidden = last - first;
            let _ = writeln!(body.html, "<details class=\"run\"><summary>{hidden} {}</summary>", word(EQUAL_LINES));
            write_equal_rows(body, &rows[first..last], left, right)?;
            body.html.push_str("</details>\n");
            start = last;
        }
        at += run.max(1);
    }
    match status {
        Status::Equal => write_equal_rows(body, rows, left, right)?,
        _ => write_rows(body, &rows[start..], left, right)?,
    }
    if section.name.is_some() {
        body.html.push_str("</details>\n");
    }
    Ok(())
}

/// The numbers of equal lines that stay visible at the start and at the end of a run of `run` lines, with which the last
/// `rest` rows of the section begin.
fn context(section: &AlignedSection, rest: usize, run: usize) -> (usize, usize) {
    // The first line of a section stays visible as well.
    let before = if rest == section.rows.len() { 1 } else { CONTEXT };
    (before, if run == rest { 0 } else { CONTEXT })
}

/// Writes folded rows, and a remark in place of those that exceed the [`EQUAL_BYTES`] of the page.
fn write_equal_rows(body: &mut Body, rows: &[Row], left: &Side<'_>, right: Option<&Side<'_>>) -> Result<()> {
    for block in rows.chunks(BLOCK) {
        if body.equal_bytes == 0 {
            let _ = writeln!(body.html, "<p>{}</p>", word(LEFT_OUT));
            break;
        }
        let before = body.html.len();
        write_rows(body, block, left, right)?;
        body.equal_bytes = body.equal_bytes.saturating_sub(body.html.len() - before);
    }
    Ok(())
}

/// Writes rows in blocks.
fn write_rows(body: &mut Body, rows: &[Row], left: &Side<'_>, right: Option<&Side<'_>>) -> Result<()> {
    for block in rows.chunks(BLOCK) {
        // Texts of the page have no `<` of their own, so they do not end the script.
        let is_text = body.is_long && !block.iter().any(|row| is_marked(row, left, right));
        let [start, end] = if is_text { ["<script type=\"text/plain\">", "</script>"] } else { ["", ""] };
        let _ = writeln!(body.html, "<div class=\"rows\" style=\"--n:{}\">{start}", block.len());
        block.iter().try_for_each(|row| write_row(body, row, left, right))?;
        let _ = writeln!(body.html, "{end}</div>");
    }
    Ok(())
}

fn write_row(body: &mut Body, row: &Row, left: &Side<'_>, right: Option<&Side<'_>>) -> Result<()> {
    let class = match row {
        _ if right.is_none() => "same",
        (Some(_), None) => "changed a",
        (None, Some(_)) => "changed b",
        _ if is_same(row, left, right) => "same",
        _ => "changed",
    };
    let _ = write!(body.html, "<div class=\"row {class}\">");
    left.write(body, row.0)?;
    if let Some(right) = right {
        right.write(body, row.1)?;
    }
    body.html.push_str("</div>\n");
    Ok(())
}
