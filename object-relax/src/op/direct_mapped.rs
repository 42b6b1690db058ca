//! [`DirectMapped`]: a small cache, in which each value has one place.

/// The number of places.
const PLACES: usize = 128;

/// A cache with a value for each place. A later value takes the place of an earlier one.
#[derive(Debug)]
pub(super) struct DirectMapped<T> {
    /// For each place, the number of its value in the list, counted from 1; 0 if it is free. So an empty cache needs no
    /// memory of its values, and its release looks at no free place.
    numbers: [u8; PLACES],
    values: Vec<T>,
}

impl<T> Default for DirectMapped<T> {
    fn default() -> Self {
        DirectMapped { numbers: [0; PLACES], values: Vec::new() }
    }
}

/// A place in a cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place(usize);

impl Place {
    /// The place of a value with this hash, of which the upper bits depend on all inputs.
    pub(super) fn of(hash: u64) -> Self {
        Place(usize::try_from(hash >> (u64::BITS - PLACES.ilog2())).unwrap_or_default())
    }
}

impl<T> DirectMapped<T> {
    /// The value at a place.
    pub(super) fn get(&self, Place(place): Place) -> Option<&T> {
        self.values.get(usize::from(self.numbers[place]).checked_sub(1)?)
    }

    /// Puts a value at a place.
    pub(super) fn set(&mut self, Place(place): Place, value: T) {
        if let Some(old) = usize::from(self.numbers[place]).checked_sub(1).and_then(|index| self.values.get_mut(index))
        {
            *old = value;
            return;
        }
        if self.values.is_empty() {
            self.values.reserve(16);
        }
        self.values.push(value);
        self.numbers[place] = u8::try_from(self.values.len()).unwrap_or_default();
    }
}
