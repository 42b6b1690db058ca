//! The structural hash of a value, by recursion and on the heap.
//!
//! The hash of an object mixes the hash of its type key with the hashes of its children, in order. Variables and `dag`
//! nodes get numbers (see [`Numbering`]), which enter the hash in place of addresses. An object that was hashed before
//! contributes the same value again, so shared objects are hashed once.
//!
//! As in a comparison, recursion hashes objects while the stack budget lasts, and [`HashFrame`]s on the heap hash deeper
//! ones. To find the path of an error, a hasher uses frames for all levels.

use crate::access_path::AccessPath;
use crate::container::{ArrayView, MapData};
use crate::error::{Error, Result};
use crate::hashing::{Mixer, finish};
use crate::object::{
    AnyView, ChildSource, CompareRule, ComputedValues, DefRegionKind, Dispatch, ListedFields, ObjectView,
};
use crate::stack_budget::{StackBudget, with_stack};
use crate::structural::engine::comparison::{LEVELS, WORTH_REMEMBERING, further_levels};
use crate::structural::engine::dispatch::{
    COUNTERPART, FIELDS, IDENTITY, ITEMS, LISTED, OTHER, PLAIN, TYPE, TYPE_INT, by_dispatch,
};
use crate::structural::engine::hash_leaves::{hash_identity, hash_plain, hash_plain_fields, hash_plain_node};
use crate::structural::engine::hash_stack::{HashChildren, HashFrame, HashVisit, HashedEntries};
use crate::structural::engine::hasher::{HashVerdict, Hasher};
use crate::structural::engine::sharing::{Shortcut, is_listed_once};
use crate::structural::not_comparable::not_comparable;
use crate::structural::options::StructuralOptions;
use crate::structural::scope::numbering::Numbering;

/// The hash of a value; an error if a type in it takes no part in comparison.
pub(crate) fn hash_strictly(options: StructuralOptions, mixer: impl Mixer, root: AnyView<'_>) -> Result<u64> {
    with_stack(|| {
        let computed = ComputedValues::default();
        let mut hasher = Hasher::new(options, mixer, computed.end());
        let hashed = hasher.root(root);
        match hasher.not_comparable {
            None => Ok(hashed),
            Some(_) => Err(Hasher::new(options, mixer, computed.end()).find_not_comparable(root)),
        }
    })
}

/// The hash of a value, in which an object whose type takes no part in comparison counts by its type.
pub(crate) fn hash_leniently(options: StructuralOptions, mixer: impl Mixer, root: AnyView<'_>) -> u64 {
    with_stack(|| {
        let computed = ComputedValues::default();
        Hasher::new(options, mixer, computed.end()).root(root)
    })
}

impl<'a, M: Mixer> Hasher<'a, M> {
    /// The hash of a whole value.
    fn root(&mut self, root: AnyView<'a>) -> u64 {
        let hashed = self.whole(root);
        if self.numbering.unshared != Shortcut::Refuted {
            return finish(hashed);
        }
        self.numbering = Numbering::new();
        self.numbering.forbid_shortcut();
        finish(self.whole(root))
    }

    fn whole(&mut self, root: AnyView<'a>) -> u64 {
        match root {
            // Frames alone leave fields out.
            AnyView::Object(object) if self.options.skip_default_fields => {
                self.budget = StackBudget::NONE;
                self.object(object, DefRegionKind::None, 0)
            }
            root => self.value(root, DefRegionKind::None, LEVELS),
        }
    }

    /// The error for the first object of `root` that takes no part in comparison.
    fn find_not_comparable(mut self, root: AnyView<'a>) -> Error {
        self.budget = StackBudget::NONE;
        self.value(root, DefRegionKind::None, 0);
        let path = AccessPath::from_steps(self.stack.iter().map(HashFrame::step));
        not_comparable(self.not_comparable, path)
    }

    #[inline]
    fn value(&mut self, value: AnyView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match value {
            AnyView::Object(object) => self.hash_dispatched(object, region, levels),
            plain => hash_plain(self.mixer, plain),
        }
    }

    /// Hashes an object by recursion, `levels` deep.
    pub(crate) fn object(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let visit = match self.verdict(object, region) {
            HashVerdict::Done(hashed) => return hashed,
            HashVerdict::Descend(visit) => visit,
        };
        let info = object.type_info();
        let levels = if levels == 0 { further_levels(&mut self.budget) } else { levels };
        let hashed = match info.plan.child_source {
            ChildSource::Fields if levels > 0 => match info.plan.compare_rule.has_counterpart() {
                true => self.fields::<true>(object, visit.region, levels - 1),
                false => self.fields::<false>(object, visit.region, levels - 1),
            },
            ChildSource::Items if levels > 0 => self.items(object, visit.region, levels - 1),
            ChildSource::Listed if levels > 0 => self.listed(object, visit.region, levels - 1),
            _ => return self.hash_with_frames(visit, levels),
        };
        self.exit(visit, hashed)
    }

    /// Hashes the fields of an object. `IS_NUMBERED` says whether the object gets a number.
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
            info.plan.fields_seed,
            |this, state, role, child| {
                let region = region.field(role);
                let hashed = if IS_NUMBERED && this.needs_no_lookup(child, levels) {
                    this.hash_unshared(child, region, levels)
                } else {
                    this.hash_dispatched(child, region, levels)
                };
                this.mixer.mix(state, hashed)
            },
            |this, state, role, value| {
                let hashed = this.value(value, region.field(role), levels);
                this.mixer.mix(state, hashed)
            },
        )
    }

    /// Whether the hasher may skip storing the number of `object`. A variable or `dag` node refers to `object`, and its
    /// fields are hashed once. If nothing else refers to `object`, no later step looks its number up.
    #[inline]
    fn needs_no_lookup(&self, object: ObjectView<'a>, levels: u32) -> bool {
        let info = object.type_info();
        levels > 0
            && info.plan.child_source == ChildSource::Fields
            && info.plan.compare_rule.has_counterpart()
            && object.use_count() == 1
            && self.numbering.numbers_are_final()
    }

    /// Hashes an object for which [`needs_no_lookup`](Self::needs_no_lookup) returned `true`.
    fn hash_unshared(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let region =
            if object.type_info().plan.compare_rule == CompareRule::Var { region.variable_fields() } else { region };
        let unstable = self.unstable;
        let hashed = self.fields::<true>(object, region, levels - 1);
        self.unstable = unstable;
        self.numbering.number_unshared(hashed)
    }

    #[inline(never)]
    pub(crate) fn items(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let Some(items) = object.as_array() else { return 0 };
        let start = self.mixer.mix(object.type_info().plan.key_hash, items.len() as u64);
        self.steps = self.steps.wrapping_add(items.len() as u32);
        match items {
            ArrayView::Objects(items) => items.iter().fold(start, |state, item| {
                let hashed = self.hash_dispatched(item.view(), region, levels);
                self.mixer.mix(state, hashed)
            }),
            ArrayView::Values(_) => items.iter().fold(start, |state, item| {
                let hashed = self.value(item, region, levels);
                self.mixer.mix(state, hashed)
            }),
        }
    }

    #[inline(never)]
    pub(crate) fn listed(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        let is_numbered = object.type_info().plan.compare_rule.has_counterpart();
        let start = self.list(object);
        let (mut next, mut fields) = (start, ListedFields::default());
        // Objects of one type may list different numbers of values, so the number counts; fields need no count.
        let mut state = self.mixer.mix(object.type_info().plan.key_hash, (self.listed.values.len() - start) as u64);
        while let Some(listed) = self.listed.values.get(next) {
            next += 1;
            let (value, region) = (listed.value, region.field(listed.role));
            let hashed = match value {
                AnyView::Object(child)
                    if child.use_count() == 1 && child.type_info().plan.compare_rule.has_counterpart() =>
                {
                    let is_field = self.listed.values[next - 1].is_field_of(object);
                    // A hook can list an object from elsewhere, which the walk then reaches more often than its handles say.
                    if !is_field {
                        self.check_list(object, next - 1);
                    }
                    if is_numbered
                        && is_field
                        && self.needs_no_lookup(child, levels)
                        && is_listed_once(child, self.listed.values[start..].iter().map(|child| child.value))
                    {
                        self.hash_unshared(child, region, levels)
                    } else {
                        self.hash_dispatched(child, region, levels)
                    }
                }
                AnyView::Object(child) => {
                    if child.use_count() == 1 && fields.add(object, &self.listed.values[next - 1]) {
                        self.listed.share_recurring(object, start);
                    }
                    self.hash_dispatched(child, region, levels)
                }
                plain => hash_plain(self.mixer, plain),
            };
            state = self.mixer.mix(state, hashed);
        }
        self.steps = self.steps.wrapping_add((next - start) as u32);
        self.listed.values.truncate(start);
        state
    }

    /// Hashes the children of an entered object, with a frame.
    #[inline(never)]
    fn hash_with_frames(&mut self, visit: HashVisit<'a>, levels: u32) -> u64 {
        let base = self.stack.len();
        self.push(visit);
        let mut done = None;
        while let Some(frame) = self.stack.last_mut() {
            if let Some(hashed) = done.take() {
                frame.take(self.mixer, hashed);
            }
            let Some((value, region)) = frame.next(&self.listed.values, &mut self.numbering) else {
                frame.end(self.mixer, &mut self.listed.values, &mut self.numbering);
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
                    // The frames on the stack are the path to the object.
                    HashVerdict::Done(_) if self.not_comparable.is_some() => break,
                    HashVerdict::Done(hashed) => Some(hashed),
                    HashVerdict::Descend(visit) => {
                        self.push(visit);
                        None
                    }
                },
                plain => Some(hash_plain(self.mixer, plain)),
            };
        }
        0
    }

    fn push(&mut self, visit: HashVisit<'a>) {
        let object = visit.object;
        let (children, count) = match object.type_info().plan.child_source {
            ChildSource::Fields => (HashChildren::Fields(object.contents(self.options.skip_default_fields)), 0),
            ChildSource::Items => (HashChildren::Items { next: 0 }, object.as_array().map_or(0, ArrayView::len)),
            ChildSource::Entries => {
                let map = object.as_map();
                let entries = map.map_or_else(HashedEntries::default, HashedEntries::new);
                (HashChildren::Entries(Box::new(entries)), map.map_or(0, MapData::len))
            }
            ChildSource::Listed => {
                let start = self.list(object);
                self.check_list(object, start);
                self.listed.share_recurring(object, start);
                (HashChildren::Listed { start, next: start }, self.listed.values.len() - start)
            }
        };
        let state = self.mixer.mix(object.type_info().plan.key_hash, count as u64);
        // Frames hash only large or deep objects, which are worth remembering.
        self.steps = self.steps.wrapping_add(WORTH_REMEMBERING);
        self.stack.push(HashFrame::new(visit, children, state));
    }

    /// Applies the rule of the type to an object, up to the point where its children have to be hashed.
    #[inline(always)]
    fn verdict(&mut self, object: ObjectView<'a>, around: DefRegionKind) -> HashVerdict<'a> {
        let info = object.type_info();
        let mut region = around;
        match info.plan.compare_rule {
            CompareRule::Leaf => return HashVerdict::Done(self.leaf(object)),
            // Hashing plain values again is cheaper than remembering.
            CompareRule::Plain => return HashVerdict::Done(hash_plain_node(self.options, self.mixer, object)),
            CompareRule::Identity => return HashVerdict::Done(hash_identity(self.mixer, object)),
            CompareRule::NotComparable => {
                self.not_comparable.get_or_insert(object);
                return HashVerdict::Done(info.plan.key_hash);
            }
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree if object.use_count() == 1 => {}
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree | CompareRule::Dag | CompareRule::Var => {
                if let Some(hash) = self.known(object) {
                    return HashVerdict::Done(hash);
                }
                if info.plan.compare_rule == CompareRule::Var {
                    region = around.variable_fields();
                }
            }
        }
        HashVerdict::Descend(self.enter(object, region))
    }
}

type Hash<'a, M> = fn(&mut Hasher<'a, M>, ObjectView<'a>, DefRegionKind, u32) -> u64;

impl<'a, M: Mixer> Hasher<'a, M> {
    const BY_DISPATCH: [Hash<'a, M>; Dispatch::COUNT] = by_dispatch!(Self::on);

    /// The routine for a dispatch.
    const fn on<const DISPATCH: u8>() -> Hash<'a, M> {
        match DISPATCH {
            TYPE | TYPE_INT => Self::plain_on::<DISPATCH>,
            PLAIN => Self::plain,
            IDENTITY => Self::identity,
            COUNTERPART => Self::counterpart,
            OTHER => Self::object,
            _ => Self::tree::<DISPATCH>,
        }
    }

    /// As [`object`](Self::object), but selects the routine for the type by one jump.
    #[inline(always)]
    pub(crate) fn hash_dispatched(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        (Self::BY_DISPATCH[object.type_info().plan.dispatch as usize])(self, object, region, levels)
    }

    fn plain_on<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        let seed = object.type_info().plan.fields_seed;
        let mixer = self.mixer;
        let mix_plain = |state, value| mixer.mix(state, hash_plain(mixer, value));
        object.fold::<DISPATCH, _, _>(&mut (), seed, |(), state, _| state, mix_plain)
    }

    fn plain(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        hash_plain_fields(self.mixer, object)
    }

    fn tree<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        if levels == 0 {
            return self.object(object, region, levels);
        }
        if object.use_count() > 1 {
            return self.shared_tree::<DISPATCH>(object, region, levels);
        }
        self.content::<DISPATCH>(object, region, levels - 1)
    }

    /// Few trees are shared, so the look-up stays out of line, and the routine for all others small.
    #[inline(never)]
    fn shared_tree<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        if let Some(hash) = self.known(object) {
            return hash;
        }
        let visit = self.enter(object, region);
        let hash = self.content::<DISPATCH>(object, region, levels - 1);
        self.exit(visit, hash)
    }

    #[inline(always)]
    fn content<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match DISPATCH {
            FIELDS => return self.fields::<false>(object, region, levels),
            ITEMS => return self.items(object, region, levels),
            LISTED => return self.listed(object, region, levels),
            _ => {}
        }
        let (info, mixer) = (object.type_info(), self.mixer);
        self.steps = self.steps.wrapping_add(info.compared_fields.len() as u32);
        object.fold::<DISPATCH, _, _>(
            self,
            info.plan.fields_seed,
            |this, state, child| {
                let hashed = this.hash_dispatched(child, region, levels);
                this.mixer.mix(state, hashed)
            },
            |state, value| mixer.mix(state, hash_plain(mixer, value)),
        )
    }

    fn identity(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        hash_identity(self.mixer, object)
    }

    fn counterpart(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match self.known(object) {
            Some(hash) => hash,
            None => self.object(object, region, levels),
        }
    }
}
