//! [`Hasher`]: a hash in progress.
//!
//! The hash of an object mixes the hash of its type key with those of its children, in order. Variables and `dag`
//! nodes are numbered (see [`Numbering`]), and the number is mixed in; no address ever is. An object that was hashed
//! before contributes the same value again, so shared objects are hashed once.
//!
//! As in comparison, the first levels are hashed by recursion, what lies deeper with [`HashFrame`]s on the heap, and where a
//! path is asked for, everything.

use crate::access_path::AccessPath;
use crate::container::{ArrayView, MapData};
use crate::error::{Error, Result};
use crate::hashing::{finish, mix};
use crate::object::DefRegionKind;
use crate::object::{AnyView, ChildSource, CompareRule, ComputedEnd, ComputedValues, HookContents, ObjectView};
use crate::structural::engine::hash_cache::{Context, HashCache};
use crate::structural::engine::hash_leaves::{hash_identity, hash_plain, hash_plain_fields};
use crate::structural::engine::hash_stack::{Children, Entries, HashFrame};
use crate::structural::engine::sharing::is_listed_once;
use crate::structural::not_comparable;
use crate::structural::options::Scopes;
use crate::structural::options::StructuralOptions;
use crate::structural::scope::numbering::{Hashed, Numbering};
use crate::structural::scope::scope_stack::{FREE, LevelSet};

/// Shared objects with at least this many children and children's children are remembered, as in comparison.
const WORTH_REMEMBERING: u32 = crate::structural::engine::equal::WORTH_REMEMBERING;

/// How many levels are hashed by recursion. As in comparison.
const LEVELS: u32 = crate::structural::engine::equal::LEVELS;

/// A hash in progress.
pub(crate) struct Hasher<'a> {
    pub(crate) options: StructuralOptions,
    stack: Vec<HashFrame<'a>>,
    /// The values that hooks listed and that are not hashed yet, one list after the other.
    pub(crate) listed: HookContents<'a>,
    pub(crate) numbering: Numbering<'a>,
    /// The hashes of scopes from before, and in which context the outermost open one stands.
    pub(crate) cache: Option<&'a mut HashCache>,
    context: Option<(Context, u32)>,
    /// How many scopes that are `dag` nodes were met. Their numbers are no part of the context of others, so a scope that
    /// has one inside is not put into the cache.
    dag_scopes: u32,
    /// How many children were hashed, remembered ones included.
    pub(crate) steps: u32,
    /// Whether what was hashed since this was last cleared may hash differently when more objects are numbered.
    pub(crate) unstable: bool,
    /// The first object that takes no part in comparison.
    not_comparable: Option<ObjectView<'a>>,
}

/// An object whose children are being hashed.
#[derive(Clone, Copy)]
pub(crate) struct Visit<'a> {
    pub(crate) object: ObjectView<'a>,
    /// The region of the children, and of the object.
    pub(crate) region: DefRegionKind,
    around: DefRegionKind,
    /// How many objects had been numbered, which levels been used, and whether what came before is unstable, when the
    /// object was entered.
    entered: u32,
    hidden: u32,
    used: LevelSet,
    steps: u32,
    unstable: bool,
}

/// What is known of an object after a first look.
pub(crate) enum Verdict<'a> {
    Done(u64),
    Descend(Visit<'a>),
}

impl<'a> Hasher<'a> {
    fn new(options: StructuralOptions, computed: ComputedEnd<'a>) -> Self {
        Hasher {
            options,
            stack: Vec::new(),
            listed: HookContents::new(computed),
            numbering: Numbering::new(options.scopes),
            cache: None,
            context: None,
            dag_scopes: 0,
            steps: 0,
            unstable: false,
            not_comparable: None,
        }
    }

    /// The hash of a value in which everything can be compared.
    pub(crate) fn strict(options: StructuralOptions, root: AnyView<'_>) -> Result<u64> {
        let computed = ComputedValues::default();
        let mut hasher = Hasher::new(options, computed.end());
        let hashed = hasher.value(root, DefRegionKind::None, LEVELS);
        match hasher.not_comparable {
            None => Ok(finish(hashed)),
            Some(_) => Err(Hasher::new(options, computed.end()).find_not_comparable(root)),
        }
    }

    /// As [`strict`](Self::strict), with the hashes of scopes from before.
    pub(crate) fn cached(options: StructuralOptions, root: AnyView<'_>, cache: &mut HashCache) -> Result<u64> {
        let computed = ComputedValues::default();
        let mut hasher = Hasher::new(options, computed.end());
        hasher.cache = Some(cache);
        let hashed = hasher.value(root, DefRegionKind::None, LEVELS);
        match hasher.not_comparable {
            None => Ok(finish(hashed)),
            Some(_) => Err(Hasher::new(options, computed.end()).find_not_comparable(root)),
        }
    }

    /// Puts the hash of a scope into a cache, where these numbers are given.
    #[cfg(feature = "rayon")]
    pub(crate) fn task(
        options: StructuralOptions,
        numbering: Numbering<'a>,
        computed: ComputedEnd<'a>,
        cache: &'a mut HashCache,
        scope: ObjectView<'a>,
    ) {
        let mut hasher = Hasher::new(options, computed);
        hasher.numbering = numbering;
        hasher.cache = Some(cache);
        hasher.object(scope, DefRegionKind::None, LEVELS);
    }

    /// The hash of a value in which what cannot be compared counts by its type.
    pub(crate) fn lenient(options: StructuralOptions, root: AnyView<'_>) -> u64 {
        let computed = ComputedValues::default();
        finish(Hasher::new(options, computed.end()).value(root, DefRegionKind::None, LEVELS))
    }

    /// The error for the first object of `root` that takes no part in comparison.
    fn find_not_comparable(mut self, root: AnyView<'a>) -> Error {
        self.value(root, DefRegionKind::None, 0);
        let path = AccessPath::from_steps(self.stack.iter().map(HashFrame::step));
        not_comparable(self.not_comparable.map_or("?", ObjectView::type_key), path)
    }

    #[inline]
    fn value(&mut self, value: AnyView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match value {
            AnyView::Object(object) => self.hash_dispatched(object, region, levels),
            plain => hash_plain(plain),
        }
    }

    /// Hashes an object by recursion, `levels` deep.
    pub(crate) fn object(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let visit = match self.verdict(object, region) {
            Verdict::Done(hashed) => return hashed,
            Verdict::Descend(visit) => visit,
        };
        let info = object.type_info();
        let hashed = match info.child_source {
            ChildSource::Fields if levels > 0 => match info.compare_rule.has_counterpart() {
                true => self.fields::<true>(object, visit.region, levels - 1),
                false => self.fields::<false>(object, visit.region, levels - 1),
            },
            ChildSource::Items if levels > 0 => self.items(object, visit.region, levels - 1),
            ChildSource::Listed if levels > 0 => self.listed(object, visit.region, levels - 1),
            _ => return self.on_heap(visit, levels),
        };
        self.exit(visit, hashed)
    }

    /// Hashes the fields of an object, which `IS_NUMBERED` or not.
    pub(crate) fn fields<const IS_NUMBERED: bool>(
        &mut self,
        object: ObjectView<'a>,
        region: DefRegionKind,
        levels: u32,
    ) -> u64 {
        let info = object.type_info();
        self.steps = self.steps.wrapping_add(info.compared_fields.len() as u32);
        object.fold_contents(
            self,
            info.fields_seed,
            |this, state, role, child| {
                let region = region.field(role);
                let hashed = if IS_NUMBERED && this.needs_no_lookup(child, levels) {
                    this.hash_unshared(child, region, levels)
                } else {
                    this.hash_dispatched(child, region, levels)
                };
                mix(state, hashed)
            },
            |this, state, role, value| mix(state, this.value(value, region.field(role), levels)),
        )
    }

    /// Whether the number of an object that a variable or `dag` node refers to need not be found again. These are hashed
    /// once, and so is what nothing else refers to.
    #[inline]
    fn needs_no_lookup(&self, object: ObjectView<'a>, levels: u32) -> bool {
        let info = object.type_info();
        levels > 0
            && info.child_source == ChildSource::Fields
            && info.compare_rule.has_counterpart()
            && object.use_count() == 1
            && self.numbering.are_for_good()
    }

    /// Hashes such an object.
    fn hash_unshared(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let region =
            if object.type_info().compare_rule == CompareRule::Var { region.variable_fields() } else { region };
        let unstable = self.unstable;
        let hashed = self.fields::<true>(object, region, levels - 1);
        self.unstable = unstable;
        self.numbering.number_once(hashed)
    }

    #[inline(never)]
    pub(crate) fn items(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let Some(items) = object.as_array() else { return 0 };
        let start = mix(object.type_info().key_hash, items.len() as u64);
        #[cfg(feature = "rayon")]
        self.fork(items.iter());
        self.steps = self.steps.wrapping_add(items.len() as u32);
        match items {
            ArrayView::Objects(items) => {
                items.iter().fold(start, |state, item| mix(state, self.hash_dispatched(item.view(), region, levels)))
            }
            ArrayView::Values(_) => {
                items.iter().fold(start, |state, item| mix(state, self.value(item, region, levels)))
            }
        }
    }

    #[inline(never)]
    pub(crate) fn listed(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let is_numbered = object.type_info().compare_rule.has_counterpart();
        let start = self.list(object);
        let mut next = start;
        #[cfg(feature = "rayon")]
        let mut is_forked = false;
        let mut state = mix(object.type_info().key_hash, (self.listed.values.len() - start) as u64);
        while let Some(child) = self.listed.values.get(next) {
            next += 1;
            let (value, is_field, region) = (child.value, child.is_field, region.field(child.role));
            // Earlier children may number what the scopes refer to.
            #[cfg(feature = "rayon")]
            if !is_forked && value.as_object().is_some_and(|object| object.type_info().is_scope) {
                is_forked = true;
                let rest: Vec<AnyView<'a>> = self.listed.values[next - 1..].iter().map(|child| child.value).collect();
                self.fork(rest.into_iter());
            }
            let hashed = match value {
                AnyView::Object(child)
                    if is_numbered
                        && is_field
                        && self.needs_no_lookup(child, levels)
                        && is_listed_once(child, &self.listed.values[start..]) =>
                {
                    self.hash_unshared(child, region, levels)
                }
                value => self.value(value, region, levels),
            };
            state = mix(state, hashed);
        }
        self.steps = self.steps.wrapping_add((next - start) as u32);
        self.listed.values.truncate(start);
        state
    }

    /// Appends what a hook lists, and gives the place where it begins.
    fn list(&mut self, object: ObjectView<'a>) -> usize {
        let start = self.listed.values.len();
        if let Some(hooks) = object.type_info().hooks {
            hooks.list(object, &mut self.listed);
        }
        start
    }

    /// Hashes an object that was looked at, with a frame.
    #[inline(never)]
    fn on_heap(&mut self, visit: Visit<'a>, levels: u32) -> u64 {
        let base = self.stack.len();
        self.push(visit);
        let mut done = None;
        while let Some(frame) = self.stack.last_mut() {
            if let Some(hashed) = done.take() {
                frame.take(hashed);
            }
            let Some((value, region)) = frame.next(&self.listed.values, &mut self.numbering) else {
                frame.end(&mut self.listed.values, &mut self.numbering);
                let (visit, hashed) = (frame.visit, frame.state);
                self.stack.pop();
                let hashed = self.exit(visit, hashed);
                if self.stack.len() == base {
                    return hashed;
                }
                done = Some(hashed);
                continue;
            };
            done = match value {
                AnyView::Object(object) if levels > 0 => Some(self.object(object, region, levels - 1)),
                AnyView::Object(object) => match self.verdict(object, region) {
                    // The frames are the path to it.
                    Verdict::Done(_) if self.not_comparable.is_some() => break,
                    Verdict::Done(hashed) => Some(hashed),
                    Verdict::Descend(visit) => {
                        self.push(visit);
                        None
                    }
                },
                plain => Some(hash_plain(plain)),
            };
        }
        0
    }

    fn push(&mut self, visit: Visit<'a>) {
        let object = visit.object;
        let (children, count) = match object.type_info().child_source {
            ChildSource::Fields => (Children::Fields(object.contents()), 0),
            ChildSource::Items => (Children::Items { next: 0 }, object.as_array().map_or(0, ArrayView::len)),
            ChildSource::Entries => {
                let map = object.as_map();
                #[cfg(feature = "rayon")]
                self.fork(map.into_iter().flat_map(|map| map.iter().map(|(_, value)| value)));
                let entries = map.map_or_else(Entries::default, Entries::new);
                (Children::Entries(Box::new(entries)), map.map_or(0, MapData::len))
            }
            ChildSource::Listed => {
                let start = self.list(object);
                (Children::Listed { start, next: start }, self.listed.values.len() - start)
            }
        };
        let state = mix(object.type_info().key_hash, count as u64);
        // Frames are for what is large or deep.
        self.steps = self.steps.wrapping_add(WORTH_REMEMBERING);
        self.stack.push(HashFrame::new(visit, children, state));
    }

    /// Whether what is bound in an object ends with it.
    #[inline]
    fn opens_scope(&self, object: ObjectView<'_>) -> bool {
        object.type_info().is_scope && self.options.scopes == Scopes::Lexical
    }

    /// What the kind of an object says of it.
    #[inline(always)]
    fn verdict(&mut self, object: ObjectView<'a>, around: DefRegionKind) -> Verdict<'a> {
        let info = object.type_info();
        let mut region = around;
        match info.compare_rule {
            CompareRule::Leaf => return Verdict::Done(self.leaf(object)),
            // Hashing plain values again is cheaper than remembering.
            CompareRule::Plain => return Verdict::Done(hash_plain_fields(object)),
            CompareRule::Identity => return Verdict::Done(hash_identity(object)),
            CompareRule::NotComparable => {
                self.not_comparable.get_or_insert(object);
                return Verdict::Done(info.key_hash);
            }
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree if object.use_count() == 1 => {}
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree | CompareRule::Dag | CompareRule::Var => {
                if let Some(hash) = self.known(object, around) {
                    return Verdict::Done(hash);
                }
                if info.compare_rule == CompareRule::Var {
                    region = around.variable_fields();
                }
            }
        }
        self.enter(object, region, around)
    }

    /// The hash of an object that may have been met before, if it has one already.
    #[inline]
    pub(crate) fn known(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Option<u64> {
        let known = self.numbering.find(object, region)?;
        self.unstable |= known.unstable;
        Some(known.hash)
    }

    /// Begins with an object whose children are in `region`.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        object: ObjectView<'a>,
        region: DefRegionKind,
        around: DefRegionKind,
    ) -> Verdict<'a> {
        let opens_scope = self.opens_scope(object);
        if opens_scope && let Some(hash) = self.find_in_cache(object, around) {
            return Verdict::Done(hash);
        }
        let hidden = self.numbering.scope_stack.hidden();
        let used = std::mem::take(&mut self.numbering.scope_stack.used);
        if opens_scope {
            self.enter_scope();
        } else if self.numbering.scope_stack.confines(object, around) {
            self.numbering.open();
        }
        let unstable = std::mem::take(&mut self.unstable);
        let (entered, steps) = (self.numbering.given(), self.steps);
        Verdict::Descend(Visit { object, region, around, entered, hidden, used, steps, unstable })
    }

    /// The hash of an object with these children.
    pub(crate) fn exit(&mut self, visit: Visit<'a>, hash: u64) -> u64 {
        let object = visit.object;
        let info = object.type_info();
        if self.opens_scope(object) {
            self.exit_scope(object, hash);
        } else if self.numbering.scope_stack.confines(object, visit.around) {
            self.numbering.close();
        }
        let mut used = self.numbering.scope_stack.used;
        self.numbering.scope_stack.used.add(visit.used);
        let mut unstable = std::mem::replace(&mut self.unstable, visit.unstable);
        if info.compare_rule.has_counterpart() {
            if let Some(numbered) = self.numbering.number(object, visit.around, hash) {
                // With its number the object is settled, whatever its fields still wait for: it is looked up by
                // identity from now on.
                return numbered;
            }
            unstable = true;
            // A scope that binds it makes it something else.
            used.add(LevelSet::of(FREE));
            self.numbering.scope_stack.used.add(used);
        } else if object.use_count() == 1 || self.steps.wrapping_sub(visit.steps) < WORTH_REMEMBERING {
            self.unstable |= unstable;
            return hash;
        }
        self.unstable |= unstable;
        if visit.hidden != self.numbering.scope_stack.hidden() {
            return hash;
        }
        self.numbering.remember(object, Hashed { hash, unstable }, used, visit.around, visit.entered);
        hash
    }

    /// In which context the next scope stands, if its hash may be taken from the cache.
    pub(crate) fn next_context(&self) -> Option<Context> {
        let is_outermost = self.options.scopes == Scopes::Lexical
            && self.numbering.scope_stack.depth() == 0
            && !self.numbering.is_provisional();
        let numbered = self.numbering.outermost;
        is_outermost.then_some(Context { skips_tensors: self.options.skip_tensor_content, numbered })
    }

    /// The hash of a scope in this region, if it is in the cache.
    #[inline(never)]
    fn find_in_cache(&mut self, scope: ObjectView<'a>, region: DefRegionKind) -> Option<u64> {
        let is_dag = scope.type_info().compare_rule == CompareRule::Dag;
        self.dag_scopes += u32::from(is_dag);
        let (hash, used) = self.cache.as_ref()?.find(scope, self.next_context()?)?;
        self.numbering.scope_stack.used.add(used);
        if is_dag { self.numbering.number(scope, region, hash) } else { Some(hash) }
    }

    /// Whether the hash of a scope is in the cache.
    #[cfg(feature = "rayon")]
    pub(crate) fn is_cached(&self, scope: ObjectView<'a>) -> bool {
        let known = |cache: &&mut HashCache| Some(cache.find(scope, self.next_context()?).is_some());
        self.cache.as_ref().and_then(known).unwrap_or(false)
    }

    #[inline(never)]
    fn enter_scope(&mut self) {
        if self.cache.is_some() && self.numbering.scope_stack.depth() == 0 {
            self.context = self.next_context().map(|context| (context, self.dag_scopes));
        }
        self.numbering.open();
    }

    /// Ends a scope, and puts its hash into the cache if it can be used again.
    #[inline(never)]
    fn exit_scope(&mut self, scope: ObjectView<'a>, hash: u64) {
        self.numbering.close();
        let now = self.next_context();
        if let Some(cache) = &mut self.cache
            && let Some((context, dag_scopes)) = self.context
            && now == Some(context)
            && dag_scopes == self.dag_scopes
            && !self.unstable
            && self.not_comparable.is_none()
        {
            cache.insert(scope, context, hash, self.numbering.scope_stack.used);
        }
    }
}
