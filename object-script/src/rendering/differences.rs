//! [`DiffText`]: differences as text with underlined places.

use std::fmt;

use annotate_snippets::{AnnotationKind, Element, Level, Renderer};
use object_core::access_path::AccessPath;
use object_core::structural::{EarlierBinding, Mismatch, MismatchReason};

use super::OneLine;
use super::snippet::snippet;
use crate::print::Script;

/// Two programs whose scripts show differences.
pub struct DiffText<'a> {
    /// The names of the files or of the programs.
    pub names: [&'a str; 2],
    /// The programs as the printer writes them.
    pub scripts: &'a [Script; 2],
    /// The style of the text.
    pub renderer: &'a Renderer,
}

impl DiffText<'_> {
    /// A difference as the underlined places of both scripts, with the reason in words.
    #[must_use]
    pub fn of(&self, difference: &Mismatch) -> String {
        let text = DifferenceText(difference);
        let mut group =
            Level::INFO.with_name("difference").primary_title(text.title()).elements(Vec::<Element<'_>>::new());
        let places = [&difference.lhs, &difference.rhs].into_iter().zip(text.values());
        for ((path, value), (name, script)) in places.zip(self.names.into_iter().zip(self.scripts)) {
            let Some(value) = value else { continue };
            // Where the text does not show the place itself, the value says what is there.
            let label = (!script.shows(path)).then_some(value);
            let file = format!("script of {name}");
            if let Some(snippet) = snippet(script, file, path, AnnotationKind::Primary, label) {
                group = group.element(snippet);
            }
        }
        self.renderer.render(&[group.element(Level::NOTE.with_name("path").message(text.path()))])
    }
}

/// The result of a comparison in one line: `different: a and b, in 2 places`.
#[must_use]
pub fn diff_summary([a, b]: [&str; 2], count: usize, has_more: bool) -> String {
    let more = if has_more { "more than " } else { "" };
    match count {
        0 => format!("equal: {a} and {b}"),
        1 => format!("different: {a} and {b}, in {more}1 place"),
        count => format!("different: {a} and {b}, in {more}{count} places"),
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
