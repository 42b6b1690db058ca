//! [`StageChanges`]: which functions and bindings differ between two stages.

use std::collections::BTreeSet;
use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::structural::StructuralOptions;
use object_core::{Any, Limits, counted};

use crate::page::function_name;

/// The largest number of differences that count.
const LIMIT: usize = 10_000;

/// The functions and bindings that differ between two stages.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct StageChanges {
    /// The names of the functions that both stages have and that differ.
    pub changed: BTreeSet<String>,
    /// The names of the functions that only the later stage has.
    pub added: BTreeSet<String>,
    /// The names of the functions that only the earlier stage has.
    pub removed: BTreeSet<String>,
    /// The places of the bindings that differ in functions of both stages: in the earlier stage, and of added bindings in the
    /// later one.
    pub bindings: BTreeSet<String>,
    /// Whether the stages differ anywhere.
    pub is_any: bool,
    /// Whether these are all changes.
    pub is_complete: bool,
}

impl StageChanges {
    /// The changes from `a` to `b`. A comparison beyond the limits has changes without details.
    #[must_use]
    pub fn of(a: &Any, b: &Any, limits: &Limits) -> Self {
        // A program without a form in this project is the reason as a text.
        if [a, b].iter().any(|stage| stage.view().as_str().is_some()) {
            return StageChanges { is_any: true, ..StageChanges::default() };
        }
        let Ok(found) = StructuralOptions::new().diff_within(limits, a, b, LIMIT) else {
            return StageChanges { is_any: true, ..StageChanges::default() };
        };
        let mut changes =
            StageChanges { is_any: !found.is_empty(), is_complete: found.len() < LIMIT, ..StageChanges::default() };
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
}

/// `2 functions, 14 bindings, 1 function added`.
impl fmt::Display for StageChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_any {
            return f.write_str("-");
        }
        let [changed, bindings] = [(self.changed.len(), "function"), (self.bindings.len(), "binding")]
            .map(|(count, noun)| (count > 0).then(|| counted(count, noun)));
        let [added, removed] = [(&self.added, "added"), (&self.removed, "removed")]
            .map(|(names, done)| (!names.is_empty()).then(|| format!("{} {done}", counted(names.len(), "function"))));
        if !self.is_complete && changed.is_none() && added.is_none() && removed.is_none() {
            return f.write_str("unknown");
        }
        let parts: Vec<String> = [changed, bindings, added, removed].into_iter().flatten().collect();
        let more = if self.is_complete { "" } else { " or more" };
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
