//! [`DiffWalk`]: the state of a diff in progress.

use crate::limits::{Budget, Limits};
use crate::object::{ComputedEnd, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::Comparison;
use crate::structural::engine::sharing::Shortcut;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::report::diff::align_hash::AlignHashes;
use crate::structural::report::diff::binding_places::BindingPlaces;
use crate::structural::report::diff::differing::Differing;
use crate::structural::report::diff::frame::DiffFrame;
use crate::structural::report::diff::path_tree::{Place, ROOT};
use crate::structural::report::diff::proofs::Proofs;
use crate::structural::report::diff::record::Record;
use crate::structural::report::mismatch::Mismatch;
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::relations::FreeOnRecall;

/// The maximum number of path steps in all differences together, except the first one. Without the limit, a few deep
/// differences could take more memory than the graphs.
const PATH_STEPS: usize = 1 << 20;

/// The purpose of a walk, which decides how it proceeds.
#[derive(Clone, Copy)]
pub(crate) struct DiffMode {
    /// Whether arrays are aligned, or compared by index.
    pub(super) align: bool,
    /// Whether map entries come in insertion order, or in the order that decides verdicts.
    pub(super) as_inserted: bool,
    /// Whether the walk skips pairs that a comparison finds equal.
    pub(super) skips_equal_pairs: bool,
    /// The number of differences to find.
    pub(super) limit: usize,
    pub(super) limits: Limits,
}

impl DiffMode {
    /// For all differences.
    pub(crate) fn aligned(limit: usize, limits: Limits) -> Self {
        DiffMode { align: true, as_inserted: false, skips_equal_pairs: true, limit, limits }
    }

    /// For a record of the pairs.
    pub(crate) fn recorded(limits: Limits) -> Self {
        DiffMode::aligned(usize::MAX, limits)
    }

    /// For the first difference.
    pub(crate) fn first(as_inserted: bool) -> Self {
        let limits = Limits::new().max_steps(u64::MAX);
        DiffMode { align: false, as_inserted, skips_equal_pairs: false, limit: 1, limits }
    }

    /// For a verdict with the results of an earlier walk.
    pub(crate) fn proving() -> Self {
        DiffMode { skips_equal_pairs: true, ..DiffMode::first(false) }
    }

    /// For the places of the bindings in pairs that are equal.
    pub(super) fn of_bindings() -> Self {
        DiffMode { limit: usize::MAX, ..DiffMode::first(false) }
    }
}

/// A diff in progress.
pub(crate) struct DiffWalk<'a> {
    pub(super) options: StructuralOptions,
    pub(super) mode: DiffMode,
    pub(super) stack: Vec<DiffFrame<'a>>,
    /// The frames on the stack that compare keys of maps.
    pub(super) at_keys: Vec<usize>,
    /// The bindings and the equal pairs so far, in a comparison that can go on with the next pair.
    pub(super) engine: Comparison<'a>,
    pub(super) attempts: Attempts<'a>,
    /// The place of the roots.
    pub(super) base: Place,
    pub(super) places: BindingPlaces<'a>,
    pub(super) differing: Differing,
    pub(super) align_hashes: AlignHashes<'a>,
    pub(super) found: Vec<Mismatch>,
    /// The pairs of the walk, for a caller that wants them in place of `found`.
    pub(super) record: Option<Box<Record<'a>>>,
    /// The equal objects that an earlier walk found.
    pub(super) proofs: Option<Box<Proofs<'a>>>,
    pub(super) steps_left: usize,
    /// The steps that the walk may still take.
    pub(super) budget: Budget,
    pub(super) is_done: bool,
    /// The number of facts about bindings that the budget contains.
    pub(super) facts: u32,
}

impl<'a> DiffWalk<'a> {
    pub(crate) fn new(options: &StructuralOptions, mode: DiffMode, computed: ComputedEnd<'a>) -> Self {
        let mut engine = Comparison::new(*options, computed);
        if options.scopes == Scopes::Lexical {
            engine.bindings = Bindings::in_scopes(FreeOnRecall::None);
        }
        // The walk looks up variables that the comparison would leave out.
        engine.unshared = Shortcut::Forbidden;
        DiffWalk {
            options: *options,
            mode,
            stack: Vec::new(),
            at_keys: Vec::new(),
            engine,
            attempts: Attempts::default(),
            base: ROOT,
            places: BindingPlaces::default(),
            differing: Differing::default(),
            align_hashes: AlignHashes::new(options, computed),
            found: Vec::new(),
            record: None,
            proofs: None,
            steps_left: PATH_STEPS,
            budget: Budget::steps(&mode.limits),
            is_done: false,
            facts: 0,
        }
    }
}

/// The pairs that a walk tried to skip.
#[derive(Default)]
pub(super) struct Attempts<'a> {
    /// The steps of the walk and of comparisons of equal pairs.
    pub(super) useful: u64,
    /// The steps of comparisons of pairs that differ.
    pub(super) wasted: u64,
    /// The steps of the longest comparison of a pair that differs.
    pub(super) longest_wasted: u64,
    /// The steps of comparisons that the budget of the walk does not contain.
    pub(super) uncounted: u64,
    /// The skipped pairs that made bindings whose places are unknown.
    pub(super) skipped: Vec<SkippedPair<'a>>,
    /// The addresses of the last pair that differs.
    pub(super) different: Option<(usize, usize)>,
    /// The walk that finds the places of bindings in skipped pairs.
    pub(super) lister: Option<Box<DiffWalk<'a>>>,
}

/// A pair of equal objects in which a comparison made bindings.
pub(super) struct SkippedPair<'a> {
    pub(super) objects: (ObjectView<'a>, ObjectView<'a>),
    pub(super) region: DefRegionKind,
    pub(super) place: Place,
    /// The number of bindings before the pair.
    pub(super) bound_before: usize,
}
