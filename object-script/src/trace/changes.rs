//! [`StageChanges`]: which functions and bindings differ between two stages.

use std::collections::BTreeSet;
use std::fmt;

use object_core::access_path::{AccessPath, AccessStep};
use object_core::edit::{EditGroup, EditKind, EditOptions};
use object_core::{Any, Limits, StructuralOptions, counted};

use crate::page::function_name;

/// The most differences that count where edits do not.
const LIMIT: usize = 10_000;

/// The functions and bindings that differ between two stages, as [`EditScript::groups`](object_core::edit::EditScript::groups) has
/// them: a binding that moves is one change, and a renamed function is one.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct StageChanges {
    /// The names of the functions that both stages have and whose content differs.
    pub changed: BTreeSet<String>,
    /// The names of the functions that only the later stage has.
    pub added: BTreeSet<String>,
    /// The names of the functions that only the earlier stage has.
    pub removed: BTreeSet<String>,
    /// The old and the new names of the functions with another name.
    pub renamed: BTreeSet<[String; 2]>,
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
        if let Ok(script) = EditOptions::new().limits(*limits).edits(a, b)
            && !script.search_ended()
        {
            let mut changes = StageChanges { is_any: !script.is_empty(), is_complete: true, ..StageChanges::default() };
            script.groups().iter().for_each(|group| changes.add(group));
            if !changes.is_any || changes.names_functions() {
                return changes;
            }
        }
        // Variables that nothing binds correspond in no comparison, so edits of such programs may replace them as a whole.
        StageChanges::of_differences(a, b, limits)
    }

    /// The changes by the differences of the functions, place by place.
    fn of_differences(a: &Any, b: &Any, limits: &Limits) -> Self {
        let Ok(found) = StructuralOptions::new().diff_within(limits, a, b, LIMIT) else {
            return StageChanges { is_any: true, ..StageChanges::default() };
        };
        let mut changes =
            StageChanges { is_any: !found.is_empty(), is_complete: found.len() < LIMIT, ..StageChanges::default() };
        for difference in &found {
            let path = if difference.lhs_value.is_some() { &difference.lhs } else { &difference.rhs };
            let entry = AccessPath::from_steps(path.steps().iter().take(2).cloned());
            let Some(name) = function_name(&entry) else { continue };
            match (path.steps().len(), &difference.lhs_value, &difference.rhs_value) {
                (2, None, _) => _ = changes.added.insert(name),
                (2, _, None) => _ = changes.removed.insert(name),
                _ => _ = changes.changed.insert(name),
            }
            changes.bindings.extend(binding(path));
        }
        changes
    }

    /// Whether some function differs.
    fn names_functions(&self) -> bool {
        let StageChanges { changed, added, removed, renamed, .. } = self;
        !changed.is_empty() || !added.is_empty() || !removed.is_empty() || !renamed.is_empty()
    }

    fn add(&mut self, group: &EditGroup) {
        let Some(name) = group.entry.as_ref().and_then(function_name) else { return };
        match group.whole.as_ref().map(|whole| (whole.kind, &whole.names)) {
            Some((EditKind::Insert, _)) => _ = self.added.insert(name.clone()),
            Some((EditKind::Delete, _)) => _ = self.removed.insert(name.clone()),
            Some((EditKind::Rename, Some(names))) => _ = self.renamed.insert(names.clone()),
            _ => {}
        }
        if !group.edits.is_empty() {
            self.changed.insert(name);
        }
        let paths = group.edits.iter().map(|edit| {
            let [lhs, rhs] = edit.paths();
            if edit.kind == EditKind::Insert { rhs } else { lhs }
        });
        self.bindings.extend(paths.filter_map(|path| binding(&path)));
    }
}

/// `2 functions, 14 bindings, 1 function added`.
impl fmt::Display for StageChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_any {
            return f.write_str("-");
        }
        if !self.is_complete {
            return f.write_str("unknown");
        }
        let [changed, bindings] = [(self.changed.len(), "function"), (self.bindings.len(), "binding")]
            .map(|(count, noun)| (count > 0).then(|| counted(count, noun)));
        let [renamed, added, removed] =
            [(self.renamed.len(), "renamed"), (self.added.len(), "added"), (self.removed.len(), "removed")]
                .map(|(count, done)| (count > 0).then(|| format!("{} {done}", counted(count, "function"))));
        let parts: Vec<String> = [changed, bindings, renamed, added, removed].into_iter().flatten().collect();
        // Attributes of a module are in no function.
        f.write_str(&if parts.is_empty() { "other parts".to_owned() } else { parts.join(", ") })
    }
}

/// The place of the innermost binding around a place.
fn binding(path: &AccessPath) -> Option<String> {
    let steps = path.steps();
    let is_binding = |pair: &[AccessStep]| matches!(pair, [AccessStep::Attr(field), AccessStep::ArrayItem(_)] if field == "bindings");
    let at = steps.windows(2).rposition(is_binding)?;
    Some(AccessPath::from_steps(steps[..at + 2].iter().cloned()).to_string())
}
