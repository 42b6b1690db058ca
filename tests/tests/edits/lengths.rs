//! [`Lengths`]: many edits, each with the length of its script.

use std::collections::BTreeMap;

use fastrand::Rng;
use object_core::edit::{EditScript, Slot, edits};
use object_core::json::JsonReader;
use object_core::{Any, structural_equal};
use object_tests::setting;

/// Two values, the second of which has known edits.
pub(crate) struct Edited {
    /// The kind of the edits.
    pub(crate) name: &'static str,
    pub(crate) before: Any,
    pub(crate) after: Any,
    /// The number of edits.
    pub(crate) truth: usize,
}

/// The numbers of cases, of edits made, and of edits found.
pub(crate) struct Lengths;

impl Lengths {
    /// Makes edits of the kinds with the numbers below `kinds` in turn, and checks the laws and the lengths of their scripts.
    /// `edit` returns nothing if it finds no place for an edit.
    pub(crate) fn measure(kinds: usize, edit: impl Fn(usize, &mut Rng) -> Option<Edited>) {
        let (count, seed) = (setting("EDITS", 200), setting("EDITS_SEED", 1));
        let mut lengths: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
        let mut rng = Rng::with_seed(seed);
        for case in 0..count as usize {
            let found = (0..100).find_map(|_| {
                edit(case % kinds, &mut rng).filter(|found| !structural_equal(&found.before, &found.after))
            });
            let found = found.unwrap_or_else(|| panic!("no place for an edit of the kind {}", case % kinds));
            let entry = lengths.entry(found.name).or_default();
            *entry = (entry.0 + 1, entry.1 + found.truth, entry.2 + length(&found.before, &found.after));
        }
        for (kind, (cases, truth, found)) in &lengths {
            let ratio = *found as f64 / *truth as f64;
            println!("{kind:15} {cases:>5} cases, {truth:>5} edits, {found:>5} found, {ratio:.2}");
        }
        let (truth, found) = lengths.values().fold((0, 0), |sum, it| (sum.0 + it.1, sum.1 + it.2));
        println!("all: {count} cases, {:.3}", found as f64 / truth as f64);
        assert_eq!(lengths.len(), kinds);
        assert!(found * 10 <= truth * 11, "{found} edits for {truth}");
    }
}

/// The law of a script, and its length.
fn length(a: &Any, b: &Any) -> usize {
    let script = edits(a, b).expect("there is a script");
    assert!(script.changes().iter().all(|change| change.slots()[0] != Slot::Root), "it replaces the value");
    assert!(structural_equal(&script.apply(a).expect("it applies"), b));
    let text = script.to_json().expect("it can be saved");
    let script = EditScript::from_json(text.as_bytes(), JsonReader::new()).expect("it can be loaded");
    assert!(structural_equal(&script.apply(a).expect("it applies"), b));
    assert!(structural_equal(&script.inverted().apply(b).expect("its inverse applies"), a));
    script.edits().len()
}
