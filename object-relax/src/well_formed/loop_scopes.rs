//! [`LoopScopes`]: the variables and buffers that are in scope at a place of a loop program.

use object_core::ObjectView;
use rustc_hash::FxHashMap;

use crate::well_formed::place::Place;

/// How a place of a loop program defines a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Definition {
    /// The place defines it alone: a parameter, a loop, a binding, an allocation, an iterator of a block.
    Unique,
    /// A loop defines it, around the blocks that come below it.
    Loop,
    /// The place defines it unless it is in scope: an index of a thread, an extent that a buffer of the caller gives.
    IfNew,
}

/// The place that defines a variable or declares a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defined {
    /// The place.
    pub(super) place: Place,
    /// The kind of the place.
    pub(super) definition: Definition,
    /// The number of blocks with iterators around the place.
    pub(super) blocks: u32,
    /// Whether its scope is open.
    pub(super) is_open: bool,
}

/// The definitions of a loop program so far.
#[derive(Default)]
pub(super) struct LoopScopes {
    defined: FxHashMap<usize, Defined>,
    /// The number of each open scope, and what it defines.
    open: Vec<(u32, Vec<usize>)>,
    next: u32,
    /// The number of blocks with iterators around the current place.
    pub(super) blocks: u32,
}

impl LoopScopes {
    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.open.push((self.next, Vec::new()));
        self.next += 1;
    }

    /// Closes the innermost scope.
    pub(super) fn pop(&mut self) {
        for address in self.open.pop().into_iter().flat_map(|(_, defined)| defined) {
            if let Some(defined) = self.defined.get_mut(&address) {
                defined.is_open = false;
            }
        }
    }

    /// The number of the innermost scope.
    pub(super) fn innermost(&self) -> u32 {
        self.open.last().map_or(0, |(number, _)| *number)
    }

    /// The definition of a variable or the declaration of a buffer, in scope or not.
    pub(super) fn find(&self, object: ObjectView<'_>) -> Option<Defined> {
        self.defined.get(&object.address()).copied()
    }

    /// Defines a variable or declares a buffer in the innermost scope. Returns the earlier definition that it contradicts.
    pub(super) fn define(&mut self, object: ObjectView<'_>, place: Place, definition: Definition) -> Option<Defined> {
        let earlier = self.find(object);
        if definition == Definition::IfNew && earlier.is_some_and(|earlier| earlier.is_open) {
            return None;
        }
        let defined = Defined { place, definition, blocks: self.blocks, is_open: true };
        self.defined.insert(object.address(), defined);
        if let Some((_, addresses)) = self.open.last_mut() {
            addresses.push(object.address());
        }
        let contradicts = |earlier: &Defined| ![definition, earlier.definition].contains(&Definition::IfNew);
        earlier.filter(contradicts)
    }
}
