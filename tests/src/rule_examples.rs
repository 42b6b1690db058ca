//! The examples of the rules of the checker as programs.

use object_core::Any;
use object_relax::derivation::Derivation;
use object_relax::root::Root;
use object_relax::well_formed::{Rule, all_rules};

use crate::notation;

/// The examples of all rules, each with a name: `failing` and `passing`, and `failing, derived` and `passing, derived` with the
/// structural information that it leaves out, if it can be derived.
///
/// # Panics
/// If the notation does not accept an example.
pub fn all() -> impl Iterator<Item = (&'static Rule, &'static str, Any)> {
    all_rules().flat_map(|rule| {
        let examples = [("failing", "failing, derived", rule.failing), ("passing", "passing, derived", rule.passing)];
        examples.into_iter().flat_map(move |(name, derived_name, text)| {
            let program: Any = notation::parse(text).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
            let derived = Root::of(&program).and_then(|root| root.derived(Derivation::new())).ok();
            let derived = derived.map(|derived| (rule, derived_name, derived.result));
            [(rule, name, program)].into_iter().chain(derived)
        })
    })
}
