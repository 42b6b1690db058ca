//! The structural hash under lexical scopes.
//!
//! The hasher walks a value in the order of a comparison, with frames on the heap. The hash of an object leaves out
//! which variables occur in it; [`Positions`](crate::structural::lexical::positions::Positions) tell where each of them
//! occurs. When a scope ends, the positions of the variables that it binds enter its hash, and the variables leave the
//! positions. So the hash of a shared object is the same under all binders of its variables.

use crate::access_path::AccessPath;
use crate::error::{Error, Result};
use crate::hashing::{Mixer, SEED_NUMBER, finish};
use crate::object::{AnyView, CompareRule, ComputedEnd, ComputedValues, DefRegionKind, HookContents, ObjectView};
use crate::stack_budget::with_stack;
use crate::structural::engine::comparison::WORTH_REMEMBERING;
use crate::structural::engine::hash_leaves::{LeafContent, hash_identity, hash_plain, hash_plain_fields};
use crate::structural::lexical::hash_cache::HashCache;
use crate::structural::lexical::hash_frame::{Entrance, LexicalFrame, NextChild, Way};
use crate::structural::lexical::hash_memo::{Conditions, MAX_REMEMBERED, OuterPositions, Rebound, Remembered};
use crate::structural::lexical::positions::{Positions, Residue};
use crate::structural::lexical::recurrence::may_recur_in_scopes;
use crate::structural::lexical::statuses::{Asked, Question, Statuses};
use crate::structural::not_comparable::not_comparable;
use crate::structural::options::StructuralOptions;
use crate::structural::scope::facts::FactLog;
use crate::table::{AddressTable, Table};

/// A hash under lexical scopes in progress.
pub(crate) struct LexicalHasher<'a, M> {
    pub(crate) options: StructuralOptions,
    pub(crate) mixer: M,
    pub(crate) frames: Vec<LexicalFrame<'a>>,
    /// The values that hooks listed and that the hasher has not reached yet: one list after the other.
    pub(crate) listed: HookContents<'a>,
    pub(crate) statuses: Statuses,
    questions: FactLog<Asked>,
    remembered: Table<(usize, DefRegionKind), Vec<Remembered>>,
    long_leaves: AddressTable<u64>,
    /// The hashes of scopes from earlier calls.
    pub(crate) cache: Option<HashCache>,
    /// Whether an object whose type takes no part in comparison counts by its type, and is no error.
    is_lenient: bool,
    /// The positions of the free variables of the value, after the walk.
    free: Positions,
    /// The number of visited values, of answered questions and of visited nodes of positions.
    pub(crate) steps: u32,
}

/// The result of a visit.
enum Visit {
    Done(u64),
    /// The object has a frame now.
    Entered,
}

/// The hash of a value; an error if a type in it takes no part in comparison. The hasher takes the hashes of scopes from
/// `cache` if the caller passes one, which has hashes by this mixer only.
pub(crate) fn hash_in_scopes(
    options: StructuralOptions,
    mixer: impl Mixer,
    root: AnyView<'_>,
    cache: Option<&mut HashCache>,
) -> Result<u64> {
    Ok(hash_scope(options, mixer, root, cache)?.hash)
}

/// The hash of a value, with what a table of scopes has to know about it.
pub(crate) struct ScopeHash {
    pub(crate) hash: u64,
    /// A number that depends on which variables are free in the value, and holds in this process only.
    pub(crate) free: u64,
    /// Whether the value means the same under all outer bindings of its free variables.
    pub(crate) is_independent: bool,
}

/// As [`hash_in_scopes`], for a table of scopes.
pub(crate) fn hash_scope(
    options: StructuralOptions,
    mixer: impl Mixer,
    root: AnyView<'_>,
    mut cache: Option<&mut HashCache>,
) -> Result<ScopeHash> {
    let computed = ComputedValues::default();
    let mut hasher = LexicalHasher::new(options, mixer, computed.end());
    hasher.cache = cache.as_deref_mut().map(HashCache::take);
    let hash = with_stack(|| hasher.run(root, DefRegionKind::None));
    if let Some(cache) = cache {
        *cache = hasher.cache.take().unwrap_or_default();
    }
    let free = hasher.free.by_variable().bits();
    Ok(ScopeHash { hash: finish(hash?), free, is_independent: hasher.questions.is_empty() })
}

/// The hash of a value, in which an object whose type takes no part in comparison counts by its type.
pub(crate) fn hash_leniently_in_scopes(options: StructuralOptions, mixer: impl Mixer, root: AnyView<'_>) -> u64 {
    let computed = ComputedValues::default();
    let mut hasher = LexicalHasher::new(options, mixer, computed.end());
    hasher.is_lenient = true;
    // A lenient run has no error.
    with_stack(|| hasher.run(root, DefRegionKind::None)).map_or(0, finish)
}

impl<'a, M: Mixer> LexicalHasher<'a, M> {
    pub(crate) fn new(options: StructuralOptions, mixer: M, computed: ComputedEnd<'a>) -> Self {
        LexicalHasher {
            options,
            mixer,
            frames: Vec::new(),
            listed: HookContents::new(computed),
            statuses: Statuses::default(),
            questions: FactLog::default(),
            remembered: Table::default(),
            long_leaves: AddressTable::default(),
            cache: None,
            is_lenient: false,
            free: Positions::default(),
            steps: 0,
        }
    }

    /// Hashes a value outside of all objects.
    pub(crate) fn run(&mut self, root: AnyView<'a>, region: DefRegionKind) -> Result<u64> {
        let mut visit = self.visit(root, region)?;
        while let Some(frame) = self.frames.last_mut() {
            if let Visit::Done(hash) = visit {
                frame.take(self.mixer, hash, &mut self.statuses, &mut self.steps);
            }
            visit = match frame.next(&self.listed, &mut self.statuses) {
                NextChild::Value(value, region) => self.visit(value, region)?,
                NextChild::Key(key, region) => self.visit_key(key, region)?,
                NextChild::End => self.exit(),
            };
        }
        let Visit::Done(hash) = visit else { return Ok(0) };
        let own = self.statuses.occurrences.take_own(0, true, &mut self.steps);
        let outer = self.statuses.occurrences.take_sum(0, &mut self.steps);
        if outer.is_empty() && own.is_empty() {
            return Ok(hash);
        }
        let sums = own.sums(&mut self.steps).plus(outer.sums(&mut self.steps));
        self.free = outer;
        Ok(self.mixer.mix(hash, sums.hash(self.mixer)))
    }

    /// The factor of the positions in the current child.
    fn factor(&self) -> Residue {
        self.frames.last().map_or(Residue::ONE, LexicalFrame::factor)
    }

    fn visit(&mut self, value: AnyView<'a>, region: DefRegionKind) -> Result<Visit> {
        self.steps = self.steps.wrapping_add(1);
        let AnyView::Object(object) = value else {
            return Ok(Visit::Done(hash_plain(self.mixer, value)));
        };
        let info = object.type_info();
        let hash = match info.plan.compare_rule {
            CompareRule::Leaf => self.leaf(object),
            // Without its default fields, an object of a type with objects is hashed as one of a type without.
            CompareRule::Plain if !self.options.skip_default_fields => hash_plain_fields(self.mixer, object),
            CompareRule::Identity => hash_identity(self.mixer, object),
            CompareRule::NotComparable if self.is_lenient => info.plan.key_hash,
            CompareRule::NotComparable => return Err(self.not_comparable(object)),
            CompareRule::Var if info.plan.is_leaf && !self.options.skip_default_fields => {
                return Ok(self.variable_without_objects(object, region));
            }
            CompareRule::Var | CompareRule::Dag => return Ok(self.counterpart(object, region)),
            CompareRule::Plain | CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree => {
                return Ok(match self.find(object, region) {
                    Some(hash) => Visit::Done(hash),
                    None => self.enter(object, Way { around: region, region, opens: info.is_scope, is_own: None }),
                });
            }
        };
        Ok(Visit::Done(hash))
    }

    /// Visits the key of a map. A key that is bound is not bound again.
    fn visit_key(&mut self, key: AnyView<'a>, region: DefRegionKind) -> Result<Visit> {
        match key {
            AnyView::Object(object)
                if object.type_info().plan.compare_rule.has_counterpart() && !self.is_unbound(object) =>
            {
                Ok(self.reference(object))
            }
            key => self.visit(key, region),
        }
    }

    /// Whether the object is neither bound nor a free variable that occurred before.
    fn is_unbound(&mut self, object: ObjectView<'a>) -> bool {
        let plan = &object.type_info().plan;
        match plan.compare_rule {
            CompareRule::Dag => self.statuses.ask_unbound_node(object.address()),
            _ if plan.is_leaf => self.ask(object.address(), Question::UnboundLeaf),
            _ => self.ask(object.address(), Question::Unbound),
        }
    }

    fn ask(&mut self, address: usize, question: Question) -> bool {
        let asked = self.statuses.ask(address, question);
        self.questions.push(asked);
        asked.answer
    }

    /// Whether the scope around the object binds it here, anew. Outside of all scopes, only unbound objects are bound.
    fn is_bound_anew(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> bool {
        match region {
            DefRegionKind::None | DefRegionKind::Free => false,
            _ if self.statuses.scopes.depth() == 0 => {
                self.ask(0, Question::Outermost);
                self.is_unbound(object) || self.ask(object.address(), Question::Exported)
            }
            DefRegionKind::Simple | DefRegionKind::Recursive => !self.ask(object.address(), Question::BoundHere),
            DefRegionKind::Annotation => !self.ask(object.address(), Question::Bound),
        }
    }

    /// A variable or `dag` node that occurred before.
    fn reference(&mut self, object: ObjectView<'a>) -> Visit {
        self.occurrence(object, object.type_info().plan.key_hash)
    }

    /// An occurrence of a variable or `dag` node with this hash.
    fn occurrence(&mut self, object: ObjectView<'a>, hash: u64) -> Visit {
        self.statuses.add_occurrence(object.address(), self.factor());
        Visit::Done(hash)
    }

    /// Two variables that correspond have the same plain fields, so the fields enter the hash at each occurrence.
    fn variable_without_objects(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Visit {
        if self.is_bound_anew(object, region) {
            self.statuses.bind(object.address(), false, false);
        }
        self.occurrence(object, hash_plain_fields(self.mixer, object))
    }

    /// Visits a variable with fields that may be objects, or a `dag` node. Only the first occurrence enters the fields.
    fn counterpart(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Visit {
        let info = object.type_info();
        let is_dag = info.plan.compare_rule == CompareRule::Dag;
        let is_own = match region.is_free() {
            true if is_dag && self.statuses.is_unbound_node(object.address()) => true,
            true if is_dag || !self.is_unbound(object) => return self.reference(object),
            true => false,
            false if !self.is_bound_anew(object, region) => return self.reference(object),
            false => true,
        };
        let isolates_fields = !is_own && self.statuses.scopes.depth() > 0;
        match is_own {
            true => self.statuses.bind(object.address(), is_dag, region.is_free()),
            false => self.statuses.occurs(object.address()),
        }
        if is_own && let Some(hash) = self.find(object, region) {
            return self.occurrence(object, hash);
        }
        let below = if is_dag { region } else { region.variable_fields() };
        let opens = info.is_scope || isolates_fields;
        self.enter(object, Way { around: region, region: below, opens, is_own: Some(is_own) })
    }

    fn enter(&mut self, object: ObjectView<'a>, way: Way) -> Visit {
        let at = Entrance {
            way,
            outside: self.factor(),
            occurrences: self.statuses.occurrences.len(),
            entered: self.statuses.scopes.state(),
            questions: self.questions.begin(),
            nodes: self.statuses.begin_nodes(),
            steps: self.steps,
        };
        if way.opens {
            self.statuses.open();
        }
        self.frames.push(LexicalFrame::new(self.options, self.mixer, object, at, &mut self.listed));
        Visit::Entered
    }

    /// Ends the frame on top of the stack.
    fn exit(&mut self) -> Visit {
        // A frame is large, so it stays in its place until its end.
        let Some(frame) = self.frames.last_mut() else { return Visit::Done(0) };
        frame.end(self.mixer, &mut self.listed, &mut self.statuses, &mut self.steps);
        let mut exports = Vec::new();
        if frame.at.way.opens {
            self.statuses.close();
            exports = frame.end_scope(self.mixer, &mut self.statuses, &mut self.steps);
        }
        let LexicalFrame { object, at, state, inside, computed, .. } = *frame;
        let Entrance { outside, occurrences, entered, questions, nodes, steps, .. } = at;
        let Way { around, opens, is_own, .. } = at.way;
        self.frames.truncate(self.frames.len() - 1);
        if let Some(parent) = self.frames.last_mut() {
            parent.computed |= computed;
        }
        // The hash after the first occurrence is different, because the fields do not count there.
        let hash = if is_own.is_some() { self.mixer.mix(state, SEED_NUMBER) } else { state };
        let (is_scope, depth) = (object.type_info().is_scope, self.statuses.scopes.depth());
        let is_long = self.steps.wrapping_sub(steps) >= WORTH_REMEMBERING;
        let is_outermost_scope = self.cache.is_some() && is_scope && depth == 0;
        let may_recur = is_outermost_scope || (may_recur_in_scopes(object, object) && is_long);
        let is_cached = self.cache.as_ref().is_some_and(|cache| cache.keeps(is_scope, depth));
        // The first occurrence of a free variable is the only one whose fields count.
        let is_kept = may_recur && self.statuses.can_repeat_since(entered) && is_own != Some(false);
        if opens || is_kept {
            let answers = self.questions.take_outer(questions, entered.made, opens, &mut self.steps);
            let (nodes, bound) = self.statuses.take_nodes(nodes, entered.made, opens);
            if is_kept {
                let own = self.statuses.occurrences.take_own(occurrences, false, &mut self.steps);
                let (hidden, rebound) = (own.hidden(), own.exports.clone());
                let own = own.into_map(&mut self.steps);
                let sum = self.statuses.occurrences.take_sum(occurrences, &mut self.steps);
                let statuses = &self.statuses;
                let made = if opens { &exports } else { &rebound }.iter().map(|(address, position)| Rebound {
                    address: *address,
                    position: *position,
                    is_exported: opens || statuses.is_exported(*address),
                });
                let made = made.collect();
                let (used, own_positions) = (sum.clone(), own.clone());
                let positions =
                    OuterPositions { used, bound, own: own_positions, exports: made, hidden, factor: inside };
                if !bound.is_empty() {
                    self.statuses.occurrences.push_bound_many(own);
                }
                self.statuses.add_occurrences(sum);
                self.statuses.occurrences.push_hidden(hidden);
                for (address, position) in rebound {
                    self.statuses.occurrences.push_rebound(address, position);
                }
                let conditions = Conditions { answers, nodes };
                let mut found = Remembered::new(hash, positions, conditions);
                found.computed = computed;
                found.mark_current(&mut self.statuses, &mut self.steps);
                self.remember(object, around, found, is_cached);
            }
            if opens {
                self.statuses.scale_occurrences(occurrences, outside, &mut self.steps);
                for (address, position) in exports {
                    self.statuses.rebind(address, position.times(outside), true);
                }
            }
        }
        match is_own {
            Some(_) => self.occurrence(object, hash),
            None => Visit::Done(hash),
        }
    }

    fn remember(&mut self, object: ObjectView<'a>, region: DefRegionKind, found: Remembered, is_cached: bool) {
        if is_cached
            && !found.computed
            && let Some(cache) = &mut self.cache
        {
            let skips_tensors = self.options.skip_tensor_content;
            cache.insert(object, region, skips_tensors, found.clone().exported(&mut self.statuses));
        }
        // The cache owns a handle now, so the object counts as shared.
        let all = self.remembered.entry((object.address(), region)).or_default();
        if all.len() == MAX_REMEMBERED {
            all.remove(0);
        }
        all.push(found);
    }

    /// The hash of an object, if a result is valid here.
    fn find(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Option<u64> {
        if !may_recur_in_scopes(object, object) {
            return None;
        }
        let factor = self.factor();
        let (statuses, steps) = (&mut self.statuses, &mut self.steps);
        let mut valid = None;
        if let Some(all) = self.remembered.get_mut(&(object.address(), region)) {
            let found = all.iter().position(|it| it.is_current(statuses));
            let found = found.or_else(|| all.iter().position(|it| it.is_valid(statuses, steps)));
            valid = found.map(|index| &mut all[index]);
        }
        let mut cached = None;
        if valid.is_none() {
            let skips_tensors = self.options.skip_tensor_content;
            let cache = self.cache.as_ref().filter(|cache| cache.looks_up(object.type_info().is_scope));
            cached = cache.and_then(|it| it.find(object, region, skips_tensors, statuses, steps)).cloned();
        }
        let found = valid.or(cached.as_mut())?;
        if let Some(parent) = self.frames.last_mut() {
            parent.computed |= found.computed;
        }
        Some(found.reuse(statuses, &mut self.questions, factor))
    }

    /// The hash of an object without children. Long content of shared objects is hashed once.
    fn leaf(&mut self, object: ObjectView<'a>) -> u64 {
        let (content, mixer) = (LeafContent::of(object, self.options.skip_tensor_content), self.mixer);
        match content.is_long() && object.use_count() > 1 {
            true => *self.long_leaves.entry(object.address()).or_insert_with(|| content.hash(mixer, object)),
            false => content.hash(mixer, object),
        }
    }

    fn not_comparable(&self, object: ObjectView<'a>) -> Error {
        not_comparable(Some(object), AccessPath::from_steps(self.frames.iter().map(LexicalFrame::step)))
    }
}
