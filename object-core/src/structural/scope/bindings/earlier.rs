//! [`Earlier`]: the bindings of an earlier comparison that hold again, without an entry for each of them.
//!
//! Bindings hold from the first one on, in their order. So a number says which of them hold, and a look-up goes to the tables of the
//! earlier comparison. A comparison that passes the objects that the earlier one found equal takes no time for their bindings.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::object::ObjectView;
use crate::structural::scope::bindings::{Binding, Bindings, counted};
use crate::structural::scope::changes::{Bound, narrow};
use crate::table::AddressTable;

/// The bindings of an earlier comparison under persistent scopes.
#[derive(Clone)]
pub(crate) struct Earlier<'a> {
    bindings: Rc<Bindings<'a>>,
    /// The side of the earlier comparison that is the left side now.
    side: usize,
    /// The objects that are in the places of other ones on the left side now, by these, and the other way round.
    replaced: AddressTable<ObjectView<'a>>,
    originals: AddressTable<ObjectView<'a>>,
    /// The number of the first bindings that hold.
    in_force: usize,
    /// The number of the first bindings that the new tables and the new log have, too.
    listed: usize,
    /// The numbers of bindings that may contradict new ones or that are about replaced objects.
    contested: BTreeSet<usize>,
    /// The first of them among those that do not hold yet.
    next_contested: usize,
}

impl<'a> Earlier<'a> {
    /// The bindings, none of which holds yet, for a comparison in which a side of the earlier one is the left side. `replaced` has
    /// the objects in the places of others.
    pub(crate) fn new(
        bindings: Rc<Bindings<'a>>,
        side: usize,
        replaced: Vec<(ObjectView<'a>, ObjectView<'a>)>,
    ) -> Self {
        let originals = replaced.iter().map(|(original, new)| (new.address(), *original)).collect();
        let mut earlier = Earlier {
            bindings,
            side,
            replaced: AddressTable::default(),
            originals,
            in_force: 0,
            listed: 0,
            contested: BTreeSet::new(),
            next_contested: usize::MAX,
        };
        earlier.contested =
            replaced.iter().filter_map(|(original, _)| earlier.order(original.address(), false)).collect();
        earlier.hold_until(0);
        earlier.replaced = replaced.into_iter().map(|(original, new)| (original.address(), new)).collect();
        earlier
    }

    /// The number of the binding of the object at an address, whether or not it holds.
    fn order(&self, address: usize, is_rhs: bool) -> Option<usize> {
        let address = match self.originals.get(&address) {
            Some(original) if !is_rhs => original.address(),
            None if !is_rhs && self.replaced.contains_key(&address) => return None,
            _ => address,
        };
        let order = match is_rhs == (self.side == 1) {
            true => self.bindings.lhs.get(address)?.order,
            false => self.bindings.rhs.get(address)?.get() - 1,
        };
        Some(order as usize)
    }

    /// The objects of the binding with a number.
    fn pair(&self, order: usize) -> Option<(ObjectView<'a>, ObjectView<'a>)> {
        let a = *self.bindings.log.get(order)?;
        let b = self.bindings.lhs.get(a.address())?.other;
        let (lhs, rhs) = if self.side == 0 { (a, b) } else { (b, a) };
        Some((self.replaced.get(&lhs.address()).copied().unwrap_or(lhs), rhs))
    }

    /// The binding of the object at an address, if it holds.
    pub(super) fn bound(&self, address: usize, is_rhs: bool) -> Option<Bound<'a>> {
        let order = self.order(address, is_rhs).filter(|order| *order < self.in_force)?;
        let (lhs, rhs) = self.pair(order)?;
        Some(Bound { other: if is_rhs { lhs } else { rhs }, order: narrow(order), level: 0, number: place_of(order) })
    }

    /// Makes the first `count` bindings hold.
    fn hold_until(&mut self, count: usize) {
        self.in_force = count;
        self.next_contested = self.contested.range(count..).next().copied().unwrap_or(usize::MAX);
    }

    /// Records that the tables do not have a binding any more. They do not have the later ones either.
    pub(super) fn unlist(&mut self, order: usize) {
        self.listed = self.listed.min(order);
    }

    /// The place in the order of all bindings of a new binding of two objects of which no new binding exists, or the state of the
    /// two objects if a binding that holds decides it.
    #[inline(never)]
    pub(super) fn place(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        may_bind: bool,
        new: u32,
    ) -> Result<u64, Binding> {
        let orders = [self.order(a.address(), false), self.order(b.address(), true)];
        match orders.map(|order| order.filter(|order| *order < self.in_force)) {
            [None, None] => {}
            [of_a, of_b] if of_a == of_b => return Err(Binding::Matched),
            _ => return Err(Binding::Conflict),
        }
        if may_bind {
            self.contested.extend(orders.into_iter().flatten());
            self.hold_until(self.in_force);
        }
        Ok(((self.in_force as u64) << u32::BITS) | (u64::from(new) + 1))
    }
}

/// The place of a binding of the earlier comparison in the order of all bindings. New ones have places between them.
fn place_of(order: usize) -> u64 {
    (order as u64 + 1) << u32::BITS
}

/// The number of the binding of the earlier comparison at a place; `None` for a new binding.
pub(super) fn order_at(place: u64) -> Option<usize> {
    let order = (place >> u32::BITS).checked_sub(1)?;
    (place as u32 == 0).then_some(order as usize)
}

impl<'a> Bindings<'a> {
    /// An empty table of bindings, for a comparison that can repeat the bindings of an earlier comparison.
    pub(crate) fn with_earlier(earlier: Earlier<'a>) -> Self {
        Bindings { earlier: Some(Box::new(earlier)), ..Bindings::default() }
    }

    /// If the first `bound` bindings of the earlier comparison hold, makes the next `made` hold, too, unless they contradict new
    /// ones. Returns whether all of them hold.
    pub(crate) fn repeat_earlier(&mut self, bound: usize, made: usize) -> bool {
        let Some(earlier) = &mut self.earlier else { return false };
        if earlier.in_force < bound {
            let are_bound = |(a, b): (ObjectView<'a>, ObjectView<'a>)| {
                self.lhs.get(a.address()).is_some_and(|bound| bound.other.ptr_eq(b))
            };
            let made_anew = (earlier.in_force..bound).take_while(|order| earlier.pair(*order).is_some_and(are_bound));
            earlier.hold_until(earlier.in_force + made_anew.count());
        }
        let after = bound + made;
        if earlier.in_force < bound {
            return false;
        }
        if after <= earlier.next_contested {
            earlier.in_force = earlier.in_force.max(after);
            return true;
        }
        let may_hold = |(a, b): (ObjectView<'a>, ObjectView<'a>)| match self.lhs.get(a.address()) {
            Some(bound) => bound.other.ptr_eq(b),
            // A comparison without the replaced object does not bind the new one.
            None => !earlier.originals.contains_key(&a.address()) && self.rhs.get(b.address()).is_none(),
        };
        let mut contested = earlier.contested.range(earlier.in_force..after);
        let hold = contested.all(|order| earlier.pair(*order).is_some_and(may_hold));
        if hold && earlier.in_force < after {
            earlier.hold_until(after);
        }
        hold
    }

    /// Enters the bindings of the earlier comparison that hold into the tables and the log.
    pub(crate) fn list_earlier(&mut self) {
        let Some(earlier) = &mut self.earlier else { return };
        for order in earlier.listed..earlier.in_force {
            let Some((a, b)) = earlier.pair(order) else { continue };
            let lhs = self.lhs.slot(a.address());
            if lhs.is_none() {
                let place = narrow(self.log.len());
                *lhs = Some(Bound { other: b, order: place, level: 0, number: place_of(order) });
                *self.rhs.slot(b.address()) = Some(counted(place));
                self.log.push(a);
            }
        }
        earlier.listed = earlier.in_force;
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use crate::object::ObjectView;
    use crate::structural::scope::bindings::earlier::Earlier;
    use crate::structural::scope::bindings::{Binding, Bindings};
    use crate::{Any, Array};

    /// The number of objects of each side. The earlier comparison bound the first three of them to each other, in order.
    const COUNT: usize = 5;

    fn objects() -> Vec<Any> {
        (0..2 * COUNT).map(|number| Array::from([number as i64]).into()).collect()
    }

    fn views(objects: &[Any]) -> [Vec<ObjectView<'_>>; 2] {
        let (a, b) = objects.split_at(COUNT);
        [a, b].map(|side| side.iter().filter_map(|value| value.view().as_object()).collect())
    }

    fn earlier<'a>(a: &[ObjectView<'a>], b: &[ObjectView<'a>], side: usize, replaced: &[[usize; 2]]) -> Bindings<'a> {
        let mut bindings = Bindings::default();
        for (a, b) in a.iter().zip(b).take(3) {
            let (lhs, rhs) = if side == 0 { (*a, *b) } else { (*b, *a) };
            bindings.relate(lhs, rhs, true);
        }
        let replaced = replaced.iter().map(|[original, new]| (a[*original], a[*new])).collect();
        Bindings::with_earlier(Earlier::new(Rc::new(bindings), side, replaced))
    }

    #[test]
    fn earlier_bindings_hold_in_their_order_unless_new_ones_contradict_them() {
        let objects = objects();
        let [a, b] = views(&objects);
        for side in [0, 1] {
            let mut bindings = earlier(&a, &b, side, &[]);
            assert_eq!(bindings.relate(a[0], b[1], false), Binding::Unbound);
            assert!(!bindings.repeat_earlier(1, 1) && bindings.repeat_earlier(0, 1));
            assert_eq!(bindings.relate(a[0], b[0], false), Binding::Matched);
            assert_eq!(bindings.relate(a[0], b[1], true), Binding::Conflict);
            assert_eq!(bindings.relate(a[3], b[0], true), Binding::Conflict);
            assert!(bindings.is_bound_rhs(b[0]) && !bindings.is_bound_rhs(b[1]));
            // New bindings of the objects of the third earlier binding.
            for contradiction in [[2, 3], [3, 2]] {
                assert_eq!(bindings.relate(a[contradiction[0]], b[contradiction[1]], true), Binding::Unbound);
                assert!(!bindings.repeat_earlier(1, 2), "{contradiction:?}");
                bindings.split_off(0);
            }
            assert!(bindings.repeat_earlier(1, 2) && bindings.repeat_earlier(0, 1));
            assert_eq!(bindings.relate(a[2], b[2], false), Binding::Matched);
        }
    }

    #[test]
    fn new_bindings_have_places_between_earlier_ones() {
        let objects = objects();
        let [a, b] = views(&objects);
        let mut bindings = earlier(&a, &b, 0, &[]);
        assert!(bindings.repeat_earlier(0, 1));
        assert_eq!(bindings.relate(a[4], b[4], true), Binding::Unbound);
        assert!(bindings.repeat_earlier(1, 1));
        let in_order = |bindings: &Bindings<'_>| {
            let places: Vec<_> = [0, 4, 1].map(|index| bindings.order(a[index])).into_iter().flatten().collect();
            assert!(places.len() == 3 && places.is_sorted(), "{places:?}");
            assert!(bindings.order(a[2]).is_none());
        };
        in_order(&bindings);
        for _ in 0..2 {
            bindings.list_earlier();
            assert_eq!(bindings.log().len(), 3);
            in_order(&bindings);
            // The list of earlier bindings does not decide whether they hold.
            assert_eq!(bindings.split_off(1).len(), 2);
            in_order(&bindings);
        }
    }

    #[test]
    fn the_binding_of_a_replaced_object_is_the_one_of_the_new_object() {
        let objects = objects();
        let [a, b] = views(&objects);
        let mut bindings = earlier(&a, &b, 0, &[[1, 4]]);
        assert!(!bindings.repeat_earlier(0, 3) && bindings.repeat_earlier(0, 1));
        assert!(!bindings.repeat_earlier(2, 1));
        assert_eq!(bindings.relate(a[4], b[1], true), Binding::Unbound);
        assert!(bindings.repeat_earlier(2, 1));
        assert_eq!(bindings.relate(a[4], b[1], false), Binding::Matched);
        assert_eq!(bindings.relate(a[1], b[1], true), Binding::Conflict);
    }
}
