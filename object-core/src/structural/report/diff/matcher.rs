//! [`Matcher`]: the walk of a diff as a source of corresponding objects, for edit scripts.

use std::rc::Rc;

use crate::error::Result;
use crate::limits::Limits;
use crate::object::{AnyView, ComputedEnd, ComputedValues, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::Uncomparable;
use crate::structural::engine::equal::{Equality, compare};
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::report::diff::known::{Known, counterpart};
use crate::structural::report::diff::proofs::Proofs;
use crate::structural::report::diff::record::{Pair, Record};
use crate::structural::report::diff::state::{DiffMode, DiffWalk};
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::relations::FreeOnRecall;

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
        if options.scopes == Scopes::Lexical {
            // Nobody asks for the places of bindings, so the walk need not look for the first occurrences of free variables.
            walk.engine.bindings = Bindings::in_scopes(FreeOnRecall::of(options.map_free_vars));
        }
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

    /// Adds the proofs of the walks so far to those that [`counterpart`](Self::counterpart) and [`is_known`](Self::is_known) use.
    pub(crate) fn index_proofs(&mut self) {
        self.record().index_proofs();
    }

    /// The object of the other side to which a variable or a `dag` node is bound, or to which a comparison found a tree equal. Side
    /// 0 is the left one.
    pub(crate) fn counterpart(&self, side: usize, object: ObjectView<'a>) -> Option<ObjectView<'a>> {
        let bindings = (self.walk.options.scopes, &self.walk.engine.bindings, self.fixed);
        counterpart(self.walk.record.as_deref()?, bindings, side, object)
    }

    /// Whether an object of a side is bound, or a comparison found it equal to another one.
    pub(crate) fn is_known(&self, side: usize, object: ObjectView<'a>) -> bool {
        let has_proof = self.walk.record.as_ref().is_some_and(|record| record.proof_number(side, object).is_some());
        has_proof || self.counterpart(side, object).is_some()
    }

    /// The correspondence that the walks found.
    pub(crate) fn into_known(mut self) -> Known<'a> {
        self.index_proofs();
        let (scopes, fixed) = (self.walk.options.scopes, self.fixed);
        let (record, engine) = (self.walk.record.take().unwrap_or_default(), self.walk.engine);
        let (bindings, equal_classes) = (Rc::new(engine.bindings), engine.equal_classes);
        Known { scopes, bindings, fixed, record: *record, equal_classes }
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
/// `replaced` has the variables and `dag` nodes of the earlier walk with the objects that are in their places in `a`.
pub(crate) fn is_equal_by<'a>(
    proofs: Proofs<'a>,
    replaced: Vec<Pair<'a>>,
    options: &StructuralOptions,
    [a, b]: [AnyView<'a>; 2],
) -> bool {
    let computed = ComputedValues::default();
    let mut walk = DiffWalk::new(options, DiffMode::proving(), computed.end());
    walk.engine.bindings = Bindings::with_earlier(proofs.bindings(replaced));
    walk.proofs = Some(Box::new(proofs));
    walk.run(a, b).is_ok_and(|(found, ended)| found.is_empty() && ended.is_none())
}

/// Whether two values are equal, if they contain no variables. Objects whose type takes no part in comparison equal
/// themselves.
pub(crate) fn is_equal_plain(a: AnyView<'_>, b: AnyView<'_>, skip_tensor_content: bool) -> bool {
    let options = StructuralOptions::new().skip_tensor_content(skip_tensor_content);
    compare(options, a, b, Uncomparable::EqualItself) == Equality::Equal
}
