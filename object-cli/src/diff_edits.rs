//! The summary of a diff: its edits by function and operator.

use std::collections::BTreeMap;
use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::edit::{Edit, EditKind, EditScript};
use object_core::object::{AnyView, ObjectView};
use object_core::visit::walk;
use object_core::{Any, ObjectRef};
use object_script::page::key_name;
use serde_json::{Value, json};

/// The number of functions that a line of the summary names.
const SHOWN: usize = 8;

/// The edits of a diff, and the two graphs.
pub(crate) struct Edits<'a> {
    pub(crate) script: EditScript,
    pub(crate) roots: [&'a Any; 2],
}

/// The edits of one function, or of what is in no function.
#[derive(Default)]
struct Group {
    /// The whole function comes, goes, moves, or has another name.
    whole: Option<(EditKind, String)>,
    /// The number of edits of each kind, by the operators before and after, and the names that the operators call.
    parts: BTreeMap<(String, &'static str, String), (usize, Vec<String>)>,
}

impl Edits<'_> {
    /// The edits and the script as JSON.
    pub(crate) fn to_json(&self) -> object_core::Result<[Value; 2]> {
        let edit = |edit: &Edit| {
            let [lhs, rhs] = edit.paths();
            let [before, after] = self.heads(edit);
            json!({
                "kind": edit.kind.word(),
                "paths": [lhs.to_string(), rhs.to_string()],
                "names": edit.names,
                "before": before,
                "after": after,
            })
        };
        let script = self.script.to_json()?;
        let edits = self.script.edits().iter().map(edit).collect::<Vec<_>>();
        Ok([Value::from(edits), serde_json::from_str(&script).unwrap_or_default()])
    }

    /// The unit of an edit in a few words, on each side that has it.
    fn heads(&self, edit: &Edit) -> [Option<String>; 2] {
        let [lhs, rhs] = edit.paths();
        [(lhs, self.roots[0], EditKind::Insert), (rhs, self.roots[1], EditKind::Delete)]
            .map(|(path, root, other)| (edit.kind != other).then(|| path.find(root).ok().map(head)).flatten())
    }

    fn groups(&self) -> BTreeMap<String, Group> {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for edit in self.script.edits() {
            let [lhs, rhs] = edit.paths();
            let path = if edit.kind == EditKind::Insert { &rhs } else { &lhs };
            let group = groups.entry(function(path)).or_default();
            let names = edit.names.as_ref().map(|[old, new]| format!("{old} -> {new}"));
            if is_function(path) && edit.kind != EditKind::Change {
                group.whole = Some((edit.kind, names.unwrap_or_default()));
                continue;
            }
            let [before, after] = match names {
                Some(names) => [Some(names), None],
                None => self.heads(&edit),
            };
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            let (operator, called) = after.split_once(' ').unwrap_or((&after, ""));
            let part = group.parts.entry((before, edit.kind.word(), operator.to_owned())).or_default();
            part.0 += 1;
            part.1.push(called.to_owned());
        }
        groups
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

impl fmt::Display for Edits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = self.groups();
        for (name, group) in groups.iter().filter(|(_, group)| !group.parts.is_empty()) {
            let parts: Vec<String> = group.parts.iter().map(part_text).collect();
            write!(f, "\n{}: {}", if name.is_empty() { "outside of functions" } else { name }, parts.join(", "))?;
        }
        for (kind, word) in [
            (EditKind::Rename, "renamed"),
            (EditKind::Move, "moved"),
            (EditKind::Insert, "added"),
            (EditKind::Delete, "removed"),
        ] {
            let of_kind = groups.iter().filter_map(|(name, group)| {
                let (_, names) = group.whole.as_ref().filter(|(it, _)| *it == kind)?;
                Some(if names.is_empty() { name.clone() } else { names.clone() })
            });
            let names: Vec<String> = of_kind.collect();
            if !names.is_empty() {
                let noun = if names.len() == 1 { "function" } else { "functions" };
                let more = if names.len() > SHOWN { ", ..." } else { "" };
                let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
                write!(f, "\n{} {noun} {word}: {shown}{more}", names.len())?;
            }
        }
        let operators: Vec<String> =
            self.operators().iter().map(|(name, [before, after])| format!("{name} {before} -> {after}")).collect();
        if operators.is_empty() { Ok(()) } else { write!(f, "\ncalls: {}", operators.join(", ")) }
    }
}

/// One kind of edits of a function, as `5 x matmul -> call_tir NT_matmul*`.
fn part_text(
    ((before, kind, operator), (count, called)): (&(String, &'static str, String), &(usize, Vec<String>)),
) -> String {
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

/// The name of the function that contains a place: the first key of a map on the path.
fn function(path: &AccessPath) -> String {
    let key = path.steps().iter().find_map(|step| match step {
        AccessStep::MapItem(key) | AccessStep::MapItemMissing(key) => Some(key),
        _ => None,
    });
    key.map_or_else(String::new, key_name)
}

/// Whether the place is a whole function.
fn is_function(path: &AccessPath) -> bool {
    let keys = path.steps().iter().filter(|step| matches!(step, AccessStep::MapItem(_))).count();
    keys == 1 && matches!(path.steps().last(), Some(AccessStep::MapItem(_)))
}

/// A binding or another value in a few words: the operator that it calls, and the name of the called function.
fn head(value: AnyView<'_>) -> String {
    let Some(object) = value.as_object() else { return value.to_any().to_string() };
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
