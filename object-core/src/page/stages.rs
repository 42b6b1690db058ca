//! [`StagesPage`]: a program before and after each pass, as a page in HTML.
//!
//! The page holds each section of the texts once, however many stages show it. The program of the page compares two stages line by
//! line: lines correspond if they are equal up to the names of variables, and if no variable corresponds to two others.

use std::ops::Range;

use serde_json::{Value, json};

use crate::Result;
use crate::access_path::AccessPath;
use crate::meter::{Charge, Meter};
use crate::object::{AnyView, AsAnyView, SEqHashKind};
use crate::page::facts::Texts;
use crate::page::html::{escaped, in_script, program};
use crate::page::layout::Layout;
use crate::print::PrintedText;

/// The character around the names of variables in the texts of the page. Texts of printers escape it.
const NAME: char = '\u{1}';

/// The memory of the page, as a multiple of the texts in it.
const PARTS: u64 = 3;

/// A row of the list of passes on a [`StagesPage`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PassRow {
    /// The name of the pass.
    pub name: String,
    /// The number of passes around it.
    pub depth: usize,
    /// The number of the stage before it.
    pub before: usize,
    /// The number of the stage after it.
    pub after: usize,
    /// The words of the list about the pass, such as its time.
    pub detail: String,
    /// What went wrong in the pass: one line for the list, and details in further lines; nothing if all is well.
    pub problem: Option<String>,
}

/// A page in HTML that steps through the passes over a program: the differences between the stages before and after each
/// pass, or between any two stages, and the pass that introduced a line or a text.
///
/// The page is one file without references to others.
///
/// ```
/// use object_core::page::{PassRow, StagesPage};
/// use object_core::repr::Repr;
/// use object_core::Array;
///
/// let mut page = StagesPage::new("doc");
/// for stage in [Array::from([1, 2]), Array::from([2])] {
///     page.stage(&Repr::new(&stage).indented(true).printed(), &stage, |_| None)?;
/// }
/// page.pass(PassRow { name: "drop".into(), after: 1, ..PassRow::default() });
/// assert!(page.to_html().contains("\"drop\""));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug)]
pub struct StagesPage {
    title: String,
    passes: Vec<PassRow>,
    /// For each stage, the names of its sections and the numbers of their texts.
    stages: Vec<Vec<(String, usize)>>,
    texts: Texts,
    /// The memory of the texts and of the page.
    charge: Charge,
}

impl StagesPage {
    /// A page with this title, without stages and passes.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        StagesPage {
            title: title.into(),
            passes: Vec::new(),
            stages: Vec::new(),
            texts: Texts::default(),
            charge: Meter::unlimited().nothing(),
        }
    }

    /// The account of the memory of the page. The default has no limit.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.charge = meter.nothing();
        self
    }

    /// Adds a stage: `printed`, the text of `root`. A section, such as a function, begins at each place of several lines for which
    /// `name_of` returns a name.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) beyond the limit of the [`meter`](Self::meter).
    pub fn stage(
        &mut self,
        printed: &PrintedText,
        root: &impl AsAnyView,
        name_of: impl Fn(&AccessPath) -> Option<String>,
    ) -> Result<()> {
        let layout = Layout::new(printed, &name_of);
        let names = names(&layout, root.as_any_view());
        let mut sections = Vec::new();
        for section in &layout.sections {
            let lines = &layout.lines[section.lines.clone()];
            let (Some(first), Some(last)) = (lines.first(), lines.last()) else { continue };
            let text = marked(printed.text(), first.range.start..last.range.end, &names);
            sections.push((section.name.clone().unwrap_or_default(), self.number(text)?));
        }
        self.stages.push(sections);
        Ok(())
    }

    /// Adds a pass after the others.
    pub fn pass(&mut self, pass: PassRow) {
        self.passes.push(pass);
    }

    /// The page as text.
    #[must_use]
    pub fn to_html(&self) -> String {
        let pass = |it: &PassRow| {
            json!({
                "name": it.name, "depth": it.depth, "before": it.before, "after": it.after, "detail": it.detail,
                "problem": it.problem,
            })
        };
        let data = json!({
            "passes": self.passes.iter().map(pass).collect::<Value>(),
            "stages": self.stages,
            "texts": self.texts.texts,
        });
        format!(
            include_str!("stages.html"),
            title = escaped(&self.title),
            style = concat!(include_str!("palette.css"), include_str!("shared.css"), include_str!("stages.css")),
            data = in_script(&data),
            program = program(&[], include_str!("stages.js")),
        )
    }

    /// The number of a text of a section.
    fn number(&mut self, text: String) -> Result<usize> {
        let (length, known) = (text.len() as u64, self.texts.texts.len());
        let number = self.texts.number(text);
        if number == known {
            self.charge.grow(2 * PARTS * length)?;
        }
        Ok(number)
    }
}

/// The pieces of the text that are names of variables, in order.
fn names(layout: &Layout<'_>, root: AnyView<'_>) -> Vec<Range<usize>> {
    let values = layout.printed.paths().values(root);
    let is_variable =
        |value: AnyView<'_>| value.as_object().is_some_and(|object| object.type_info().kind() == SEqHashKind::FreeVar);
    let mut names: Vec<Range<usize>> = Vec::new();
    for piece in &layout.pieces {
        if !values[piece.path.index()].is_some_and(is_variable) {
            continue;
        }
        // The piece of a definition has the type of the variable after its name.
        let text = &layout.printed.text()[piece.range.clone()];
        let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
        let is_whole = matches!(text[end..].chars().next(), None | Some(':' | ' '));
        let range = piece.range.start..piece.range.start + end;
        if end > 0 && is_whole && names.last().is_none_or(|last| last.end <= range.start) {
            names.push(range);
        }
    }
    names
}

/// A part of the text with [`NAME`] around the names in it.
fn marked(text: &str, range: Range<usize>, names: &[Range<usize>]) -> String {
    let first = names.partition_point(|name| name.start < range.start);
    let (mut marked, mut done) = (String::new(), range.start);
    for name in names[first..].iter().take_while(|name| name.end <= range.end) {
        marked.push_str(&text[done..name.start]);
        marked.push(NAME);
        marked.push_str(&text[name.clone()]);
        marked.push(NAME);
        done = name.end;
    }
    marked.push_str(&text[done..range.end]);
    marked
}
