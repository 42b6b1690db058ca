//! [`Changes`]: which functions and bindings differ between two stages.

use std::collections::BTreeSet;
use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::structural::StructuralOptions;
use object_core::{Any, Limits};
use object_script::page::function_name;
use serde_json::{Value, json};

use crate::output::counted;

/// The largest number of differences that count.
const LIMIT: usize = 10_000;

/// The functions and bindings that differ between two stages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    changed: BTreeSet<String>,
    added: BTreeSet<String>,
    removed: BTreeSet<String>,
    /// The places of the bindings that differ: on the left, or of added ones on the right.
    bindings: BTreeSet<String>,
    /// Whether the stages differ anywhere.
    any: bool,
    /// Whether there are more differences than these.
    has_more: bool,
}

impl Changes {
    /// The changes from `a` to `b`. A comparison that takes too many steps has changes without details.
    pub(crate) fn of(a: &Any, b: &Any, limits: &Limits) -> Self {
        let Ok(found) = StructuralOptions::new().diff_within(limits, a, b, LIMIT) else {
            return Changes { any: true, has_more: true, ..Changes::default() };
        };
        let mut changes = Changes { any: !found.is_empty(), has_more: found.len() == LIMIT, ..Changes::default() };
        for difference in &found {
            let path = if difference.lhs_value.is_some() { &difference.lhs } else { &difference.rhs };
            let Some(name) = function_name(&first_steps(path, 2)) else { continue };
            match (path.steps().len(), &difference.lhs_value, &difference.rhs_value) {
                (2, None, _) => _ = changes.added.insert(name),
                (2, _, None) => _ = changes.removed.insert(name),
                _ => _ = changes.changed.insert(name),
            }
            changes.bindings.extend(binding(path));
        }
        changes
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "functions_changed": self.changed,
            "functions_added": self.added,
            "functions_removed": self.removed,
            "bindings": self.bindings.len(),
            "complete": !self.has_more,
        })
    }
}

/// `2 functions, 14 bindings, 1 function added`.
impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.any {
            return f.write_str("-");
        }
        let [changed, bindings] =
            [(self.changed.len(), "function"), (self.bindings.len(), "binding")].map(|(count, noun)| (count > 0).then(|| counted(count, noun)));
        let [added, removed] =
            [(&self.added, "added"), (&self.removed, "removed")].map(|(names, done)| (!names.is_empty()).then(|| format!("{} {done}", counted(names.len(), "function"))));
        let parts: Vec<String> = [changed, bindings, added, removed].into_iter().flatten().collect();
        let more = if self.has_more { " or more" } else { "" };
        // Attributes of a module are in no function.
        write!(f, "{}{more}", if parts.is_empty() { "other parts".to_owned() } else { parts.join(", ") })
    }
}

fn first_steps(path: &AccessPath, count: usize) -> AccessPath {
    AccessPath::from_steps(path.steps().iter().take(count).cloned())
}

/// The place of the innermost binding around a place.
fn binding(path: &AccessPath) -> Option<String> {
    let steps = path.steps();
    let is_binding = |pair: &[AccessStep]| matches!(pair, [AccessStep::Attr(field), AccessStep::ArrayItem(_)] if field == "bindings");
    let at = steps.windows(2).rposition(is_binding)?;
    Some(first_steps(path, at + 2).to_string())
}
