//! [`Normalization`]: applies rules to an object until none applies to it or to a part of it.
//!
//! The rewrite of a graph reaches each object after its parts, which then have their normal forms. If a rule applies, the
//! values of the holes are parts of the object, so only the rest of the replacement is new. An editor visits this rest in the
//! same order, and applies rules there; a replacement of a replacement is visited in its place, without a recursion.

use std::collections::VecDeque;

use crate::access_path::AccessPath;
use crate::container::Array;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::{Access, ChildSlot, GraphEditor};
use crate::limits::{Budget, Limit, Limits};
use crate::object::{Any, AnyView, DefRegionKind, ObjectHandle, ObjectRef, ObjectView};
use crate::rewrite::place::fits;
use crate::rewrite::rewrite_rule::Applied;
use crate::rewrite::rewrite_rules::RuleIndex;
use crate::rewrite::rule::{Mutation, Rule};
use crate::table::AddressTable;
use crate::value::Str;
use crate::visit::{PathSource, Position};

/// How many of the last replacements an error about too many of them considers.
const LAST_REPLACEMENTS: usize = 256;

/// A replacement, as [`RewriteRules::run_observed`](crate::rewrite::RewriteRules::run_observed) shows it.
pub struct Fired<'f> {
    rule: &'f dyn Fn() -> Str,
    before: ObjectView<'f>,
    after: AnyView<'f>,
    at: Position<'f>,
}

impl Fired<'_> {
    /// The name of the rule.
    #[must_use]
    pub fn rule(&self) -> Str {
        (self.rule)()
    }

    /// The object that the rule matches.
    #[must_use]
    pub fn before(&self) -> ObjectRef {
        self.before.to_object()
    }

    /// The replacement.
    #[must_use]
    pub fn after(&self) -> Any {
        self.after.to_any()
    }

    /// The path of the object in the value so far: the objects above it have not changed.
    #[must_use]
    pub fn path(&self) -> AccessPath {
        self.at.path()
    }
}

/// The work of a rewrite by rules.
#[derive(Clone, Debug)]
pub struct RewriteStatistics {
    /// How many objects the rewrite has visited.
    pub visits: u64,
    /// The name of each rule, and how often it applied.
    pub replacements: Vec<(Str, u64)>,
}

/// A rewrite by rules in progress.
pub(super) struct Normalization<'r> {
    index: &'r RuleIndex<'r>,
    fits_root: &'r dyn Fn(AnyView<'_>) -> bool,
    observer: &'r mut dyn FnMut(&Fired<'_>),
    replacements: Budget,
    visits: Budget,
    counts: Vec<u64>,
    /// The numbers of the rules of the last replacements.
    last: VecDeque<usize>,
    /// The values of holes below the current replacement, which have their normal forms, by address.
    normal: AddressTable<Any>,
    /// The normal forms of shared objects in replacements, by address. The first part keeps the object alive.
    known: AddressTable<(ObjectRef, Any)>,
}

impl<'r> Normalization<'r> {
    pub(super) fn new(
        index: &'r RuleIndex<'r>,
        limits: &Limits,
        fits_root: &'r dyn Fn(AnyView<'_>) -> bool,
        observer: &'r mut dyn FnMut(&Fired<'_>),
    ) -> Self {
        Normalization {
            index,
            fits_root,
            observer,
            replacements: Budget::new(limits, Limit::Nodes),
            visits: Budget::steps(limits),
            counts: vec![0; index.rules.len()],
            last: VecDeque::new(),
            normal: AddressTable::default(),
            known: AddressTable::default(),
        }
    }

    pub(super) fn statistics(self) -> RewriteStatistics {
        let replacements = self.index.rules.iter().zip(self.counts).map(|(rule, count)| (rule.name(), count)).collect();
        RewriteStatistics { visits: self.visits.spent(), replacements }
    }

    /// The replacement of `object`, the parts of which have their normal forms, by the first rule that applies.
    fn apply(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Option<Applied>> {
        for number in self.index.of(object.type_info()) {
            let rule = &self.index.rules[*number];
            let Some(applied) = rule.apply(object)? else { continue };
            if !fits(&applied.value, object, at, self.fits_root) {
                continue;
            }
            self.counts[*number] += 1;
            if self.last.len() == LAST_REPLACEMENTS {
                self.last.pop_front();
            }
            self.last.push_back(*number);
            self.replacements.spend(1).map_err(|error| self.with_cycle(error))?;
            let name = || rule.name();
            (self.observer)(&Fired { rule: &name, before: object, after: applied.value.view(), at: *at });
            return Ok(Some(applied));
        }
        Ok(None)
    }

    /// The normal form of a replacement at the place `at`.
    #[inline(never)]
    fn normal_form(&mut self, applied: Applied, at: &Position<'_>) -> Result<Any> {
        let mut applied = applied;
        while applied.is_flat
            && let AnyView::Object(object) = applied.value.view()
        {
            self.visits.spend(1).map_err(|error| self.with_cycle(error))?;
            match self.apply(object, at)? {
                None => return Ok(applied.value),
                Some(next) => applied = next,
            }
        }
        if !self.is_open(&applied) {
            return Ok(applied.value);
        }
        self.keep(applied.holes);
        let result = self.normal_form_below(applied.value, at);
        self.normal.clear();
        result
    }

    /// Whether a replacement has objects that are not values of holes.
    fn is_open(&self, applied: &Applied) -> bool {
        let AnyView::Object(object) = applied.value.view() else { return false };
        !applied.holes.iter().any(|hole| hole.view().is_object(object))
    }

    /// Keeps the values of holes, which have their normal forms.
    fn keep(&mut self, holes: Vec<Any>) {
        for hole in holes {
            if let AnyView::Object(object) = hole.view() {
                self.normal.insert(object.address(), hole);
            }
        }
    }

    /// As [`normal_form`](Self::normal_form), with an editor for the objects in the replacement.
    fn normal_form_below(&mut self, value: Any, at: &Position<'_>) -> Result<Any> {
        // The editor does not change its root.
        let root = Array::<Any>::from_anys(vec![value]);
        let mut editor = GraphEditor::new(root.as_object().view(), Access::NEW);
        // The objects before the current one, if they are shared.
        let mut entered: Vec<Option<ObjectRef>> = Vec::new();
        loop {
            if editor.down() {
                if let Some(shared) = self.enter(&mut editor)? {
                    entered.push(shared);
                } else {
                    editor.up();
                }
                continue;
            }
            let Some(shared) = entered.pop() else { break };
            editor.apply()?;
            let applied = match editor.value() {
                AnyView::Object(object) => self.apply(object, &Position::new(&Inside { above: at, editor: &editor }))?,
                _ => None,
            };
            if let Some(applied) = applied {
                let is_open = self.is_open(&applied);
                self.keep(applied.holes);
                editor.replace(applied.value);
                if is_open {
                    self.visits.spend(1).map_err(|error| self.with_cycle(error))?;
                    entered.push(shared);
                    continue;
                }
            }
            if let Some(shared) = shared {
                self.known.insert(shared.view().address(), (shared, editor.value().to_any()));
            }
            editor.up();
        }
        let first = editor.into_changes().pop().map(|(_, value)| value);
        Ok(first.unwrap_or_else(|| root.get(0).unwrap_or_default()))
    }

    /// Begins with the current object of the editor. Returns the object if it is shared; `None` at all if it has a known
    /// normal form, which takes its place.
    fn enter(&mut self, editor: &mut GraphEditor<'_>) -> Result<Option<Option<ObjectRef>>> {
        let AnyView::Object(object) = editor.value() else { return Ok(None) };
        if self.normal.contains_key(&object.address()) {
            return Ok(None);
        }
        if object.use_count() <= 1 {
            self.visits.spend(1).map_err(|error| self.with_cycle(error))?;
            return Ok(Some(None));
        }
        if let Some((_, known)) = self.known.get(&object.address()) {
            let known = known.clone();
            editor.replace(known);
            return Ok(None);
        }
        let shared = object.to_object();
        self.visits.spend(1).map_err(|error| self.with_cycle(error))?;
        Ok(Some(Some(shared)))
    }

    /// The error of a limit, with the rules that applied last.
    #[cold]
    fn with_cycle(&self, error: Error) -> Error {
        let last: Vec<usize> = self.last.iter().copied().collect();
        if error.kind() != ErrorKind::LimitExceeded || last.is_empty() {
            return error;
        }
        let names: Vec<String> = cycle(&last).iter().map(|rule| format!("`{}`", self.index.rules[*rule].name())).collect();
        error.context(format!("the rules applied again and again, at last {}", names.join(", ")))
    }
}

/// The shortest sequence of rules of which the end of `last` is a repetition; without one, the rules in `last`, each once.
fn cycle(last: &[usize]) -> Vec<usize> {
    let backwards = || last.iter().rev();
    for length in 1..=last.len() / 2 {
        if backwards().zip(backwards().skip(length)).take(last.len() / 2).all(|(a, b)| a == b) {
            return last[last.len() - length..].to_vec();
        }
    }
    let mut once = last.to_vec();
    once.sort_unstable();
    once.dedup();
    once
}

impl Rule<Error> for &mut Normalization<'_> {
    type Before = ();

    #[inline(always)]
    fn enter(&mut self, _: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        Ok(Mutation::Keep)
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation> {
        self.visits.spend(1)?;
        match self.apply(object, at)? {
            None => Ok(Mutation::Keep),
            Some(applied) => self.normal_form(applied, at).map(Mutation::Replace),
        }
    }

    fn fits(&self, value: &Any, object: ObjectView<'_>, at: &Position<'_>) -> bool {
        fits(value, object, at, self.fits_root)
    }

    #[inline(always)]
    fn before(&self) {}
}

/// The current value of the editor of a replacement, in the graph in which the replacement is.
struct Inside<'p, 'e> {
    above: &'p Position<'p>,
    editor: &'p GraphEditor<'e>,
}

impl PathSource for Inside<'_, '_> {
    fn slots(&self) -> Vec<ChildSlot<'_>> {
        let mut slots = self.above.source().slots();
        slots.extend(self.editor.slots().skip(1));
        slots
    }

    fn slot_above(&self, levels: usize) -> Option<ChildSlot<'_>> {
        let own = self.editor.depth() - 1;
        if levels < own { self.editor.slots().nth_back(levels) } else { self.above.source().slot_above(levels - own) }
    }

    fn depth(&self) -> usize {
        self.above.depth() + self.editor.depth() - 1
    }

    fn region(&self) -> DefRegionKind {
        self.editor.region(|| self.above.region())
    }
}
