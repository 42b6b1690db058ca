//! [`MetObjects`]: the objects that an operation has met, each with a state.

use crate::graph::marked_slots::MarkedSlots;
use crate::object::ObjectView;
use crate::table::STATE_BITS;

/// The state of an object that an operation has met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetState {
    /// The state of each object at first.
    Entered,
    /// The operation is done with the object.
    Done,
    /// The operation keeps more about the object in another table.
    Stored,
}

impl MetState {
    /// The state in a slot.
    #[inline(always)]
    fn of(slot: usize) -> Self {
        match slot & STATE_BITS {
            0 => MetState::Entered,
            1 => MetState::Done,
            _ => MetState::Stored,
        }
    }
}

/// An object that an operation has met.
#[derive(Clone, Copy)]
pub(crate) struct Met {
    pub(crate) address: usize,
    pub(crate) mark: u32,
}

/// The objects that an operation has met, with a state for each. The objects exist until the operation ends.
#[derive(Default)]
pub(crate) struct MetObjects {
    /// The addresses of the objects plus their states.
    slots: MarkedSlots<usize>,
}

impl MetObjects {
    /// The state of `object`. `None` if the operation meets the object for the first time.
    #[inline(always)]
    pub(crate) fn meet(&mut self, object: ObjectView<'_>) -> Option<MetState> {
        match self.slots.numbered(object) {
            Some(slot) => Some(MetState::of(*slot)),
            None => {
                let (is_new, slot) = self.slots.add(object);
                (!is_new).then(|| MetState::of(*slot))
            }
        }
    }

    /// Whether `object` has a number and the state [`MetState::Done`].
    #[inline(always)]
    pub(crate) fn is_done(&self, object: ObjectView<'_>) -> bool {
        self.slots.numbered(object).is_some_and(|slot| MetState::of(*slot) == MetState::Done)
    }

    /// The key of an object that the operation has met.
    #[inline(always)]
    pub(crate) fn key(object: ObjectView<'_>) -> Met {
        Met { address: object.address(), mark: object.mark().get() }
    }

    /// Changes the state of an object from `Entered` to `Done`. Returns whether it was `Entered`.
    #[inline(always)]
    pub(crate) fn finish(&mut self, met: Met) -> bool {
        let slot = self.slots.at(met.address, met.mark);
        let is_entered = *slot == met.address;
        if is_entered {
            *slot = met.address | MetState::Done as usize;
        }
        is_entered
    }

    /// Sets the state of an object that the operation has met.
    pub(crate) fn set_state(&mut self, met: Met, state: MetState) {
        *self.slots.at(met.address, met.mark) = met.address | state as usize;
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{MetObjects, MetState};
    use crate::container::Array;
    use crate::object::{ObjectHandle, ObjectRef};

    /// Meets each object twice, and checks the states.
    fn check(met: &mut MetObjects, objects: &[ObjectRef]) {
        for object in objects {
            assert_eq!(met.meet(object.view()), None);
            assert_eq!(met.meet(object.view()), Some(MetState::Entered));
        }
        for (index, object) in objects.iter().enumerate() {
            let key = MetObjects::key(object.view());
            if index.is_multiple_of(2) {
                assert!(met.finish(key) && !met.finish(key));
            } else {
                met.set_state(key, MetState::Stored);
            }
        }
        for (index, object) in objects.iter().enumerate() {
            let expected = if index.is_multiple_of(2) { MetState::Done } else { MetState::Stored };
            assert_eq!(met.meet(object.view()), Some(expected));
        }
    }

    fn objects(count: i64) -> Vec<ObjectRef> {
        (0..count).map(|index| Array::from([index]).as_object().clone()).collect()
    }

    #[test]
    fn operations_inside_of_each_other_do_not_mix_their_objects() {
        let objects = objects(3000);
        for _ in 0..3 {
            let (mut outer, mut inner) = (MetObjects::default(), MetObjects::default());
            check(&mut outer, &objects[..2000]);
            check(&mut inner, &objects[1000..]);
            assert!(objects[2000..].iter().all(|object| outer.meet(object.view()).is_none()));
            assert!(objects[..1000].iter().all(|object| inner.meet(object.view()).is_none()));
            // The inner operation goes on after the outer one has ended.
            drop(outer);
            let mut next = MetObjects::default();
            check(&mut next, &objects);
            assert!(objects.iter().all(|object| inner.meet(object.view()).is_some()));
        }
    }

    #[test]
    fn operations_of_several_threads_do_not_mix_their_objects() {
        let objects = objects(300);
        std::thread::scope(|scope| {
            let spawn = |_| scope.spawn(|| (0..100).for_each(|_| check(&mut MetObjects::default(), &objects)));
            let threads: Vec<_> = (0..4).map(spawn).collect();
            // The ThreadSanitizer sees the end of a thread in this call, and not in the end of the scope.
            threads.into_iter().for_each(|thread| thread.join().expect("the thread does not panic"));
        });
    }

    #[test]
    fn a_panic_ends_the_claim() {
        let objects = objects(2);
        let panic = std::panic::catch_unwind(|| {
            let mut met = MetObjects::default();
            met.meet(objects[0].view());
            std::panic::resume_unwind(Box::new("ends the operation"));
        });
        assert!(panic.is_err());
        check(&mut MetObjects::default(), &objects);
    }
}
