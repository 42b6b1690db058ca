//! [`LexicalFrame`]: one level of a hash under lexical scopes. The frames of the stack are the path to the current
//! value.

use crate::access_path::AccessStep;
use crate::container::{ArrayView, MapData};
use crate::hashing::{Mixer, SEED_PLAIN};
use crate::object::{AnyView, DefRegionKind, HashedFields, HookContents, ObjectView};
use crate::repr::path_key;
use crate::structural::lexical::positions::{Positions, Residue};
use crate::structural::lexical::statuses::{Checkpoint, GivenStatuses, Statuses};
use crate::structural::map_order::{EntryOrder, is_plain};
use crate::structural::options::StructuralOptions;
use crate::structural::scope::scope_stack::EnteredAt;

/// The children of an object.
pub(crate) enum LexicalChildren<'a> {
    Fields(HashedFields<'a>),
    Items {
        next: usize,
    },
    /// A part of the hasher's list of values.
    Listed {
        start: usize,
        next: usize,
    },
    Entries(Box<LexicalEntries>),
}

/// The next child of a frame.
pub(crate) enum NextChild<'a> {
    Value(AnyView<'a>, DefRegionKind),
    /// The key of an entry of a map.
    Key(AnyView<'a>, DefRegionKind),
    End,
}

/// The entries of a map: first those with plain keys, sorted, then the others.
///
/// Equal maps do not agree on the order of several entries whose keys are objects. Each of these entries is hashed as
/// if it were the first of them, and the hashes are added up. Where one of them binds a variable, the others do not
/// count how they use it.
pub(crate) struct LexicalEntries {
    order: Vec<usize>,
    /// The number of entries that are hashed in order.
    in_order: usize,
    /// Twice the number of entries before the current one, plus one after its key.
    next: usize,
    /// The hash of the current entry without an order.
    state: u64,
    /// The state of the bindings, and the number of occurrences, before each entry without an order.
    checkpoint: Option<(Checkpoint, usize)>,
    /// The sum of the hashes of the entries without an order.
    sum: u64,
    /// The positions of the objects that the entries without an order use, and of the objects that they bind.
    outer: Positions,
    own: Positions,
    given: GivenStatuses,
    /// Whether a scope in the entries without an order exports a variable. The order decides then what the variables mean, so
    /// the positions of all objects that these entries bind do not count.
    exports: bool,
}

impl LexicalEntries {
    fn new(map: &MapData) -> Self {
        let plain = EntryOrder::of_plain_keys(map);
        let mut order: Vec<usize> = plain.since(0).collect();
        let sorted = order.len();
        order.extend(map.iter().enumerate().filter(|(_, (key, _))| !is_plain(*key)).map(|(index, _)| index));
        let in_order = if order.len() - sorted < 2 { order.len() } else { sorted };
        LexicalEntries {
            order,
            in_order,
            next: 0,
            state: SEED_PLAIN,
            checkpoint: None,
            sum: 0,
            outer: Positions::default(),
            own: Positions::default(),
            given: GivenStatuses::default(),
            exports: false,
        }
    }

    /// Whether the last child belongs to an entry without an order.
    fn is_unordered(&self) -> bool {
        (self.next - 1) / 2 >= self.in_order
    }

    /// Mixes in a child of an entry without an order.
    fn take(&mut self, mixer: impl Mixer, hash: u64, statuses: &mut Statuses, steps: &mut u32) {
        self.state = mixer.mix(self.state, hash);
        if self.next.is_multiple_of(2)
            && let Some((checkpoint, start)) = self.checkpoint
        {
            self.sum = self.sum.wrapping_add(std::mem::replace(&mut self.state, SEED_PLAIN));
            let own = statuses.occurrences.take_own(start, false, steps);
            self.exports |= !own.exports.is_empty();
            for (address, _) in &own.exports {
                self.own = std::mem::take(&mut self.own).plus(Positions::of(*address, Residue::ZERO), steps);
            }
            let own = own.into_map(steps);
            self.own = std::mem::take(&mut self.own).plus(own, steps);
            let outer = statuses.occurrences.take_sum(start, steps);
            self.outer = std::mem::take(&mut self.outer).plus(outer, steps);
            statuses.roll_back(checkpoint, &mut self.given);
        }
    }

    /// Ends the entries without an order: the objects that one of them binds are bound.
    fn end(&mut self, statuses: &mut Statuses, steps: &mut u32) {
        if self.checkpoint.is_some() {
            statuses.unordered -= 1;
            if self.exports {
                self.own = self.own.scaled(Residue::ZERO);
            }
            // Where one of the entries binds a variable, the others do not count how they use it.
            let (_, outer) = std::mem::take(&mut self.outer).partition(&self.own, steps);
            statuses.add_occurrences(outer);
            statuses.give_again(&self.given, &self.own);
            statuses.add_occurrences(std::mem::take(&mut self.own));
        }
    }
}

/// How the hasher enters an object.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    /// The region of the object.
    pub(crate) around: DefRegionKind,
    /// The region of its children.
    pub(crate) region: DefRegionKind,
    /// Whether bindings in the object end with it.
    pub(crate) opens: bool,
    /// Whether the object is a variable or `dag` node that the scope around it binds; `None` for other objects.
    pub(crate) is_own: Option<bool>,
}

/// The state of the hasher where it enters an object.
#[derive(Clone, Copy)]
pub(crate) struct Entrance {
    pub(crate) way: Way,
    /// The factor of the positions around the object.
    pub(crate) outside: Residue,
    /// The number of occurrences before the object.
    pub(crate) occurrences: usize,
    pub(crate) entered: EnteredAt,
    /// The numbers of questions, of answers about `dag` nodes and of steps before the object.
    pub(crate) questions: usize,
    pub(crate) nodes: usize,
    pub(crate) steps: u32,
}

/// One level of a hash in progress.
pub(crate) struct LexicalFrame<'a> {
    pub(crate) object: ObjectView<'a>,
    pub(crate) at: Entrance,
    children: LexicalChildren<'a>,
    pub(crate) state: u64,
    /// The factor of the positions in the object.
    pub(crate) inside: Residue,
    /// Whether a hook computed an object, which lives as long as the operation.
    pub(crate) computed: bool,
}

impl<'a> LexicalFrame<'a> {
    #[inline(always)]
    pub(crate) fn new(
        options: StructuralOptions,
        mixer: impl Mixer,
        object: ObjectView<'a>,
        at: Entrance,
        listed: &mut HookContents<'a>,
    ) -> Self {
        use crate::object::ChildSource;
        let mut computed = false;
        let (children, count) = match object.type_info().plan.child_source {
            ChildSource::Fields => (LexicalChildren::Fields(object.contents(options.skip_default_fields)), 0),
            ChildSource::Items => (LexicalChildren::Items { next: 0 }, object.as_array().map_or(0, ArrayView::len)),
            ChildSource::Entries => {
                let entries = object.as_map().map(LexicalEntries::new).map(Box::new);
                let count = object.as_map().map_or(0, MapData::len);
                (entries.map_or(LexicalChildren::Items { next: 0 }, LexicalChildren::Entries), count)
            }
            ChildSource::Listed => {
                let (start, before) = (listed.values.len(), listed.computed());
                if let Some(hooks) = object.type_info().hooks {
                    hooks.list(object, listed);
                }
                computed = !listed.computed().is(before);
                listed.share_recurring(object, start);
                (LexicalChildren::Listed { start, next: start }, listed.values.len() - start)
            }
        };
        let state = mixer.mix(object.type_info().plan.key_hash, count as u64);
        let inside = if at.way.opens { Residue::ONE } else { at.outside };
        LexicalFrame { object, at, children, state, inside, computed }
    }

    /// The next child.
    pub(crate) fn next(&mut self, listed: &HookContents<'a>, statuses: &mut Statuses) -> NextChild<'a> {
        let region = self.at.way.region;
        let value = match &mut self.children {
            LexicalChildren::Fields(fields) => {
                if let Some(is_exported) = fields.exports_last_field() {
                    statuses.end_field(is_exported);
                }
                fields.next().map(|(role, value)| (value, region.field(role)))
            }
            LexicalChildren::Items { next } => {
                *next += 1;
                self.object.as_array().and_then(|items| items.get(*next - 1)).map(|value| (value, region))
            }
            LexicalChildren::Listed { next, .. } => {
                let listed = listed.values.get(*next);
                *next += 1;
                listed.map(|listed| (listed.value, region.field(listed.role)))
            }
            LexicalChildren::Entries(entries) => {
                let index = entries.order.get(entries.next / 2);
                let entry = index.zip(self.object.as_map()).and_then(|(index, map)| map.entry(*index));
                entries.next += 1;
                let is_key = entries.next % 2 == 1;
                if is_key && entry.is_some() && entries.is_unordered() {
                    let before = (statuses.checkpoint(), statuses.occurrences.len());
                    if entries.checkpoint.replace(before).is_none() {
                        statuses.unordered += 1;
                    }
                }
                match entry {
                    Some((key, _)) if is_key => return NextChild::Key(key, region),
                    entry => entry.map(|(_, value)| (value, region)),
                }
            }
        };
        value.map_or(NextChild::End, |(value, region)| NextChild::Value(value, region))
    }

    /// The factor of the positions in the current child.
    pub(crate) fn factor(&self) -> Residue {
        let factor = self.inside.times(Residue::of_state(self.state));
        match &self.children {
            LexicalChildren::Entries(entries) if entries.is_unordered() => {
                factor.times(Residue::of_state(entries.state))
            }
            _ => factor,
        }
    }

    /// Mixes in the last child.
    pub(crate) fn take(&mut self, mixer: impl Mixer, hash: u64, statuses: &mut Statuses, steps: &mut u32) {
        if let LexicalChildren::Entries(entries) = &mut self.children
            && entries.is_unordered()
        {
            return entries.take(mixer, hash, statuses, steps);
        }
        self.state = mixer.mix(self.state, hash);
    }

    /// Ends the children: removes the list of a hook, and mixes in the entries without an order.
    pub(crate) fn end(
        &mut self,
        mixer: impl Mixer,
        listed: &mut HookContents<'a>,
        statuses: &mut Statuses,
        steps: &mut u32,
    ) {
        match &mut self.children {
            LexicalChildren::Fields(_) | LexicalChildren::Items { .. } => {}
            LexicalChildren::Listed { start, .. } => listed.values.truncate(*start),
            LexicalChildren::Entries(entries) => {
                self.state = mixer.mix(self.state, entries.sum);
                entries.end(statuses, steps);
            }
        }
    }

    /// Ends the scope of the object: the variables that it bound enter the hash by their positions only. Returns the
    /// variables that the scope exports, with their positions.
    pub(crate) fn end_scope(
        &mut self,
        mixer: impl Mixer,
        statuses: &mut Statuses,
        steps: &mut u32,
    ) -> Vec<(usize, Residue)> {
        let own = statuses.occurrences.take_own(self.at.occurrences, true, steps);
        if !own.is_empty() {
            self.state = mixer.mix(self.state, own.sums(steps).hash(mixer));
        }
        own.exports
    }

    /// The step to the child that [`next`](Self::next) returned last.
    pub(crate) fn step(&self) -> AccessStep {
        match &self.children {
            LexicalChildren::Fields(fields) => {
                AccessStep::Attr(fields.last_field().map_or("", |field| field.name).to_owned())
            }
            LexicalChildren::Listed { start, next } => AccessStep::ArrayItem(next - start - 1),
            LexicalChildren::Items { next } => AccessStep::ArrayItem(next - 1),
            LexicalChildren::Entries(entries) => {
                let index = entries.order.get((entries.next - 1) / 2);
                let entry = index.zip(self.object.as_map()).and_then(|(index, map)| map.entry(*index));
                AccessStep::MapItem(path_key(entry.map_or(AnyView::None, |(key, _)| key)))
            }
        }
    }
}
