//! Comparing and hashing by recursion on the [`Dispatch`] of a type, which takes one jump to find.

use crate::hashing::mix;
use crate::object::DefRegionKind;
use crate::object::{Dispatch, ObjectView, SameType};
use crate::structural::engine::equal::{self, Comparison};
use crate::structural::engine::hash::{self, Hasher};
use crate::structural::engine::hash_leaves::{hash_identity, hash_plain, hash_plain_fields};
use crate::structural::engine::leaves::plain_fields;
use crate::structural::engine::sharing::is_shared;
use crate::structural::options::Scopes;

// The ways that have code of their own, or code that is told apart from that of the others, by number.
const TYPE: u8 = Dispatch::Type as u8;
const TYPE_INT: u8 = Dispatch::TypeInt as u8;
const PLAIN: u8 = Dispatch::Plain as u8;
const FIELDS: u8 = Dispatch::Fields as u8;
const ITEMS: u8 = Dispatch::Items as u8;
const LISTED: u8 = Dispatch::Listed as u8;
const IDENTITY: u8 = Dispatch::Identity as u8;
const COUNTERPART: u8 = Dispatch::Counterpart as u8;
const OTHER: u8 = Dispatch::Other as u8;

/// What `Self::on` gives for each dispatch, by number.
macro_rules! by_number {
    ($($number:literal)*) => {
        [$(Self::on::<$number>()),*]
    };
}

type Compare<'a> = fn(&mut Comparison<'a>, SameType<'a>, DefRegionKind, u32) -> bool;

impl<'a> Comparison<'a> {
    const BY_WAY: [Compare<'a>; Dispatch::COUNT] = by_number![0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17];

    /// The code for a dispatch.
    const fn on<const DISPATCH: u8>() -> Compare<'a> {
        match DISPATCH {
            TYPE | TYPE_INT => Self::plain_on::<DISPATCH>,
            PLAIN => Self::plain,
            IDENTITY => Self::identities,
            COUNTERPART => Self::counterparts,
            OTHER => Self::other,
            _ => Self::trees::<DISPATCH>,
        }
    }

    /// As [`objects`](Self::objects), with one jump to the code for the type.
    #[inline(always)]
    pub(crate) fn compare_dispatched(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        levels: u32,
    ) -> bool {
        let dispatch = a.type_info().dispatch;
        SameType::new(a, b).is_some_and(|pair| (Self::BY_WAY[dispatch as usize])(self, pair, region, levels))
    }

    fn plain_on<const DISPATCH: u8>(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        pair.all::<DISPATCH, _>(&mut (), |(), _, _| false)
    }

    fn plain(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let (a, b) = pair.objects();
        plain_fields(a, b)
    }

    fn trees<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        if levels == 0 {
            return self.objects(a, b, region, levels);
        }
        self.steps = self.steps.wrapping_add(1);
        if is_shared(a, b) {
            return self.shared_trees::<DISPATCH>(pair, region, levels);
        }
        self.contents::<DISPATCH>(pair, region, levels - 1)
    }

    #[inline(never)]
    fn shared_trees<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        match self.look_at_trees(a, b, region) {
            equal::Verdict::Equal => true,
            equal::Verdict::Differ => false,
            equal::Verdict::Descend(on_exit, region) => {
                self.contents::<DISPATCH>(pair, region, levels - 1) && self.exit(a, b, on_exit)
            }
        }
    }

    #[inline(always)]
    fn contents<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        match DISPATCH {
            FIELDS => self.fields::<false>(a, b, region, levels),
            ITEMS => self.items(a, b, region, levels),
            LISTED => self.listed(a, b, region, levels),
            _ => pair.all::<DISPATCH, _>(self, |this, x, y| this.compare_dispatched(x, y, region, levels)),
        }
    }

    fn identities(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let (a, b) = pair.objects();
        a.ptr_eq(b)
    }

    fn counterparts(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        if self.options.scopes == Scopes::Persistent && self.bindings.are_bound(a, b) {
            self.steps = self.steps.wrapping_add(1);
            return true;
        }
        self.objects(a, b, region, levels)
    }

    fn other(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        self.objects(a, b, region, levels)
    }
}

type Hash<'a> = fn(&mut Hasher<'a>, ObjectView<'a>, DefRegionKind, u32) -> u64;

impl<'a> Hasher<'a> {
    const BY_WAY: [Hash<'a>; Dispatch::COUNT] = by_number![0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17];

    /// The code for a dispatch.
    const fn on<const DISPATCH: u8>() -> Hash<'a> {
        match DISPATCH {
            TYPE | TYPE_INT => Self::plain_on::<DISPATCH>,
            PLAIN => Self::plain,
            IDENTITY => Self::identity,
            COUNTERPART => Self::counterpart,
            OTHER => Self::object,
            _ => Self::tree::<DISPATCH>,
        }
    }

    /// As [`object`](Self::object), with one jump to the code for the type.
    #[inline(always)]
    pub(crate) fn hash_dispatched(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        (Self::BY_WAY[object.type_info().dispatch as usize])(self, object, region, levels)
    }

    fn plain_on<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        let seed = object.type_info().fields_seed;
        object.fold::<DISPATCH, _, _>(&mut (), seed, |(), state, _| state, |state, value| mix(state, hash_plain(value)))
    }

    fn plain(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        hash_plain_fields(object)
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

    #[inline(never)]
    fn shared_tree<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        if let Some(hash) = self.known(object, region) {
            return hash;
        }
        match self.enter(object, region, region) {
            hash::Verdict::Done(hash) => hash,
            hash::Verdict::Descend(visit) => {
                let hash = self.content::<DISPATCH>(object, region, levels - 1);
                self.exit(visit, hash)
            }
        }
    }

    #[inline(always)]
    fn content<const DISPATCH: u8>(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match DISPATCH {
            FIELDS => return self.fields::<false>(object, region, levels),
            ITEMS => return self.items(object, region, levels),
            LISTED => return self.listed(object, region, levels),
            _ => {}
        }
        let info = object.type_info();
        self.steps = self.steps.wrapping_add(info.compared_fields.len() as u32);
        object.fold::<DISPATCH, _, _>(
            self,
            info.fields_seed,
            |this, state, child| {
                let hashed = this.hash_dispatched(child, region, levels);
                mix(state, hashed)
            },
            |state, value| mix(state, hash_plain(value)),
        )
    }

    fn identity(&mut self, object: ObjectView<'a>, _: DefRegionKind, _: u32) -> u64 {
        hash_identity(object)
    }

    fn counterpart(&mut self, object: ObjectView<'a>, region: DefRegionKind, levels: u32) -> u64 {
        match self.known(object, region) {
            Some(hash) => hash,
            None => self.object(object, region, levels),
        }
    }
}
