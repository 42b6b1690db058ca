//! [`Places`]: a hash table of places in a list, which has the key of each entry.

/// The slot of no place.
const FREE: u32 = u32::MAX;

/// The places of entries in a list, by the keys of the entries. The list has the keys, so each function takes a function
/// from places to keys, and a slot is only a number.
///
/// Open addressing with linear probing: an entry is in the first slot from the slot of its key on that was free. At most
/// half of the slots are used.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// A power of two, or empty.
    slots: Vec<u32>,
    used: usize,
}

impl Places {
    /// The slot where the search for a key begins.
    fn first_slot(&self, key: usize) -> usize {
        // The multiplication moves all bits of an address to the upper bits.
        let hash = (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        usize::try_from(hash >> 32).unwrap_or_default() & (self.slots.len() - 1)
    }

    fn next_slot(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// The slot of a key, or the free slot in which it belongs. There are slots.
    fn slot(&self, key: usize, key_of: &impl Fn(usize) -> usize) -> usize {
        let mut slot = self.first_slot(key);
        while self.slots[slot] != FREE && key_of(self.slots[slot] as usize) != key {
            slot = self.next_slot(slot);
        }
        slot
    }

    /// The place of the entry with a key.
    pub(super) fn get(&self, key: usize, key_of: impl Fn(usize) -> usize) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let place = self.slots[self.slot(key, &key_of)];
        (place != FREE).then_some(place as usize)
    }

    /// Stores the place of a key, and returns the place that was stored for it.
    pub(super) fn insert(&mut self, key: usize, place: usize, key_of: impl Fn(usize) -> usize) -> Option<usize> {
        let place = u32::try_from(place).ok().filter(|place| *place != FREE);
        let place = place.unwrap_or_else(|| unreachable!("the list would take more than 100 GB of memory"));
        self.reserve(1, &key_of);
        let slot = self.slot(key, &key_of);
        let old = std::mem::replace(&mut self.slots[slot], place);
        if old == FREE {
            self.used += 1;
            return None;
        }
        Some(old as usize)
    }

    /// Removes a key. The list still has all entries that the table has.
    pub(super) fn remove(&mut self, key: usize, key_of: impl Fn(usize) -> usize) {
        if self.slots.is_empty() {
            return;
        }
        let mut hole = self.slot(key, &key_of);
        if self.slots[hole] == FREE {
            return;
        }
        self.used -= 1;
        // Entries after the hole move into it, unless their search begins after it.
        let mask = self.slots.len() - 1;
        let mut slot = self.next_slot(hole);
        while self.slots[slot] != FREE {
            let first = self.first_slot(key_of(self.slots[slot] as usize));
            if slot.wrapping_sub(first) & mask >= slot.wrapping_sub(hole) & mask {
                self.slots[hole] = self.slots[slot];
                hole = slot;
            }
            slot = self.next_slot(slot);
        }
        self.slots[hole] = FREE;
    }

    /// Makes room for `count` more keys.
    pub(super) fn reserve(&mut self, count: usize, key_of: impl Fn(usize) -> usize) {
        let needed = (self.used + count) * 2;
        if needed <= self.slots.len() {
            return;
        }
        let old = std::mem::replace(&mut self.slots, vec![FREE; needed.next_power_of_two().max(16)]);
        for place in old.into_iter().filter(|place| *place != FREE) {
            let slot = self.slot(key_of(place as usize), &key_of);
            self.slots[slot] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashMap;

    #[test]
    fn places_are_found_after_insertions_and_removals() {
        let (mut places, mut expected) = (Places::default(), FxHashMap::default());
        assert_eq!(places.get(1, |_| 1), None);
        places.remove(1, |_| 1);
        let mut keys: Vec<usize> = Vec::new();
        let mut state = 1_usize;
        for step in 0..20_000 {
            // Few keys, in steps of the sizes of objects, so that many searches meet.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let key = (state >> 33) % 300 * 16;
            if state >> 60 < 9 {
                keys.push(key);
                let place = keys.len() - 1;
                assert_eq!(places.insert(key, place, |place| keys[place]), expected.insert(key, place), "{step}");
            } else {
                places.remove(key, |place| keys[place]);
                expected.remove(&key);
            }
            assert_eq!(places.get(key, |place| keys[place]), expected.get(&key).copied(), "{step}");
            assert_eq!(places.used, expected.len());
        }
        for key in (0..300).map(|key| key * 16) {
            assert_eq!(places.get(key, |place| keys[place]), expected.get(&key).copied());
        }
    }
}
