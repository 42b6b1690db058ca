//! The page: its template, the list of differences, sections, rows.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

use crate::Result;
use crate::access_path::AccessPath;
use crate::page::alignment::{AlignedSection, align, alone};
use crate::page::facts::{Facts, Tables};
use crate::page::layout::{Layout, Piece};
use crate::page::line::{Body, Mark, escape, write_line};
use crate::page::options::{Page, Shown};
use crate::pairing::Row;
use crate::print::PrintedText;
use crate::structural::{Mismatch, MismatchReason};
use crate::table::Table;
use crate::text::counted::counted;

const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");

/// The number of equal lines around a difference that are not folded, and the least number of lines that are.
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

    /// Marks the pieces of a difference.
    fn mark(&mut self, difference: usize, pieces: Vec<Range<usize>>) {
        for (index, piece) in pieces.into_iter().enumerate() {
            let number = self.layout.line_at(piece.start);
            let Some(line) = self.layout.lines.get(number) else { continue };
            // Of a place of several lines, the mark covers the first one.
            let range = piece.start..piece.end.min(line.range.end);
            let id = (index == 0).then(|| format!("{}{difference}", self.class));
            self.marks.entry(number).or_default().push(Mark { range, difference, id });
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
    let Page { left, right, differences, has_more, remarks, meter, .. } = page;
    let right = right.as_ref();
    let texts = [Some(left.printed), right.map(|right| right.printed)];
    let _sides = meter.reserve(texts.into_iter().flatten().map(side_bytes).sum())?;
    let mut tables = Tables::default();
    let mut left_side = Side::new('a', left, page, &mut tables);
    let mut right_side = right.map(|right| Side::new('b', right, page, &mut tables));
    for (index, difference) in differences.iter().enumerate() {
        if difference.lhs_value.is_some() {
            left_side.mark(index + 1, left.printed.pieces_of(&difference.lhs));
        }
        if let (Some(side), Some(right), Some(_)) = (&mut right_side, right, &difference.rhs_value) {
            side.mark(index + 1, right.printed.pieces_of(&difference.rhs));
        }
    }
    for (index, (path, _)) in remarks.iter().enumerate() {
        left_side.mark(differences.len() + index + 1, left.printed.pieces_of(path));
    }
    let sections = match &right_side {
        Some(right_side) => align(&left_side.layout, &right_side.layout, differences),
        None => alone(&left_side.layout),
    };
    let mut body = Body { html: String::new(), charge: meter.nothing() };
    for section in &sections {
        write_section(&mut body, section, &left_side, right_side.as_ref())?;
    }

    let mut title = left.title.clone();
    if let Some(right) = right {
        let _ = write!(title, " and {}", right.title);
    }
    let noun = if right.is_some() { "difference" } else { "remark" };
    // The page takes the body and the tables in.
    body.charge.cover(PARTS * body.html.capacity() as u64)?;
    Ok(format!(
        include_str!("page.html"),
        title = escaped(&title),
        style = STYLE,
        program = program(&page.note_label, noun),
        noun = noun,
        layout = if right.is_some() { "pair" } else { "single" },
        heading = heading(left, right, differences.len(), *has_more),
        differences = list_of(differences) + &list_of_remarks(remarks, differences.len()),
        sections = body.html,
        types = list_items(&tables.types.texts),
        infos = list_items(&tables.notes.texts),
    ))
}

/// The program, which shows `note_label` before notes, and `noun` before what the list says about a mark.
fn program(note_label: &str, noun: &str) -> String {
    // A text of JSON is a text of JavaScript.
    let label = in_script(&note_label.into());
    PROGRAM.replace("\"note\"", &label).replace("\"difference\"", &format!("\"{noun}\""))
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

fn heading(left: &Shown<'_>, right: Option<&Shown<'_>>, count: usize, has_more: bool) -> String {
    let left = escaped(&left.title);
    let Some(right) = right else { return format!("<h1>{left}</h1>") };
    let verdict = match (count, has_more) {
        (0, _) => "equal".to_owned(),
        (count, false) => counted(count, "difference"),
        (count, true) => format!("more than {count} differences"),
    };
    format!(
        "<h1><span class=\"a\">{left}</span> <span class=\"b\">{}</span></h1><p class=\"verdict\">{verdict}</p>",
        escaped(&right.title)
    )
}

/// A reason in words, without the values, which the page shows.
fn reason(reason: &MismatchReason) -> String {
    match reason {
        MismatchReason::Binding { .. } => "the variables do not correspond".to_owned(),
        reason => reason.to_string(),
    }
}

/// The list of differences, each with a link to its first mark.
fn list_of(differences: &[Mismatch]) -> String {
    let mut html = String::new();
    for (index, difference) in differences.iter().enumerate() {
        let number = index + 1;
        let (side, path, reason) = match (&difference.lhs_value, &difference.rhs_value) {
            (Some(_), None) => ('a', &difference.lhs, "on the left only".to_owned()),
            (None, Some(_)) => ('b', &difference.rhs, "on the right only".to_owned()),
            _ => ('a', &difference.lhs, reason(&difference.reason)),
        };
        let _ = write!(
            html,
            "<li><a href=\"#{side}{number}\" data-d=\"{number}\">{}</a> <code>{}</code></li>",
            escaped(&reason),
            escaped(&path.to_string())
        );
    }
    html
}

/// The list of remarks, after `before` differences.
fn list_of_remarks(remarks: &[(AccessPath, String)], before: usize) -> String {
    let mut html = String::new();
    for (index, (path, remark)) in remarks.iter().enumerate() {
        let number = before + index + 1;
        let (remark, path) = (escaped(remark), escaped(&path.to_string()));
        let _ = write!(html, "<li><a href=\"#a{number}\" data-d=\"{number}\">{remark}</a> <code>{path}</code></li>");
    }
    html
}

fn write_section(body: &mut Body, section: &AlignedSection, left: &Side<'_>, right: Option<&Side<'_>>) -> Result<()> {
    let is_marked =
        |row: &Row| !left.marks(row.0).is_empty() || right.is_some_and(|right| !right.marks(row.1).is_empty());
    let is_same = |row: &Row| right.is_none() || row.0.is_some() && row.1.is_some() && !is_marked(row);
    let found: BTreeSet<usize> = section
        .rows
        .iter()
        .flat_map(|row| left.marks(row.0).iter().chain(right.map_or(&[][..], |right| right.marks(row.1))))
        .map(|mark| mark.difference)
        .collect();
    let is_open = right.is_none() || section.is_on(0) && section.is_on(1) && !section.rows.iter().all(is_same);
    if let Some(name) = &section.name {
        let status = match (section.is_on(0), section.is_on(1), found.len()) {
            _ if right.is_none() => String::new(),
            (true, false, _) => " <span class=\"count\">on the left only</span>".to_owned(),
            (false, true, _) => " <span class=\"count\">on the right only</span>".to_owned(),
            (_, _, 0) if !is_open => " <span class=\"equal\">equal</span>".to_owned(),
            // The list of differences ends before this section.
            (_, _, 0) => " <span class=\"count\">different</span>".to_owned(),
            (_, _, count) => format!(" <span class=\"count\">{}</span>", counted(count, "difference")),
        };
        let open = if is_open { " open" } else { "" };
        let _ = writeln!(body.html, "<details class=\"function\"{open}><summary>{}{status}</summary>", escaped(name));
    }
    let mut rows = section.rows.as_slice();
    while !rows.is_empty() {
        let run = rows.iter().take_while(|row| right.is_some() && is_same(row)).count();
        let (before, after) = context(section, rows.len(), run);
        if is_open && run >= before + after + LEAST_FOLD {
            rows[..before].iter().try_for_each(|row| write_row(body, row, "same", left, right))?;
            let hidden = run - before - after;
            let _ = writeln!(body.html, "<details class=\"run\"><summary>{hidden} equal lines</summary>");
            rows[before..run - after].iter().try_for_each(|row| write_row(body, row, "same", left, right))?;
            body.html.push_str("</details>\n");
            rows[run - after..run].iter().try_for_each(|row| write_row(body, row, "same", left, right))?;
            rows = &rows[run..];
        } else {
            let count = run.max(1);
            let class = |row| if is_same(row) { "same" } else { "changed" };
            rows[..count].iter().try_for_each(|row| write_row(body, row, class(row), left, right))?;
            rows = &rows[count..];
        }
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

fn write_row(body: &mut Body, row: &Row, class: &str, left: &Side<'_>, right: Option<&Side<'_>>) -> Result<()> {
    let side = match row {
        _ if right.is_none() => "",
        (Some(_), None) => " a",
        (None, Some(_)) => " b",
        _ => "",
    };
    let _ = write!(body.html, "<div class=\"row {class}{side}\">");
    left.write(body, row.0)?;
    if let Some(right) = right {
        right.write(body, row.1)?;
    }
    body.html.push_str("</div>\n");
    Ok(())
}
