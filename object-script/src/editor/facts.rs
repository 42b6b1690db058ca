//! [`Facts`]: what an editor shows about the scripts of a file.

use std::ops::Range;

use object_relax::well_formed::{Rule, Severity};

/// The facts about the scripts of a text. All ranges are bytes of the text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The errors of reading and the violations of rules, in the order of the text.
    pub problems: Vec<Problem>,
    /// The names of variables and functions, in the order of the text.
    pub names: Vec<NameAt>,
    /// The modules and functions.
    pub outline: Vec<OutlineEntry>,
    /// The pieces that an editor can fold: modules, functions, blocks.
    pub folds: Vec<Range<usize>>,
    /// The structural information of variables without annotation: a byte of the text, and the text to show there.
    pub hints: Vec<(usize, String)>,
}

/// An error of reading, or a violation of a rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Problem {
    /// The bytes of the text that the problem is about.
    pub range: Range<usize>,
    /// The rule that the program breaks; `None` for an error of reading.
    pub rule: Option<&'static Rule>,
    /// Whether it is an error.
    pub severity: Severity,
    /// The expected and the given value, and the help.
    pub message: String,
    /// Other places that explain it, with a message each.
    pub related: Vec<(Range<usize>, String)>,
    /// A change that mends the text, where the change is certain: a piece of the text and its replacement.
    pub fix: Option<(Range<usize>, String)>,
}

/// A name at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameAt {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The start of the definition. Names of one definition mean one variable or function.
    pub definition: usize,
}

impl NameAt {
    /// Whether the text introduces the name here.
    #[must_use]
    pub fn is_definition(&self) -> bool {
        self.range.start == self.definition
    }
}

/// The kind of an [`OutlineEntry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutlineKind {
    /// A module.
    Module,
    /// A function.
    Function,
    /// A variable that a statement of a function introduces.
    Variable,
}

/// A module, a function or a variable in the outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutlineEntry {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: OutlineKind,
    /// The structural information.
    pub detail: Option<String>,
    /// The bytes of the construct.
    pub range: Range<usize>,
    /// The bytes of its name.
    pub name_range: Range<usize>,
    /// The functions of a module, the variables of a function.
    pub children: Vec<OutlineEntry>,
}

impl OutlineEntry {
    /// The entry with all ranges moved by the distance from `from` to `to`.
    pub(super) fn moved(&self, from: usize, to: usize) -> OutlineEntry {
        OutlineEntry {
            range: moved(&self.range, from, to),
            name_range: moved(&self.name_range, from, to),
            children: self.children.iter().map(|child| child.moved(from, to)).collect(),
            ..self.clone()
        }
    }
}

/// The range moved by the distance from `from` to `to`.
pub(super) fn moved(range: &Range<usize>, from: usize, to: usize) -> Range<usize> {
    let place = |offset: usize| (offset + to).saturating_sub(from);
    place(range.start)..place(range.end)
}
