//! Nests that only copy elements, such as transpositions: from memory to memory, without columns.

use super::domain::Planned;
use super::{ColumnKind, Step};
use crate::loop_program::memory::Memory;
use crate::value::{ElementType, Strided};

/// The copy that a nest is: consecutive elements of one memory become elements of another one.
#[derive(Clone, Debug)]
pub(super) struct ElementCopy {
    from: u32,
    to: u32,
    /// The bytes of the results.
    bytes: std::ops::Range<usize>,
    /// The bytes of an element.
    size: usize,
    places: Strided,
    lanes: u64,
}

impl ElementCopy {
    /// The copy that the steps of a nest are, if they are one.
    pub(super) fn of(planned: &Planned<'_, '_>) -> Option<ElementCopy> {
        let Planned { nest, steps, resolved, domain, memory, .. } = *planned;
        let (load, store) = match *steps {
            [Step::Load { kind, to, access: load }, Step::Store { kind: stored, from, access: store }]
                if from == to && kind == stored && kind != ColumnKind::Float =>
            {
                (load as usize, store as usize)
            }
            _ => return None,
        };
        let [(load, source), (store, result)] = [load, store].map(|it| (&nest.accesses[it], &resolved[it]));
        // A column has truth values as 0 or 1, whatever the byte is.
        let is_same = load.element == store.element && load.element != ElementType::Bool;
        let is_plain = [load, store].iter().all(|access| access.mask.is_none())
            && [source, result].iter().all(|it| !it.is_checked && it.list.is_none());
        let is_whole = domain.repeats == 1 && nest.inits.is_empty() && result.lanes.are_consecutive();
        if !is_same || !is_plain || !is_whole || memory.range(load.memory).0 == memory.range(store.memory).0 {
            return None;
        }
        let begin = usize::try_from(result.first).ok()? * store.size;
        Some(ElementCopy {
            from: load.memory,
            to: store.memory,
            bytes: begin..begin + domain.lanes * store.size,
            size: store.size,
            places: source.lanes.places(source.first),
            lanes: domain.lanes as u64,
        })
    }

    /// The number of elements.
    pub(super) fn lanes(&self) -> u64 {
        self.lanes
    }

    /// Copies the elements.
    pub(super) fn run(&self, memory: &mut Memory<'_>) {
        let (from, to) = memory.read_and_write(self.from, self.to);
        let to = &mut to[self.bytes.clone()];
        match self.size {
            1 => self.places.copy(from, to),
            2 => self.places.copy(from.as_chunks::<2>().0, to.as_chunks_mut::<2>().0),
            4 => self.places.copy(from.as_chunks::<4>().0, to.as_chunks_mut::<4>().0),
            _ => self.places.copy(from.as_chunks::<8>().0, to.as_chunks_mut::<8>().0),
        }
    }
}
