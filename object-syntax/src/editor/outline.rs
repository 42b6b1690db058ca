//! [`OutlineEntry`]: the objects of a text that have names.

use std::cmp::Reverse;
use std::ops::Range;

use object_core::object::{FieldRole, TypeInfo};
use object_core::table::Table;
use object_core::{Str, brief_to};
use object_format::{FieldForm, is_word};

use super::Reading;
use crate::grammar::Choice;
use crate::production::{Production, Step};
use crate::tree::{Tree, TreeId};

/// The most levels of an outline. Entries inside of the last level stand beside it.
const MAX_LEVELS: usize = 32;

/// The number of characters of the longest detail.
const MAX_DETAIL: usize = 80;

/// An object with a name: a variable that is introduced, or an object whose text begins with a word and has a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutlineEntry {
    /// The name.
    pub name: String,
    /// The type of the object, or of the variable.
    pub info: &'static TypeInfo,
    /// For a variable, the text after its name.
    pub detail: Option<String>,
    /// The bytes of the construct, without the operand that it ends with: `let x = 1 in` of `let x = 1 in x`.
    pub range: Range<usize>,
    /// The bytes of the name.
    pub name_range: Range<usize>,
    /// The entries inside of the range.
    pub children: Vec<OutlineEntry>,
}

impl Reading {
    /// The objects with names, each in the one around it.
    #[must_use]
    pub fn outline(&self) -> Vec<OutlineEntry> {
        let mut entries = Vec::new();
        // The ranges of the constructs that introduce one variable alone, by the start of its text.
        let mut constructs: Table<usize, Range<usize>> = Table::default();
        for (tree, range) in self.trees.all() {
            let Tree::Object { production, fields } = tree else { continue };
            let Choice { production, .. } = &self.grammar.productions[*production];
            if production.is_variable() {
                continue;
            }
            let range = self.without_last_operand(production, fields, range);
            if let Some((name, name_range)) = self.name_of(production, fields) {
                let range = range.start..range.end.max(name_range.end);
                let children = Vec::new();
                entries.push(OutlineEntry { name, info: production.info, detail: None, range, name_range, children });
            } else if let Some(variable) = self.only_variable(production, fields) {
                let variable = &self.trees.get(variable).1;
                constructs.insert(variable.start, range.start..range.end.max(variable.end));
            }
        }
        for occurrence in self.occurrences.iter().filter(|it| it.is_definition) {
            let Some(Some(declaration)) = self.declarations.get(occurrence.declaration) else { continue };
            let name_range = occurrence.range.clone();
            let rest = self.source.get(name_range.end..declaration.range.end).unwrap_or_default().trim();
            entries.push(OutlineEntry {
                name: self.source[name_range.clone()].to_owned(),
                info: declaration.info,
                detail: (!rest.is_empty()).then(|| brief_to(rest, MAX_DETAIL).to_string()),
                range: constructs.remove(&declaration.range.start).unwrap_or_else(|| declaration.range.clone()),
                name_range,
                children: Vec::new(),
            });
        }
        nested(entries)
    }

    /// The range of an object without the operand that its text ends with.
    fn without_last_operand(
        &self,
        production: &Production,
        fields: &[(usize, TreeId)],
        range: &Range<usize>,
    ) -> Range<usize> {
        let last = production.steps.iter().rev().find(|step| !matches!(step, Step::Gap(_)));
        let Some(Step::Field(slot)) = last.filter(|_| production.right.is_some()) else { return range.clone() };
        let operand = fields.iter().find(|(field, _)| *field == slot.field);
        let start = operand.map_or(range.end, |(_, tree)| self.trees.get(*tree).1.start);
        let before = self.tokens.partition_point(|token| token.end <= start);
        let end = before.checked_sub(1).map_or(range.end, |before| self.tokens[before].end);
        range.start..end.clamp(range.start, range.end)
    }

    /// The name in the text of an object that begins with a word.
    fn name_of(&self, production: &Production, fields: &[(usize, TreeId)]) -> Option<(String, Range<usize>)> {
        let mut steps = production.steps.iter().filter(|step| !matches!(step, Step::Gap(_)));
        let Some(Step::Literal(first)) = steps.next() else { return None };
        if !is_word(self.grammar.literals.text(*first)) {
            return None;
        }
        let field = steps.find_map(|step| match step {
            Step::Field(slot) if slot.form == FieldForm::Word => Some(slot.field),
            _ => None,
        })?;
        let (_, tree) = fields.iter().find(|(it, _)| *it == field)?;
        match self.trees.get(*tree) {
            (Tree::Value(value), range) => Some((value.clone().cast::<Str>().ok()?.to_string(), range.clone())),
            _ => None,
        }
    }

    /// The tree of the variable that an object introduces, if it is the only one.
    fn only_variable(&self, production: &Production, fields: &[(usize, TreeId)]) -> Option<TreeId> {
        let defines =
            |field: usize| matches!(production.info.fields()[field].meta().role, FieldRole::Def | FieldRole::DefSimple);
        let mut introduced = fields.iter().filter(|(field, _)| defines(*field)).map(|(_, tree)| *tree);
        let tree = introduced.next().filter(|_| introduced.next().is_none())?;
        matches!(self.trees.get(tree).0, Tree::Object { .. }).then_some(tree)
    }
}

/// The entries, each in the innermost one around it.
fn nested(mut entries: Vec<OutlineEntry>) -> Vec<OutlineEntry> {
    entries.sort_by_key(|it| (it.range.start, Reverse(it.range.end)));
    // The open entries, the innermost last.
    let mut open: Vec<OutlineEntry> = Vec::new();
    let mut outline = Vec::new();
    let mut close = |open: &mut Vec<OutlineEntry>| {
        if let Some(last) = open.pop() {
            open.last_mut().map_or(&mut outline, |around| &mut around.children).push(last);
        }
    };
    for entry in entries {
        while open.last().is_some_and(|last| last.range.end < entry.range.end || open.len() == MAX_LEVELS) {
            close(&mut open);
        }
        open.push(entry);
    }
    while !open.is_empty() {
        close(&mut open);
    }
    outline
}
