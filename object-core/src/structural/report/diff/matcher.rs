//! [`Matcher`]: the walk of a diff as a source of corresponding objects, for edit scripts.

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{AnyView, ComputedEnd, ComputedValues, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::Uncomparable;
use crate::structural::engine::equal::{Equality, compare};
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::report::diff::proofs::Proofs;
use crate::structural::report::diff::record::{Pair, Record};
use crate::structural::report::diff::state::{DiffMode, DiffWalk};
use crate::table::AddressSet;

/// A walk that finds corresponding objects of two values, in as many calls as the caller makes. All calls share their
/// bindings.
pub(crate) struct Matcher<'a> {
    walk: DiffWalk<'a>,
    /// The number of bindings that the caller made.
    fixed: usize,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(options: &StructuralOptions, limits: Limits, computed: ComputedEnd<'a>) -> Self {
        let mut walk = DiffWalk::new(options, DiffMode::recorded(limits), computed);
        walk.record = Some(Box::default());
        walk.align_hashes.keeps_all = true;
        walk.engine.uncomparable = Uncomparable::EqualItself;
        Matcher { walk, fixed: 0 }
    }

    /// Makes a variable correspond to itself only, under persistent scopes.
    pub(crate) fn fix(&mut self, variable: ObjectView<'a>) {
        if self.walk.options.scopes == Scopes::Persistent {
            self.walk.engine.bindings.relate(variable, variable, true);
            self.fixed = self.walk.engine.bindings.log().len();
        }
    }

    /// Walks over two values.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded), if all walks together take too many steps.
    pub(crate) fn compare(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegionKind) -> Result<()> {
        self.walk.walk(a, b, region)
    }

    /// Whether two objects of the same shape are equal under the bindings so far. If so, keeps the new bindings. Under
    /// lexical scopes, walks over them, and the answer is that the caller has to look at the pairs.
    ///
    /// # Errors
    /// As [`compare`](Self::compare).
    pub(crate) fn match_alike(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Result<bool> {
        if self.walk.options.scopes == Scopes::Lexical {
            self.compare(AnyView::Object(a), AnyView::Object(b), DefRegionKind::None)?;
            return Ok(true);
        }
        self.walk.engine.equal_classes.record();
        let bound = self.walk.engine.bindings.log().len();
        let equal = self.walk.engine.attempt(a, b, DefRegionKind::None);
        if equal && let Some(record) = &mut self.walk.record {
            record.add_equal((a, b), DefRegionKind::None, &self.walk.engine.bindings, bound);
        }
        Ok(equal)
    }

    /// The pairs so far.
    pub(crate) fn record(&mut self) -> &mut Record<'a> {
        self.walk.record.get_or_insert_default()
    }

    /// The variables and `dag` nodes that are bound to each other at the end of the walks, under persistent scopes.
    pub(crate) fn bound(&self) -> impl Iterator<Item = Pair<'a>> + '_ {
        let bindings = &self.walk.engine.bindings;
        let log = if self.walk.options.scopes == Scopes::Persistent { &bindings.log()[self.fixed..] } else { &[] };
        log.iter().filter_map(|a| Some((*a, bindings.get(*a)?.other)))
    }

    /// The equal objects so far, by the objects of a side. Side 0 is the left one.
    pub(crate) fn proofs(&self, side: usize) -> Proofs<'a> {
        let record = self.walk.record.as_deref();
        Proofs::of(record.unwrap_or(&Record::default()), self.bound(), side)
    }

    /// The objects of a side that the walks found equal to others, unless `is_wanted` holds for one of the variables and `dag`
    /// nodes that they bind.
    pub(crate) fn without(&self, side: usize, is_wanted: impl Fn(ObjectView<'a>) -> bool) -> AddressSet {
        let Some(record) = &self.walk.record else { return AddressSet::default() };
        let of_side = |pair: &Pair<'a>| if side == 0 { pair.0 } else { pair.1 };
        let mut objects = AddressSet::default();
        objects.reserve(record.proofs.len());
        for (_, pairs) in record.proved() {
            let [root, bound @ ..] = &record.equal[pairs] else { continue };
            if !bound.iter().any(|pair| is_wanted(of_side(pair))) {
                objects.insert(of_side(root).address());
            }
        }
        objects
    }

    /// Whether the walks found two shared objects equal.
    pub(crate) fn found_equal(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        self.walk.options.scopes == Scopes::Persistent && self.walk.engine.equal_classes.contains(a, b)
    }

    /// A hash of an object without variables.
    pub(crate) fn shape(&mut self, object: ObjectView<'a>) -> u64 {
        self.walk.align_hashes.of(AnyView::Object(object))
    }

    /// A number from the names in the upper levels of an object.
    pub(crate) fn names(&self, object: ObjectView<'a>) -> u64 {
        self.walk.align_hashes.names(AnyView::Object(object))
    }
}

/// Whether two values are equal under persistent scopes, if the objects that an earlier walk found equal prove it.
pub(crate) fn is_equal_by<'a>(proofs: Proofs<'a>, options: &StructuralOptions, a: AnyView<'a>, b: AnyView<'a>) -> bool {
    let computed = ComputedValues::default();
    let mut walk = DiffWalk::new(options, DiffMode::proving(), computed.end());
    walk.proofs = Some(Box::new(proofs));
    walk.run(a, b).is_ok_and(|(found, ended)| found.is_empty() && ended.is_none())
}

/// Whether two values are equal, if they contain no variables. Objects whose type takes no part in comparison equal
/// themselves.
pub(crate) fn is_equal_plain(a: AnyView<'_>, b: AnyView<'_>, skip_tensor_content: bool) -> bool {
    let options = StructuralOptions::new().skip_tensor_content(skip_tensor_content);
    compare(options, a, b, Uncomparable::EqualItself) == Equality::Equal
}
