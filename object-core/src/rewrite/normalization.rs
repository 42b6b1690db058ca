//! [`Normalization`]: applies rules to an object until none applies to it or to a part of it.
//!
//! The rewrite of a graph reaches each object after its parts, which then have their normal forms. If a rule applies, the
//! values of the holes are parts of the object, so only the rest of the replacement is new. An editor visits this rest in the
//! same order, and applies rules there; a replacement of a replacement is visited in its place, without a recursion.

use crate::access_path::AccessPath;
use crate::container::Array;
use crate::error::{Error, Result};
use crate::graph::{Access, ChildSlot, GraphEditor};
use crate::object::{Any, AnyView, DefRegionKind, ObjectHandle, ObjectRef, ObjectView};
use crate::rewrite::known_variables::KnownVariables;
use crate::rewrite::place::fits;
use crate::rewrite::rewrite_rule::{Applied, Outcome};
use crate::rewrite::rule::{Mutation, Rule};
use crate::rewrite::rule_index::RuleIndex;
use crate::rewrite::rule_progress::RuleProgress;
use crate::table::AddressTable;
use crate::value::Str;
use crate::visit::{PathSource, Position};

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

/// A rewrite by rules in progress.
pub(super) struct Normalization<'r, 'n, 'v> {
    index: &'r RuleIndex<'r>,
    fits_root: &'r dyn Fn(AnyView<'_>) -> bool,
    observer: &'r mut dyn FnMut(&Fired<'_>),
    progress: &'r mut RuleProgress<'n>,
    variables: &'r mut KnownVariables<'v>,
    /// The values of holes below the current replacement, which have their normal forms, by address.
    normal: AddressTable<Any>,
    /// The normal forms of shared objects in replacements, by address. The first part keeps the object alive.
    known: AddressTable<(ObjectRef, Any)>,
}

impl<'r, 'n, 'v> Normalization<'r, 'n, 'v> {
    pub(super) fn new(
        index: &'r RuleIndex<'r>,
        progress: &'r mut RuleProgress<'n>,
        variables: &'r mut KnownVariables<'v>,
        fits_root: &'r dyn Fn(AnyView<'_>) -> bool,
        observer: &'r mut dyn FnMut(&Fired<'_>),
    ) -> Self {
        Normalization {
            index,
            fits_root,
            observer,
            progress,
            variables,
            normal: AddressTable::default(),
            known: AddressTable::default(),
        }
    }

    /// The replacement of `object`, the parts of which have their normal forms, by the first rule that applies.
    fn apply(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Option<Applied>> {
        for number in self.index.of(object.type_info()) {
            let mut applied = match self.index.apply(*number, object, self.variables)? {
                Outcome::Differs => continue,
                Outcome::Applied(applied) if fits(&applied.value, object, at, self.fits_root) => applied,
                Outcome::Applied(_) | Outcome::Misfit => {
                    self.progress.misfit(*number);
                    continue;
                }
            };
            if !self.index.rule(*number).costs_less(&applied.value, object) {
                continue;
            }
            applied.is_flat = self.index.is_flat(*number);
            self.progress.replace(*number)?;
            let name = || self.progress.name(*number);
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
            self.progress.visit()?;
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
                let AnyView::Object(object) = editor.value() else { break };
                match self.enter(object, &Position::new(&Inside { above: at, editor: &editor }))? {
                    Entering::Visit(shared) => entered.push(shared),
                    Entering::Done(known) => {
                        known.into_iter().for_each(|known| editor.replace(known));
                        editor.up();
                    }
                }
                continue;
            }
            let Some(shared) = entered.pop() else { break };
            editor.apply()?;
            let applied = match editor.value() {
                AnyView::Object(object) => {
                    self.apply(object, &Position::new(&Inside { above: at, editor: &editor }))?
                }
                _ => None,
            };
            if let Some(applied) = applied {
                let is_open = self.is_open(&applied);
                self.keep(applied.holes);
                editor.replace(applied.value);
                if is_open {
                    self.progress.visit()?;
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

    /// How the editor goes on at an object in a replacement.
    fn enter(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Entering> {
        if self.normal.contains_key(&object.address()) {
            return Ok(Entering::Done(None));
        }
        let is_shared = object.use_count() > 1;
        if is_shared
            && let Some((_, known)) = self.known.get(&object.address())
            && fits(known, object, at, self.fits_root)
        {
            return Ok(Entering::Done(Some(known.clone())));
        }
        self.progress.visit()?;
        Ok(Entering::Visit(is_shared.then(|| object.to_object())))
    }
}

/// How the editor goes on at an object.
enum Entering {
    /// The object has its normal form, or this value is it.
    Done(Option<Any>),
    /// The editor visits the children. The object itself, if it is shared.
    Visit(Option<ObjectRef>),
}

impl Rule<Error> for Normalization<'_, '_, '_> {
    type Before = ();

    #[inline(always)]
    fn enter(&mut self, _: ObjectView<'_>, _: &Position<'_>) -> Result<Mutation> {
        Ok(Mutation::Keep)
    }

    #[inline(always)]
    fn leave(&mut self, object: ObjectView<'_>, at: &Position<'_>) -> Result<Mutation> {
        self.progress.visit()?;
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
