//! [`Dependencies`]: the objects without a number on which provisional hashes depend.
//!
//! A provisional hash stays valid until one of these objects gets a number. A remembered hash depends on objects without
//! a number and on other remembered hashes, and takes over the dependencies that were recorded below it. So each
//! recorded dependency is moved once and followed once, and the cost is linear in the hashed children.

use crate::object::ObjectView;
use crate::table::AddressTable;

/// The objects on which provisional hashes depend.
#[derive(Default)]
pub(crate) struct Dependencies<'a> {
    /// The dependencies of the hashes in progress that no remembered hash has taken over, each with the number of steps
    /// before it. The numbers increase.
    pending: Vec<(u32, ObjectView<'a>)>,
    /// The remembered hashes that depend on an object, by its address.
    dependents: AddressTable<Vec<ObjectView<'a>>>,
}

impl<'a> Dependencies<'a> {
    /// Whether any remembered hash depends on an object.
    #[inline]
    pub(crate) fn has_dependents(&self) -> bool {
        !self.dependents.is_empty()
    }

    /// Records that the hashes in progress depend on an object. The caller increments `steps` afterwards.
    pub(crate) fn record(&mut self, steps: u32, object: ObjectView<'a>) {
        self.pending.push((steps, object));
    }

    /// Removes the dependencies that were recorded since the hash had taken `entered` steps, and calls `each` with them.
    fn take_since(
        &mut self,
        entered: u32,
        mut each: impl FnMut(&mut AddressTable<Vec<ObjectView<'a>>>, ObjectView<'a>),
    ) {
        // The counter of steps may overflow.
        let is_since = |&mut (steps, _): &mut (u32, ObjectView<'a>)| steps.wrapping_sub(entered).cast_signed() >= 0;
        while let Some((_, object)) = self.pending.pop_if(is_since) {
            each(&mut self.dependents, object);
        }
    }

    /// Forgets the dependencies since `entered`, because the hash of an object with a number does not depend on them.
    pub(crate) fn forget_since(&mut self, entered: u32) {
        self.take_since(entered, |_, _| {});
    }

    /// Makes the remembered hash of `dependent` the owner of the dependencies since `entered`.
    pub(crate) fn move_since(&mut self, entered: u32, dependent: ObjectView<'a>) {
        self.take_since(entered, |dependents, object| dependents.entry(object.address()).or_default().push(dependent));
    }

    /// Calls `invalidate` with each remembered hash that depends on `object`, which gets a number.
    pub(crate) fn follow(&mut self, object: ObjectView<'_>, mut invalidate: impl FnMut(ObjectView<'a>)) {
        let mut reached = self.dependents.remove(&object.address()).unwrap_or_default();
        while let Some(dependent) = reached.pop() {
            invalidate(dependent);
            reached.extend(self.dependents.remove(&dependent.address()).unwrap_or_default());
        }
    }
}
