//! The scripts of the families make the right values, under persistent and under lexical scopes.

use object_core::edit::EditScript;
use object_core::prelude::*;

use crate::families::families;
use crate::operations::{edits, lexical, sticky};

/// Families whose values are free variables, which a script replaces.
const REPLACED: &[&str] = &["types of variables", "types of variables in a chain"];

#[test]
fn scripts_of_families_make_the_right_values() {
    let only = std::env::var("SHARED_GRAPHS_FAMILY").ok();
    let mut faults = Vec::new();
    for family in families().filter(|family| only.as_ref().is_none_or(|only| only == family.name)) {
        let case = family.case(family.sizes[0]);
        for (scopes, options) in [("persistent", sticky()), ("lexical", lexical())] {
            let script = edits(&case, options);
            let makes = |script: &EditScript, from: &Any, to: &Any| {
                script.apply(from).is_ok_and(|made| options.equal(&made, to).expect("the values compare"))
            };
            if !makes(&script, &case.left, &case.other) || !makes(&script.inverted(), &case.other, &case.left) {
                faults.push(format!("`{}`, {scopes} scopes: the script makes another value", family.name));
            }
            let is_whole = script.changes().iter().any(|change| script.place(change, 0).steps().is_empty());
            if is_whole != REPLACED.contains(&family.name) {
                faults.push(format!("`{}`, {scopes} scopes: it replaces the whole value: {is_whole}", family.name));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
