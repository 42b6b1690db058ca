//! [`DiffText`]: differences and edits as text with underlined places.

use std::fmt;

use annotate_snippets::{AnnotationKind, Element, Level, Renderer};
use object_core::access_path::AccessPath;
use object_core::edit::{Edit, EditDetail, EditGroup, EditKind};
use object_core::inert;
use object_core::page::PageEdits;
use object_core::structural::{EarlierBinding, Mismatch, MismatchReason};

use super::OneLine;
use super::program_edits::ProgramEdits;
use super::snippet::snippet;
use crate::print::Script;

/// The number of changed parts that the text of an edit lists.
const DETAILS: usize = 6;

/// The number of bytes of the longest part of a script in the text of an edit.
const MAX_PIECE: usize = 120;

/// Two programs as the surroundings of their differences.
pub struct DiffText<'a> {
    /// The names of the files or of the programs.
    pub names: [&'a str; 2],
    /// The programs as the printer writes them. Without them, the text has the values in place of excerpts.
    pub scripts: Option<&'a [Script; 2]>,
    /// The style of the text.
    pub renderer: &'a Renderer,
}

impl DiffText<'_> {
    /// A difference as the underlined places of both scripts, with the reason in words.
    #[must_use]
    pub fn of(&self, difference: &Mismatch) -> String {
        let text = DifferenceText(difference);
        let [lhs, rhs] = text.values();
        let sides = [(&difference.lhs, lhs), (&difference.rhs, rhs)].map(|(path, value)| {
            // Where the text does not show the place itself, the value says what is there.
            value.map(|value| Side { path: path.clone(), value: Some(value) })
        });
        self.render("difference", &text.title(), sides, &[("path".to_owned(), text.path())])
    }

    /// The edits of a diff by function: the summary, and the first `limit` edits, each with the underlined unit in both scripts and
    /// the changed parts. The text begins with a line end. Of two values with equal texts, `found` may have the reason why they
    /// differ.
    #[must_use]
    pub fn of_edits(&self, edits: &ProgramEdits<'_>, found: &[Mismatch], limit: usize) -> String {
        let listed =
            edits.groups().iter().flat_map(|group| group.whole.iter().chain(&group.edits).map(move |it| (group, it)));
        let mut text = edits.to_string();
        for (group, edit) in listed.take(limit) {
            text.push_str("\n\n");
            text.push_str(&self.of_edit(edits, found, group, edit));
        }
        text
    }

    fn of_edit(&self, edits: &ProgramEdits<'_>, found: &[Mismatch], group: &EditGroup, edit: &Edit) -> String {
        let details = edits.script().details(edit, edits.roots());
        let units = edit.paths();
        let mut notes = vec![("path".to_owned(), edit.place_text())];
        notes.extend(self.details(&details, found));
        let sides = [0, 1].map(|side| {
            if edit.kind == [EditKind::Insert, EditKind::Delete][side] {
                return None;
            }
            let value = match (&*details, self.scripts) {
                ([], _) => units[side].find(edits.roots()[side]).ok().map(|value| OneLine(value).to_string()),
                ([detail], Some(_)) => detail.values[side].as_ref().map(|value| OneLine(value.view()).to_string()),
                _ => None,
            };
            let path = details.iter().map(|it| &it.paths[side]).cloned().reduce(|a, b| common_path(&a, &b));
            Some(Side { path: path.unwrap_or_else(|| units[side].clone()), value })
        });
        self.render(edit.kind.word(), &edits.title(group, edit), sides, &notes)
    }

    /// The first changed parts, each with its place in the unit.
    fn details(&self, details: &[EditDetail], found: &[Mismatch]) -> Vec<(String, String)> {
        let shown =
            details.iter().take(DETAILS).map(|detail| (inside_text(&detail.inside), self.detail(detail, found)));
        let more = details.len().checked_sub(DETAILS).filter(|more| *more > 0);
        let note = more.map(|more| ("note".to_owned(), format!("{more} further parts differ")));
        shown.chain(note).collect()
    }

    /// The edits of a diff on a page: as the text has them, the first `limit` of them.
    #[must_use]
    pub fn page_edits(&self, edits: &ProgramEdits<'_>, found: &[Mismatch], limit: usize) -> PageEdits {
        let describe = |group: &EditGroup, edit: &Edit| {
            let details = self.details(&edits.script().details(edit, edits.roots()), found);
            (edits.title(group, edit), details.into_iter().map(|(place, text)| format!("{place}: {text}")).collect())
        };
        PageEdits::new(edits.script(), describe).summary(&edits.to_string()).limit(limit)
    }

    /// The values of a changed part: `a -> b`; with the reason if they print alike.
    fn detail(&self, detail: &EditDetail, found: &[Mismatch]) -> String {
        let [before, after] = [0, 1].map(|side| {
            let value = detail.values[side].as_ref()?;
            let shown = self.scripts.and_then(|scripts| piece(&scripts[side], &detail.paths[side]));
            Some(shown.unwrap_or_else(|| OneLine(value.view()).to_string()))
        });
        match (before, after) {
            (Some(before), Some(after)) if before == after => {
                let known = found.iter().find(|it| [&it.lhs, &it.rhs] == detail.paths.each_ref());
                let reason = known.map_or_else(|| "another object".to_owned(), |it| DifferenceText(it).explanation());
                format!("{before} -> {after} ({reason})")
            }
            (Some(before), Some(after)) => format!("{before} -> {after}"),
            (Some(before), None) => format!("{before}, on the left only"),
            (None, Some(after)) => format!("{after}, on the right only"),
            (None, None) => String::new(),
        }
    }

    /// A title, the excerpts around the places of both sides, and notes.
    fn render(&self, name: &str, title: &str, sides: [Option<Side>; 2], notes: &[(String, String)]) -> String {
        let inert = |text: &str| inert(text).to_string();
        let mut group = Level::INFO.with_name(name).primary_title(inert(title)).elements(Vec::<Element<'_>>::new());
        let (mut texts, mut has_excerpt) = (Vec::new(), false);
        for (index, side) in sides.into_iter().enumerate() {
            let Some(Side { path, value }) = side else { continue };
            match self.scripts.map(|scripts| &scripts[index]) {
                Some(script) => {
                    let label = if script.shows(&path) { None } else { value };
                    let file = format!("script of {}", self.names[index]);
                    if let Some(snippet) = snippet(script, file, &path, AnnotationKind::Primary, label) {
                        group = group.element(snippet);
                        has_excerpt = true;
                    }
                }
                None => texts.extend(value.map(|value| (["-", "+"][index].to_owned(), value))),
            }
        }
        for (name, text) in notes.iter().chain(&texts) {
            group = group.element(Level::NOTE.with_name(inert(name)).message(inert(text)));
        }
        let text = self.renderer.render(&[group]);
        if has_excerpt { text } else { without_gutter(&text) }
    }
}

/// A text without excerpts, without the empty gutter in front of its notes.
fn without_gutter(text: &str) -> String {
    let is_gutter = |line: &&str| {
        let mut parts = line.split('\u{1b}');
        let first = parts.next().unwrap_or_default();
        // The other parts begin with a colour.
        let rest = parts.filter_map(|part| part.split_once('m')).map(|(_, text)| text);
        let shown: String = std::iter::once(first).chain(rest).collect();
        shown.trim() == "|"
    };
    text.lines().filter(|line| !is_gutter(line)).collect::<Vec<_>>().join("\n")
}

/// The part of one side that a text shows: a place, and the value for texts that do not show the place.
struct Side {
    path: AccessPath,
    value: Option<String>,
}

/// A path from a unit to its part, as `value.args[0]`.
#[must_use]
pub fn inside_text(path: &AccessPath) -> String {
    let text: String = path.steps().iter().map(ToString::to_string).collect();
    if text.is_empty() { "value".to_owned() } else { text.trim_start_matches('.').to_owned() }
}

/// The text of a place in a script, if it is a short part of a line.
fn piece(script: &Script, path: &AccessPath) -> Option<String> {
    let range = script.shows(path).then(|| script.pieces_of(path).into_iter().next()).flatten()?;
    let text = script.text().get(range)?;
    (!text.contains('\n') && text.len() <= MAX_PIECE).then(|| text.to_owned())
}

/// The path of the innermost place that contains two places.
fn common_path(a: &AccessPath, b: &AccessPath) -> AccessPath {
    let steps = a.steps().iter().zip(b.steps()).take_while(|(a, b)| a == b);
    AccessPath::from_steps(steps.map(|(step, _)| step.clone()))
}

/// The result of a comparison in one line: `different: a and b, in 2 places`.
#[must_use]
pub fn diff_summary([a, b]: [&str; 2], count: usize) -> String {
    match count {
        0 => format!("equal: {a} and {b}"),
        1 => format!("different: {a} and {b}, in 1 place"),
        count => format!("different: {a} and {b}, in {count} places"),
    }
}

/// A difference in words.
#[derive(Clone, Copy, Debug)]
pub struct DifferenceText<'a>(pub &'a Mismatch);

impl DifferenceText<'_> {
    /// The two values, each on one line.
    #[must_use]
    pub fn values(self) -> [Option<String>; 2] {
        let Mismatch { lhs_value, rhs_value, variants: [lhs, rhs], .. } = self.0;
        [(lhs_value, lhs), (rhs_value, rhs)].map(|(value, variant)| {
            let value = value.as_ref().map(|value| OneLine(value.view()));
            variant.map(|it| it.to_string()).or_else(|| value.map(|it| it.to_string()))
        })
    }

    /// The difference in a few words.
    #[must_use]
    pub fn title(self) -> String {
        match (&self.0.lhs_value, &self.0.rhs_value) {
            (Some(_), None) => "on the left only".to_owned(),
            (None, Some(_)) => "on the right only".to_owned(),
            _ => self.explanation(),
        }
    }

    /// The reason in words.
    #[must_use]
    pub fn explanation(self) -> String {
        Explanation(&self.0.reason).to_string()
    }

    /// The place.
    #[must_use]
    pub fn path(self) -> String {
        let (lhs, rhs) = (self.0.lhs.to_string(), self.0.rhs.to_string());
        match (&self.0.lhs_value, &self.0.rhs_value) {
            (None, Some(_)) => rhs,
            (Some(_), Some(_)) if lhs != rhs => format!("{lhs} on the left, {rhs} on the right"),
            _ => lhs,
        }
    }
}

/// A reason in words.
struct Explanation<'a>(&'a MismatchReason);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MismatchReason::Binding { lhs, rhs } = self.0 else { return self.0.fmt(f) };
        if lhs.is_none() && rhs.is_none() {
            return self.0.fmt(f);
        }
        let place = |side: &Option<Box<EarlierBinding>>, place: fn(&EarlierBinding) -> &AccessPath| {
            let bound = |it: &EarlierBinding| format!("is bound at {}", place(it));
            side.as_deref().map_or_else(|| "is free, or its binding has no counterpart".to_owned(), bound)
        };
        write!(f, "- {}; + {}", place(lhs, |it| &it.lhs), place(rhs, |it| &it.rhs))
    }
}
