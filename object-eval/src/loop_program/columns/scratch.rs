//! The memory of a run by columns, which its loops share, and the plans of nests.

use object_core::meter::{Charge, Meter};
use object_core::prelude::*;

use super::RowFold;
use super::copy::ElementCopy;
use super::domain::{Domain, Resolved};

/// The place of a lane without an access.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The columns of a run, and the elements that its accesses use.
#[derive(Debug, Default)]
pub(in crate::loop_program) struct Scratch {
    pub(super) ints: Vec<Vec<i64>>,
    pub(super) floats: Vec<Vec<f64>>,
    pub(super) singles: Vec<Vec<f32>>,
    pub(super) resolved: Vec<Resolved>,
    /// The plans of nests.
    plans: Vec<Option<Box<Plan>>>,
    pub(super) room: Room,
}

/// The memory of columns and of the lists in plans.
#[derive(Debug, Default)]
pub(super) struct Room {
    bytes: u64,
    /// The charge of the bytes during a run.
    charge: Option<Charge>,
}

impl Room {
    /// Counts memory for so many values of a type.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses it.
    pub(super) fn count<T>(&mut self, values: usize) -> Result<(), Error> {
        let bytes = self.bytes + (values * size_of::<T>()) as u64;
        self.charge.as_mut().map_or(Ok(()), |charge| charge.cover(bytes))?;
        self.bytes = bytes;
        Ok(())
    }
}

impl Scratch {
    /// Begins a run, during which the memory counts at `meter`.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), if earlier runs left more memory than the meter has room for.
    pub(in crate::loop_program) fn begin(&mut self, meter: &Meter) -> Result<(), Error> {
        self.room.charge = Some(meter.reserve(self.room.bytes)?);
        Ok(())
    }

    /// Ends a run.
    pub(in crate::loop_program) fn end(&mut self) {
        self.room.charge = None;
    }

    /// Takes the plan of a nest.
    pub(super) fn take_plan(&mut self, nest: u32) -> Box<Plan> {
        self.plans.get_mut(nest as usize).and_then(Option::take).unwrap_or_default()
    }

    /// Puts the plan of a nest back.
    pub(super) fn put_plan(&mut self, nest: u32, plan: Box<Plan>) {
        let nest = nest as usize;
        self.plans.resize_with(self.plans.len().max(nest + 1), || None);
        self.plans[nest] = Some(plan);
    }
}

/// How a nest runs with its extents. A program keeps the plan for its next call.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The numbers of the inputs, and the memories of the accesses, that the plan is for.
    pub(super) ints: Vec<i64>,
    pub(super) memories: Vec<(usize, std::ops::Range<usize>)>,
    /// How often the nest was planned.
    pub(super) made: u32,
    /// The iterations. `None` if the nest does not run by columns.
    pub(super) domain: Option<Domain>,
    pub(super) resolved: Vec<Resolved>,
    pub(super) may_fail: bool,
    /// Whether the plan has the elements of all accesses that the inputs determine.
    pub(super) has_lists: bool,
    pub(super) kernel: Option<Kernel>,
}

/// How a nest runs from memory to memory, without columns of its operands.
#[derive(Clone, Debug)]
pub(super) enum Kernel {
    Copy(ElementCopy),
    Fold(RowFold),
}
