//! [`edits`] and [`EditOptions`].

use std::rc::Rc;

use crate::error::{ErrorKind, Result};
use crate::limits::Limits;
use crate::object::{Any, AnyView, AsAnyView, ComputedValues, DefRegionKind, ObjectRef, ObjectView};
use crate::stats::GraphStats;
use crate::structural::matching::{Known, Matcher, Proofs, is_equal_by};
use crate::structural::{Scopes, StructuralOptions};

use super::apply::{Applied, applied, apply_all, apply_around};
use super::difference::Differences;
use super::equal_objects::EqualObjects;
use super::fixed::Fixed;
use super::in_place::in_place;
use super::pool::{Met, match_keys, match_singles};
use super::relation::{Relation, is_whole};
use super::script::EditScript;
use super::smallest::smallest;

/// The number of steps of a search under lexical scopes for each object and reference.
const LEXICAL_STEPS: u64 = 64;

/// The number of searches for a script that makes equal values.
const ATTEMPTS: usize = 6;

/// The options of [`edits`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EditOptions {
    structural: StructuralOptions,
    limits: Limits,
    names: bool,
}

/// The changes that make `a` structurally equal to `b`, under the default options. The script is empty exactly if they are
/// equal.
///
/// # Errors
/// As [`EditOptions::edits`].
pub fn edits(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<EditScript> {
    EditOptions::new().edits(a, b)
}

impl EditOptions {
    /// The default options: those of [`StructuralOptions::new`] and [`Limits::new`], without the names of variables.
    #[must_use]
    pub fn new() -> Self {
        EditOptions::default()
    }

    /// The options of the comparison.
    #[must_use]
    pub fn structural(self, structural: StructuralOptions) -> Self {
        EditOptions { structural, ..self }
    }

    /// The bounds of the work.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        EditOptions { limits, ..self }
    }

    /// Whether the names of variables count: the texts in fields of variables that comparison ignores.
    #[must_use]
    pub fn names(self, yes: bool) -> Self {
        EditOptions { names: yes, ..self }
    }

    /// The changes that make `a` equal to `b`. There is a script for every two values.
    ///
    /// Free variables and free keys of maps equal only themselves, and a value can bind one of them at another place. If that
    /// makes a script wrong, the search begins again with these objects as their own counterparts. Only if no such script
    /// is right, the script replaces one value: the innermost one that contains all differences and makes the right values.
    ///
    /// Applied to `a`, the script makes a value that equals `b`, and its inverse applied to `b` makes one that equals `a`. Where
    /// one value shares a tree and the other does not, the result may share trees as either of them.
    ///
    /// A search walks over both values, aligns their arrays, and applies the script and its inverse to prove them. That takes tens
    /// of times as long as a comparison if one binding of a small program changes, and hundreds of times as long if most bindings
    /// do. Up to 6 searches follow each other. Under persistent scopes the work is linear in objects and references, however
    /// values share their parts. The walk and the search for counterparts take steps of the limits; under lexical scopes, at most
    /// 64 for each object and reference, and the proof of the script takes the steps of comparisons. Beyond the limits, the search
    /// for corresponding objects ends, and the script is longer: it replaces the values that the search has not reached
    /// ([`EditScript::search_ended`]).
    ///
    /// # Errors
    /// The error of a check that interrupts long work.
    pub fn edits(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<EditScript> {
        let roots = [a.as_any_view(), b.as_any_view()];
        if !self.names && self.structural.equal_leniently(a, b) {
            return Ok(EditScript::default());
        }
        let mut fixed = Fixed::default();
        let mut search_ended = false;
        for attempt in 0..ATTEMPTS {
            let (script, is_proved) = self.search(roots, &fixed)?;
            search_ended |= script.search_ended;
            if is_proved {
                return Ok(script);
            }
            let Some(wrong) = self.wrong(&script, roots) else { return Ok(script) };
            let is_new = (attempt == 0 && fixed.add_free(roots)) | fixed.add_present(roots, wrong);
            if !is_new && !fixed.add_identified_keys(roots) && !fixed.add_below() {
                break;
            }
        }
        let found = self.structural.first_mismatch(&roots[0], &roots[1]).ok().flatten();
        // The names of variables may differ at other places than the rest.
        let way = found.as_ref().filter(|_| !self.names).map_or(&[][..], |found| found.lhs.steps());
        let script = smallest(roots, way, |script| self.wrong(script, roots).is_none());
        Ok(EditScript { search_ended, ..script })
    }

    /// The script of a search in which the `fixed` objects correspond to themselves, and whether the search proves it.
    fn search(&self, roots: [AnyView<'_>; 2], fixed: &Fixed) -> Result<(EditScript, bool)> {
        let computed = ComputedValues::default();
        let mut limits = self.limits;
        if self.structural.scopes == Scopes::Lexical {
            // The bindings of scopes may be many more than the objects.
            let sizes = roots.iter().map(GraphStats::of).map(|stats| (stats.nodes + stats.edges) as u64);
            limits.max_steps = limits.max_steps.min(LEXICAL_STEPS.saturating_mul(sizes.sum::<u64>() + 1));
        }
        let mut matcher = Matcher::new(&self.structural, limits, computed.end());
        fixed.identified().for_each(|object| matcher.fix(object));
        let search_ended = match self.find(&mut matcher, roots) {
            Err(error) if error.kind() != ErrorKind::LimitExceeded => return Err(error),
            found => found.is_err(),
        };
        let rules = (self.structural.skip_tensor_content, self.names);
        let mut relation = Relation::of(matcher.into_known(), fixed.addresses().clone(), computed.end(), rules);
        let pairs = in_place(roots, &mut relation);
        let script = Differences::new(roots, &mut relation, pairs).script(self.names);
        let is_proved = fixed.is_empty() && self.is_proved(&script, roots, &Rc::new(relation.into_known()));
        Ok((EditScript { search_ended, ..script }, is_proved))
    }

    /// Whether the objects that the search found equal prove that a script and its inverse make the right values.
    fn is_proved<'a>(&self, script: &EditScript, [a, b]: [AnyView<'a>; 2], known: &Rc<Known<'a>>) -> bool {
        let ways = [(0, script, a, b), (1, &script.inverted(), b, a)];
        self.structural.scopes == Scopes::Persistent
            && ways.into_iter().all(|(side, script, from, to)| {
                let around = apply_around(from, script, &EqualObjects::all(known, side));
                let result = around.or_else(|| applied(from, &[script], false).ok());
                result.is_some_and(|Applied { value, changed }| {
                    let replaced = changed.iter().map(|(object, new)| (*object, new.view())).collect();
                    is_equal_by(Proofs::new(known.clone(), side), replaced, &self.structural, [value.view(), to])
                })
            })
    }

    /// Finds the corresponding objects.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) beyond the steps of the limits. The objects found until then correspond.
    fn find<'a>(&self, matcher: &mut Matcher<'a>, roots: [AnyView<'a>; 2]) -> Result<()> {
        matcher.compare(roots[0], roots[1], self.structural.root_region())?;
        match_singles(matcher)?;
        match_keys(matcher)?;
        match_unlisted(matcher)
    }

    /// The objects at which the results of a script and of its inverse differ first from the values that they should make;
    /// `None` if they make them.
    fn wrong(&self, script: &EditScript, [a, b]: [AnyView<'_>; 2]) -> Option<Vec<ObjectRef>> {
        let ways = [(script, a, b), (&script.inverted(), b, a)];
        let mut wrong = None;
        for (script, from, to) in ways {
            let Ok(result) = apply_all(from, &[script], false) else { return Some(Vec::new()) };
            if self.structural.equal_leniently(&result, &to) {
                continue;
            }
            let found = self.structural.first_mismatch(&result, &to).ok().flatten();
            let values = found.into_iter().flat_map(|found| [found.lhs_value, found.rhs_value]);
            let objects =
                values.filter_map(|value| if let Some(Any::Object(object)) = value { Some(object) } else { None });
            wrong.get_or_insert_with(Vec::new).extend(objects.filter(|object| object.view().is_identified()));
        }
        wrong
    }
}

/// Walks over the fields that the hooks of types do not list. The comparison does not look at them, but a copy of an object has
/// them.
fn match_unlisted<'a>(matcher: &mut Matcher<'a>) -> Result<()> {
    let mut next = 0;
    let mut met = Met::default();
    while let Some((a, b)) = matcher.record().compared.get(next).copied() {
        next += 1;
        if a.type_info().hooks.is_none() {
            continue;
        }
        met.update(matcher);
        let is_new = |x: ObjectView<'a>, y: ObjectView<'a>| {
            let is_met = || met.contains(matcher, 0, x) || met.contains(matcher, 1, y);
            std::ptr::eq(x.type_info(), y.type_info()) && !is_whole(x) && !is_met()
        };
        let unlisted: Vec<_> = a
            .fields()
            .zip(b.fields())
            .filter_map(|((_, x), (_, y))| match (x, y) {
                (AnyView::Object(x), AnyView::Object(y)) if is_new(x, y) => Some((x, y)),
                _ => None,
            })
            .collect();
        for (x, y) in unlisted {
            matcher.compare(AnyView::Object(x), AnyView::Object(y), DefRegionKind::None)?;
        }
    }
    Ok(())
}
