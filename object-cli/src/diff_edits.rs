//! The edits of a diff as JSON.

use object_core::Result;
use object_core::edit::{Edit, EditDetail, EditGroup};
use object_script::rendering::{OneLine, ProgramEdits};
use serde_json::{Value, json};

/// The edits by function, each with its changed parts.
pub(crate) fn groups(edits: &ProgramEdits<'_>) -> Value {
    let group = |group: &EditGroup| {
        json!({
            "entry": group.entry.as_ref().map(ToString::to_string),
            "whole": group.whole.as_ref().map(|it| edit(edits, group, it)),
            "edits": group.edits.iter().map(|it| edit(edits, group, it)).collect::<Vec<_>>(),
        })
    };
    edits.groups().iter().map(group).collect()
}

fn edit(edits: &ProgramEdits<'_>, group: &EditGroup, edit: &Edit) -> Value {
    let [before, after] = edits.heads(edit);
    let details = edits.script().details(edit, edits.roots());
    json!({
        "kind": edit.kind.word(),
        "title": edits.title(group, edit),
        "paths": edit.paths().each_ref().map(ToString::to_string),
        "names": edit.names,
        "before": before,
        "after": after,
        "details": details.iter().map(detail).collect::<Vec<_>>(),
    })
}

fn detail(detail: &EditDetail) -> Value {
    json!({
        "paths": detail.paths.each_ref().map(ToString::to_string),
        "values": detail.values.each_ref().map(|it| it.as_ref().map(|value| OneLine(value.view()).to_string())),
    })
}

/// The changes in the form that `objir patch` applies.
///
/// # Errors
/// As `EditScript::to_json`.
pub(crate) fn script(edits: &ProgramEdits<'_>) -> Result<Value> {
    Ok(serde_json::from_str(&edits.script().to_json()?).unwrap_or_default())
}
