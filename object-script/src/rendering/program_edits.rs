//! [`ProgramEdits`]: the edits that make one program another one, by function, in words.

use std::collections::BTreeMap;
use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::edit::{Edit, EditGroup, EditKind, EditScript};
use object_core::object::{Any, AnyView, ObjectView};
use object_core::visit::walk;
use object_core::{ObjectRef, brief_to};

use super::OneLine;
use crate::page::key_name;

/// The number of functions that a line of the summary names.
const SHOWN: usize = 8;

/// The number of characters of a value in a title.
const MAX_HEAD: usize = 60;

/// The edits that make one program another one. It displays as a summary: a line for each changed function, then the functions
/// that only one side has, the number of equal ones, and the operators with another number of calls. Each line begins with a
/// line end.
pub struct ProgramEdits<'a> {
    script: EditScript,
    roots: [&'a Any; 2],
    groups: Vec<EditGroup>,
}

impl<'a> ProgramEdits<'a> {
    /// The edits of `script` between two programs.
    #[must_use]
    pub fn new(script: EditScript, roots: [&'a Any; 2]) -> Self {
        let groups = script.groups();
        ProgramEdits { script, roots, groups }
    }

    /// The changes.
    #[must_use]
    pub fn script(&self) -> &EditScript {
        &self.script
    }

    /// The two programs.
    #[must_use]
    pub fn roots(&self) -> [&'a Any; 2] {
        self.roots
    }

    /// The edits by function.
    #[must_use]
    pub fn groups(&self) -> &[EditGroup] {
        &self.groups
    }

    /// The number of edits.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups.iter().map(EditGroup::count).sum()
    }

    /// The unit of an edit in a few words, on each side that has it: the operator that it calls, and the name of the called
    /// function.
    #[must_use]
    pub fn heads(&self, edit: &Edit) -> [Option<String>; 2] {
        let [lhs, rhs] = edit.paths();
        [(lhs, self.roots[0], EditKind::Insert), (rhs, self.roots[1], EditKind::Delete)]
            .map(|(path, root, other)| (edit.kind != other).then(|| path.find(root).ok().map(head)).flatten())
    }

    /// An edit in a few words: `nn.relu -> nn.gelu, in main`.
    #[must_use]
    pub fn title(&self, group: &EditGroup, edit: &Edit) -> String {
        let is_whole = group.whole.as_ref().is_some_and(|whole| whole.changes == edit.changes);
        if is_whole {
            return format!("{} {}", noun(group, 1), entry_name(group));
        }
        let [before, after] = self.heads(edit).map(Option::unwrap_or_default);
        let text = match (edit.kind, &edit.names) {
            (_, Some([old, new])) => format!("{old} -> {new}"),
            (EditKind::Insert, _) => after,
            (EditKind::Delete | EditKind::Move, _) => before,
            (EditKind::Wrap, _) => format!("{before} in {after}"),
            _ if before == after => before,
            _ => format!("{before} -> {after}"),
        };
        match &group.entry {
            Some(entry) => format!("{text}, in {}", last_name(entry)),
            None => text,
        }
    }

    /// The number of edits of each kind in a group, by the operators before and after, with the names that the operators call.
    fn parts(&self, group: &EditGroup) -> BTreeMap<Part, (usize, Vec<String>)> {
        let mut parts: BTreeMap<Part, (usize, Vec<String>)> = BTreeMap::new();
        for edit in &group.edits {
            let [before, after] = match &edit.names {
                Some([old, new]) => [Some(format!("{old} -> {new}")), None],
                None => self.heads(edit),
            };
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let (operator, called) = after.split_once(' ').unwrap_or((&after, ""));
            let part = parts.entry((before, edit.kind.word(), operator.to_owned())).or_default();
            part.0 += 1;
            part.1.push(called.to_owned());
        }
        parts
    }

    /// The number of entries that are equal, beside the edited ones, with their noun.
    fn equal(&self) -> Vec<(usize, &'static str)> {
        let mut edited: BTreeMap<String, (AccessPath, usize, &EditGroup)> = BTreeMap::new();
        for group in &self.groups {
            let Some(entry) = &group.entry else { continue };
            let is_new = group.whole.as_ref().is_some_and(|whole| whole.kind == EditKind::Insert);
            let map = AccessPath::from_steps(entry.steps()[..entry.steps().len() - 1].iter().cloned());
            edited.entry(map.to_string()).or_insert_with(|| (map, 0, group)).1 += usize::from(!is_new);
        }
        let equal = edited.into_values().filter_map(|(path, count, group)| {
            let map = path.find(self.roots[0]).ok()?.as_object()?.as_map()?;
            let equal = map.len().saturating_sub(count);
            (equal > 0).then(|| (equal, noun(group, equal)))
        });
        equal.collect()
    }

    /// The number of calls of each operator that changes, before and after.
    fn operators(&self) -> Vec<(String, [usize; 2])> {
        let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
        for (side, root) in self.roots.into_iter().enumerate() {
            walk(root, |object: &ObjectRef, _| {
                if let Some(name) = operator(object.view()) {
                    counts.entry(name.to_owned()).or_default()[side] += 1;
                }
            });
        }
        counts.into_iter().filter(|(_, [before, after])| before != after).collect()
    }
}

impl fmt::Display for ProgramEdits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for group in self.groups.iter().filter(|group| !group.edits.is_empty()) {
            let parts: Vec<String> = self.parts(group).iter().map(part_text).collect();
            let name = group.entry.as_ref().map_or_else(|| "outside of functions".to_owned(), last_name);
            write!(f, "\n{name}: {}", parts.join(", "))?;
        }
        for (kind, word) in [
            (EditKind::Rename, "renamed"),
            (EditKind::Move, "moved"),
            (EditKind::Insert, "added"),
            (EditKind::Delete, "removed"),
        ] {
            for noun_of_one in ["function", "entry"] {
                let is_shown = |group: &&EditGroup| {
                    group.whole.as_ref().is_some_and(|it| it.kind == kind) && noun(group, 1) == noun_of_one
                };
                let groups: Vec<&EditGroup> = self.groups.iter().filter(is_shown).collect();
                let Some(first) = groups.first() else { continue };
                let more = if groups.len() > SHOWN { ", ..." } else { "" };
                let shown = groups.iter().take(SHOWN).map(|group| entry_name(group)).collect::<Vec<_>>().join(", ");
                write!(f, "\n{} {} {word}: {shown}{more}", groups.len(), noun(first, groups.len()))?;
            }
        }
        for (count, noun) in self.equal() {
            write!(f, "\n{count} {noun} equal")?;
        }
        let operators: Vec<String> =
            self.operators().iter().map(|(name, [before, after])| format!("{name} {before} -> {after}")).collect();
        if operators.is_empty() { Ok(()) } else { write!(f, "\ncalls: {}", operators.join(", ")) }
    }
}

/// The operator before, the kind in a word, and the operator after.
type Part = (String, &'static str, String);

/// One kind of edits of a function, as `5 x matmul -> call_tir NT_matmul*`.
fn part_text(((before, kind, operator), (count, called)): (&Part, &(usize, Vec<String>))) -> String {
    let times = if *count == 1 { String::new() } else { format!("{count} x ") };
    let called = common(called);
    let after = if called.is_empty() { operator.clone() } else { format!("{operator} {called}") };
    match (*kind, &**before) {
        ("change", before) if before == after => format!("{times}{before} changed"),
        ("change", before) => format!("{times}{before} -> {after}"),
        ("insert", _) => format!("{times}{after} added"),
        ("delete", before) => format!("{times}{before} removed"),
        ("rename", names) => format!("{times}{names} renamed"),
        ("move", before) => format!("{times}{before} moved"),
        ("wrap", before) => format!("{times}{before} wrapped in {after}"),
        (_, before) => format!("{times}{before} unwrapped to {after}"),
    }
}

/// The text that all names have in common, with `*` for the rest.
fn common(names: &[String]) -> String {
    let Some((first, rest)) = names.split_first() else { return String::new() };
    let shared = rest.iter().fold(first.chars().count(), |len, name| {
        first.chars().zip(name.chars()).take(len).take_while(|(a, b)| a == b).count()
    });
    let prefix: String = first.chars().take(shared).collect();
    if rest.iter().all(|name| name == first) { prefix } else { prefix + "*" }
}

/// A word for entries of the map of a group.
fn noun(group: &EditGroup, count: usize) -> &'static str {
    let steps = group.entry.as_ref().map(AccessPath::steps).unwrap_or_default();
    let is_function = matches!(steps, [.., AccessStep::Attr(name), _] if name == "functions");
    match (is_function, count) {
        (true, 1) => "function",
        (true, _) => "functions",
        (false, 1) => "entry",
        (false, _) => "entries",
    }
}

/// The name of the entry of a group; the old and the new one if it has another name.
fn entry_name(group: &EditGroup) -> String {
    match group.whole.as_ref().and_then(|whole| whole.names.as_ref()) {
        Some([old, new]) => format!("{old} -> {new}"),
        None => group.entry.as_ref().map(last_name).unwrap_or_default(),
    }
}

/// The name of an entry of a map, from its path.
pub(super) fn last_name(entry: &AccessPath) -> String {
    match entry.steps().last() {
        Some(AccessStep::MapItem(key) | AccessStep::MapItemMissing(key)) => key_name(key),
        _ => String::new(),
    }
}

/// A binding or another value in a few words: the operator that it calls, and the name of the called function.
fn head(value: AnyView<'_>) -> String {
    let object = value.as_object().filter(|object| AnyView::Object(*object).as_str().is_none());
    let Some(object) = object else { return brief_to(&OneLine(value).to_string(), MAX_HEAD).to_string() };
    let called = object.get("value").and_then(AnyView::as_object).unwrap_or(object);
    let Some(name) = operator(called) else {
        return called.type_key().rsplit('.').next().unwrap_or_default().to_owned();
    };
    let first =
        called.get("args").and_then(AnyView::as_object).and_then(ObjectView::as_array).and_then(|args| args.get(0));
    let global = first.and_then(AnyView::as_object).and_then(|it| it.get("name_hint")).and_then(AnyView::as_str);
    match global {
        Some(global) if name.starts_with("call_") => format!("{name} {global}"),
        _ => name.to_owned(),
    }
}

/// The name of the operator that an object calls.
fn operator(object: ObjectView<'_>) -> Option<&str> {
    let op = object.get("op")?.as_object()?;
    let name = op.get("name").or_else(|| op.get("name_hint"))?.as_str()?;
    Some(name.strip_prefix("relax.").unwrap_or(name))
}
